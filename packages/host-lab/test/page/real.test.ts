import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { join } from "node:path"
import { type Browser, call, type Lab, say, startChromium, startLab } from "../../src/index.ts"
import { RULEBOOK } from "../rulebook/support.ts"

setDefaultTimeout(180_000)

let lab: Lab
let chromium: Browser
beforeAll(async () => {
  lab = await startLab()
  chromium = await startChromium()
})
afterAll(async () => {
  await chromium[Symbol.asyncDispose]()
  await lab.stop()
})

const RULES = {
  "style.md": "House style.",
  "rust.md": '---\nname: Unsafe Rust\nglobs: "**/*.rs"\nfileContains: "unsafe {"\n---\nJustify it.',
  "go.md": '---\nname: Go\nglobs: "**/*.go"\n---\nWrap errors.',
  "force.md":
    "---\nname: No force\nhooks: { type: PreToolUse, tool: bash, match: { command: --force }, block: true }\n---\nNever.",
}

interface Told {
  readonly session: { readonly id: string; readonly requests: number }
  readonly requests: readonly { readonly there: readonly string[] }[]
  readonly rules: readonly { readonly name: string; readonly missing?: { readonly conditions: readonly object[] } }[]
}

test("a session of real OpenCode: what its requests carried, why a rule did not come, and the page", async () => {
  const project = await lab.project({ files: { "src/a.rs": "unsafe { x() }" }, rules: RULES, plugins: [RULEBOOK] })
  const command = async (...args: readonly string[]) => {
    const cli = join(RULEBOOK, "dist/cli.js")
    const child = Bun.spawn(["node", cli, ...args], {
      cwd: project.directory,
      env: lab.env,
      stdio: ["ignore", "pipe", "pipe"],
    })
    const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
    return { code, out, err }
  }
  const session = await project.session()
  const conditionsOf = ({ rules }: Told) => rules.find(({ name }) => name === "Go")?.missing?.conditions ?? []
  /** The session once it has so many requests. Receipts are written behind the host's events, verdicts behind the turn's end. */
  const shown = async (requests: number): Promise<Told> => {
    while (true) {
      const { code, out } = await command("explain", "--session", session.id.slice(0, -2), "--json")
      const told = code === 0 ? (JSON.parse(out) as Told) : undefined
      if (told && told.session.requests >= requests && conditionsOf(told).length > 0) return told
    }
  }
  await session.prompt("look", [
    call("read", { filePath: project.path("src/a.rs") }),
    call("bash", { command: "echo --force", description: "say it" }),
    say("done"),
  ])
  await shown(3)
  await lab.restart()
  await session.prompt("and now?", [say("nothing")])
  const told = await shown(4)
  expect(told.session).toMatchObject({ id: session.id, requests: 4 })
  const texts = session.requests().map(({ messages }) => JSON.stringify(messages))
  const carried = texts.map((text) =>
    ["style", "Unsafe Rust", "No force"].filter((name) => text.includes(`<rule name=\\"${name}\\">`)),
  )
  const ids: Readonly<Record<string, string>> = {
    style: "project:style.md",
    "Unsafe Rust": "project:rust.md",
    "No force": "project:force.md",
  }
  expect(carried.map(({ length }) => length)).toEqual([1, 2, 3, 3])
  expect(told.requests.map(({ there }) => there.toSorted())).toEqual(
    carried.map((names) => names.map((name) => ids[name] ?? "").toSorted()),
  )
  expect(conditionsOf(told)).toEqual([{ family: "file", met: false, declared: "**/*.go" }])

  expect(await command("report", "--html", "report.html")).toMatchObject({ code: 0, err: "" })
  await using opened = await chromium.open(project.path("report.html"))
  const { page } = opened
  expect(await page.locator("article").innerText()).toContain(session.id)
  expect(await page.locator(".request").count()).toBe(4)
  await page.getByRole("gridcell", { name: "No force" }).hover()
  expect(await page.getByRole("tooltip", { includeHidden: true }).innerText()).toContain("blocked: bash")
  expect({ complaints: opened.complaints, requests: opened.requests }).toEqual({ complaints: [], requests: [] })
})
