import { expect, setDefaultTimeout, test } from "bun:test"
import { readdir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { call, type Project, type ProviderRequest, say, startLab } from "../../src/index.ts"
import { counts, RULEBOOK } from "../rulebook/support.ts"

setDefaultTimeout(180_000)

const TEXT = "Justify every unsafe block."

test("two OpenCode processes on one project: each session has its rule, and no state file is ever half written", async () => {
  await using lab = await startLab()
  const project = await lab.project({
    files: { "src/main.rs": "fn main() { unsafe { x() } }\n" },
    rules: { "unsafe.md": `---\nfileContains: "unsafe {"\n---\n${TEXT}` },
    plugins: [RULEBOOK],
  })
  const session = await project.session()
  // The script is for the sessions that have none: those of the other process.
  const script = (request: ProviderRequest) => (request.conversation.includes(TEXT) ? say("done") : readMain(project))
  const run = lab.provider.script({ project: project.key }, script)

  const folder = join(lab.root, "state/opencode/rulebook")
  const torn: string[] = []
  let isOver = false
  const watching = watch(folder, torn, () => isOver)
  const other = lab.run(project.directory, ["run", "look"])
  const turns = [await session.prompt("look", [readMain(project), say("done")])]
  for (let index = 0; index < 4; index += 1) {
    turns.push(await session.prompt(`again ${index}`, [readMain(project), say("done")]))
  }
  const { stdout, code } = await other
  isOver = true
  await watching
  run.end()

  expect(code).toBe(0)
  expect(stdout).toContain("done")
  expect(torn).toEqual([])
  expect(
    counts(
      turns.flatMap(({ requests }) => requests),
      TEXT,
    ),
  ).toEqual([0, ...Array.from({ length: 9 }, () => 1)])
  const others = project.requests().filter(({ kind, sessionID }) => kind !== "title" && sessionID !== session.id)
  expect(counts(others, TEXT)).toEqual([0, 1])
  expect(await readdir(join(folder, "receipts"))).toHaveLength(2)
  const files = (await readdir(folder)).filter((name) => name !== "receipts")
  expect(files).toHaveLength(2)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  for (const file of files) {
    expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600)
    expect(JSON.parse(await readFile(join(folder, file), "utf8")).rules[0].status).toBe("delivered")
  }
})

function readMain(project: Project) {
  return call("read", { filePath: project.path("src/main.rs") })
}

/** Reads every state file again and again, and notes what is no whole JSON. */
async function watch(folder: string, torn: string[], isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const names = (await readdir(folder).catch(() => [])).filter((name) => !name.startsWith("."))
    for (const name of names) {
      const text = await readFile(join(folder, name), "utf8").catch(() => undefined)
      if (text !== undefined && !isJson(text)) torn.push(`${name}: ${text}`)
    }
    await Bun.sleep(1)
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
