import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { $ } from "bun"
import { type Lab, type Project, type Registry, say, startLab, startRegistry, startTui } from "../../src/index.ts"
import { guardFolder } from "../bash-guard/guard-lab.ts"
import { RULEBOOK } from "../rulebook/support.ts"

setDefaultTimeout(240_000)

const rules = { "a.md": "---\nname: House style\n---\nRule of the project." }
/** Words of every delivery. The second version says them otherwise, so that a request tells which version made it. */
const WORDS = "come from the opencode-rulebook plugin"
const NEXT = "99.0.0"

let folder: string
let registry: Registry
let lab: Lab
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "host-lab-registry-"))
  registry = await startRegistry(join(folder, "registry"))
  for (const source of [RULEBOOK, guardFolder]) await registry.publish(await pack(source))
  lab = await startLab({ env: { ...registry.env }, unchecked: "the later version says other words ahead of its rules" })
})
afterAll(async () => {
  await lab.stop()
  await registry[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

async function pack(source: string): Promise<string> {
  return (await $`bun pm pack --quiet --destination ${folder}`.cwd(source).text()).trim()
}

/** Publishes the same package as a later version, whose deliveries begin with other words. */
async function publishNext(): Promise<void> {
  const next = join(folder, "next")
  await $`mkdir -p ${next} && tar -xzf ${await pack(RULEBOOK)} -C ${next} --strip-components=1`.quiet()
  const manifest = JSON.parse(await readFile(join(next, "package.json"), "utf8"))
  await writeFile(join(next, "package.json"), JSON.stringify({ ...manifest, version: NEXT }))
  const server = join(next, "dist/server.js")
  await writeFile(server, (await readFile(server, "utf8")).replace(WORDS, `${WORDS} ${NEXT}`))
  await registry.publish(next)
}

/** What a new session's first request says before its rules. */
async function preambleIn(project: Project): Promise<string> {
  const session = await project.session()
  const { requests } = await session.prompt("hello", [say("done")])
  return new RegExp(`${WORDS}( [0-9.]+)?`).exec(JSON.stringify(requests[0]?.messages))?.[0] ?? "no rule"
}

async function configured(project: Project): Promise<readonly unknown[]> {
  const read = async (name: string) => JSON.parse(await readFile(project.path(`.opencode/${name}`), "utf8")).plugin
  return [await read("opencode.json"), await read("tui.json")]
}

test("`opencode plugin` installs it by name, the sidebar shows, and a later version comes when its number is named", async () => {
  const project = await lab.project({ rules })
  const install = (...args: readonly string[]) => lab.run(project.directory, ["plugin", ...args])

  expect((await install("opencode-rulebook")).code).toBe(0)
  expect(await configured(project)).toEqual([["opencode-rulebook"], ["opencode-rulebook"]])
  await lab.restart()
  expect(await preambleIn(project)).toBe(WORDS)

  lab.provider.script({ project: project.key }, [say("done")])
  await using tui = await startTui(project.directory, lab.env, { args: ["--prompt", "hello there"] })
  await tui.waitFor("the prompt", (frame) => frame.includes("hello there"))
  await tui.press("Enter")
  expect(await tui.waitFor("the section", (frame) => frame.includes("1 of 1 matched"))).toContain("✓ House style")
  await tui.stop()

  await publishNext()
  await lab.restart()
  // The host keeps what it has installed under the name without a number.
  expect(await preambleIn(project)).toBe(WORDS)

  expect((await install(`opencode-rulebook@${NEXT}`)).code).toBe(0)
  expect(await configured(project)).toEqual([["opencode-rulebook"], ["opencode-rulebook"]])
  expect((await install(`opencode-rulebook@${NEXT}`, "--force")).code).toBe(0)
  const pinned = [`opencode-rulebook@${NEXT}`]
  expect(await configured(project)).toEqual([pinned, pinned])
  await lab.restart()
  expect(await preambleIn(project)).toBe(`${WORDS} ${NEXT}`)
})

test("a name in `plugin` is enough: the host installs both packages at its next start", async () => {
  const project = await lab.project({ rules, plugins: ["opencode-rulebook", "opencode-rulebook-bash-guard"] })
  expect(await preambleIn(project)).toContain(WORDS)
  const log = (await lab.log()).filter((line) => /ERROR|WARN/.test(line) && /rulebook/.test(line))
  expect(log).toEqual([])
})

test("the unpinned name follows a new version when the host's copy is removed", async () => {
  const project = await lab.project({ rules, plugins: ["opencode-rulebook"] })
  await rm(join(lab.env["XDG_CACHE_HOME"] ?? "", "opencode/packages"), { recursive: true, force: true })
  await lab.restart()
  expect(await preambleIn(project)).toBe(`${WORDS} ${NEXT}`)
})
