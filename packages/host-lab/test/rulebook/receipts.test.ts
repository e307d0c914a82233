import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { existsSync, readFileSync, statSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { call, type Lab, type Project, say, startLab } from "../../src/index.ts"
import { until } from "../invisible/gate.ts"
import { openPair, playIn } from "./support.ts"

// Also measured here: after a turn OpenCode 1.18.33 publishes `session.idle`, with which the verdicts are noted.

setDefaultTimeout(180_000)

const MARK = "zqxmark"
const RULES = {
  "always.md": `Always ${MARK}.`,
  "build.md": `---\nagent: [build]\n---\nFor builders ${MARK}.`,
  "guard.md": `---\nhooks:\n  - type: PreToolUse\n    tool: write\n    match: secret\n    block: true\n---\nNo secrets ${MARK}.`,
  "rust.md": `---\nglobs: "**/*.rs"\nfileContains: "${MARK} {"\n---\nFor Rust ${MARK}.`,
}

const incomparable = "a blocked call has another result"

let lab: Lab
let folder: string
beforeAll(async () => {
  lab = await startLab()
  folder = join(lab.root, "state/opencode/rulebook/receipts")
})
afterAll(() => lab.stop())

type Line = Readonly<Record<string, unknown>> & { readonly kind: string; readonly request: number }

function linesOf(sessionID: string): readonly Line[] {
  const path = join(folder, `${sessionID}.jsonl`)
  if (!existsSync(path)) return []
  return readFileSync(path, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line)
}

async function play(project: Project) {
  const session = await project.session()
  await session.prompt(`look at ${MARK}`, [
    call("read", { filePath: project.path("src/main.rs") }),
    call("write", { filePath: project.path("secret.txt"), content: MARK }),
    say("done"),
  ])
  await session.prompt("and now?", [say("nothing")])
  return session
}

test("a session's receipts say which request carried each rule and why, without a text, and cost no request", async () => {
  const files = { "src/main.rs": `fn main() {\n    ${MARK} { x() }\n}\n` }
  const runs = await playIn(await openPair(lab, { rules: RULES, files }), play, { incomparable })
  const { id } = runs.result
  await until(
    async () =>
      linesOf(id).filter(({ kind }) => kind === "verdicts").length >= 1 &&
      linesOf(id).some(({ kind, request }) => kind === "request" && request === 4),
  )
  const lines = linesOf(id)
  const short = lines.map(({ v: _v, at: _at, kind, request, ...rest }) => ({ request, kind, ...rest }))
  expect(short.filter(({ kind }) => kind === "session")).toMatchObject([
    { request: 0, begins: true, sessionID: id, directory: runs.project.directory, host: "OpenCode 1", broken: [] },
  ])
  expect(short.filter(({ kind }) => kind === "request")).toMatchObject([
    { request: 1, prompted: true, did: [], agent: "build", model: "lab/plain" },
    { request: 2, prompted: false, did: [{ tool: "read", paths: ["src/main.rs"] }] },
    { request: 3, prompted: false, did: [{ tool: "write", paths: ["secret.txt"], stopped: true }] },
    { request: 4, prompted: true, did: [] },
  ])
  const by = (kind: string): object[] => short.filter((line) => line.kind === kind).map(({ kind: _, ...rest }) => rest)
  expect(by("delivered")).toMatchObject([
    { request: 1, rule: "project:always.md", how: "stored", reason: "matched", count: 1 },
    { request: 2, rule: "project:rust.md", how: "stored", reason: "matched", count: 1 },
    { request: 3, rule: "project:guard.md", how: "stored", reason: "hook", count: 1 },
  ])
  expect(by("transient")).toMatchObject([{ request: 1, rule: "project:build.md", isOn: true, reason: "matched" }])
  expect(by("stopped")).toEqual([
    { request: 2, rule: "project:guard.md", reason: "blocked", tool: "write", paths: ["secret.txt"] },
  ])
  expect(by("verdicts")).toEqual([
    {
      request: 3,
      rules: {
        "project:build.md": [{ family: "agent", met: true, seen: "build" }],
        "project:rust.md": [{ family: "file", met: true, seen: "src/main.rs" }],
      },
    },
  ])
  const path = join(folder, `${id}.jsonl`)
  expect(readFileSync(path, "utf8")).not.toContain(MARK)
  expect([statSync(folder).mode & 0o777, statSync(path).mode & 0o777]).toEqual([0o700, 0o600])

  await runs.project.client().session.delete({ sessionID: id })
  await until(async () => !existsSync(path))
})

test("with the option off there are none", async () => {
  const before = existsSync(folder) ? await readdir(folder) : []
  const files = { "src/main.rs": `fn main() {\n    ${MARK} { x() }\n}\n` }
  const pair = await openPair(lab, { rules: RULES, files, rulebook: { receipts: false } })
  const { requests, result } = await playIn(pair, play, { incomparable })
  expect(requests.at(-1)?.conversation).toContain(`For Rust ${MARK}.`)
  await lab.restart()
  expect(linesOf(result.id)).toEqual([])
  expect((await readdir(folder).catch(() => [])).filter((name) => !before.includes(name))).toEqual([])
})
