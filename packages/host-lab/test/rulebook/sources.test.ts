import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { join } from "node:path"
import { call, type Lab, say, startLab } from "../../src/index.ts"
import { arrivals, rule } from "./observations.ts"
import { counts, playFree } from "./support.ts"

setDefaultTimeout(180_000)

let lab: Lab
beforeAll(async () => {
  lab = await startLab()
  await Bun.write(join(lab.env["HOME"] ?? lab.root, ".claude/rules/own.md"), "Follow own.")
})
afterAll(() => lab.stop())

test("rules of other tools are read in place, in their tools' meaning", async () => {
  const files = {
    "src/a.rs": "fn a() {}\n",
    "docs/b.md": "# B\n",
    ".cursor/rules/rust.mdc": rule("rust", "description: Rust\nglobs: *.rs\nalwaysApply: false"),
    ".claude/rules/docs.md": rule("docs", "paths:\n  - docs/**"),
    ".github/instructions/all.instructions.md": rule("all", "applyTo: '**'"),
    ".windsurf/rules/on.md": rule("on", "trigger: always_on\nglobs: nothing"),
    ".kiro/steering/match.md": rule("match", "inclusion: fileMatch\nfileMatchPattern: src/*.rs"),
    ".clinerules/cline.md": "Follow cline.",
    ".clinerules/workflows/flow.md": "Follow flow.",
    ".continue/rules/cont.md": rule("cont", "globs: docs/**\nalwaysApply: false"),
  }
  const rulesOf = ["cursor", "claude", "copilot", "windsurf", "kiro", "cline", "continue"]
  const requests = await playFree(lab, { files, rulebook: { rulesOf } }, async (project) => {
    const session = await project.session()
    const read = (path: string) => call("read", { filePath: project.path(path) })
    return (await session.prompt("go", [read("src/a.rs"), read("docs/b.md"), say("done")])).requests
  })
  expect(arrivals(requests)).toEqual([
    ["all", "cline", "on", "own"],
    ["match", "rust"],
    ["cont", "docs"],
  ])
})

test("rules on request come as one index with the first request, once, also after a restart", async () => {
  const rules = {
    "release.md": rule("release", "description: How we release\nalwaysApply: false"),
    "db.md": rule("db", "description: Database migrations\nglobs:"),
    "rust.md": rule("rust", "globs: '*.rs'"),
  }
  const requests = await playFree(lab, { rules, files: { "a.rs": "x\n" } }, async (project) => {
    const session = await project.session()
    await session.prompt("go", [call("read", { filePath: project.path("a.rs") }), say("done")])
    await project.client().instance.dispose()
    const again = await project.session(session.id)
    await again.prompt("on", [say("done")])
    return project.requests().filter(({ kind }) => kind === "dispatch")
  })
  for (const line of [
    "- release: How we release (.opencode/rules/release.md)",
    "- db: Database migrations (.opencode/rules/db.md)",
  ]) {
    expect(counts(requests, line)).toEqual([1, 1, 1])
  }
  expect(counts(requests, '<rule name="Rules on request">')).toEqual([1, 1, 1])
  expect(arrivals(requests)).toEqual([[], ["rust"], []])
})

test("a nested folder's rules come with the first file below it, start there, and stay", async () => {
  const files = {
    "src/x.ts": "x\n",
    "packages/api/src/a.ts": "x\n",
    "packages/api/.opencode/rules/always.md": "Follow always.",
    "packages/api/.opencode/rules/own.md": rule("own", "globs: src/*.ts"),
    "packages/web/.opencode/rules/web.md": "Follow web.",
    "packages/web/src/b.ts": "x\n",
  }
  const rules = { "root.md": rule("root", "globs: 'src/*.ts'") }
  const requests = await playFree(lab, { files, rules }, async (project) => {
    const session = await project.session()
    const read = (path: string) => call("read", { filePath: project.path(path) })
    await session.prompt("go", [read("src/x.ts"), read("packages/api/src/a.ts"), say("done")])
    await session.prompt("on", [read("packages/web/src/b.ts"), say("done")])
    return session.requests()
  })
  expect(arrivals(requests)).toEqual([[], ["root"], ["always", "own"], [], ["web"]])
})
