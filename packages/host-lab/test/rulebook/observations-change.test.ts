import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { call, calls, type Lab, startLab } from "../../src/index.ts"
import { observe, results } from "./observations.ts"
import { openPair, type Pair } from "./support.ts"

setDefaultTimeout(180_000)

let lab: Lab
let pair: Pair
beforeAll(async () => {
  lab = await startLab()
  pair = await openPair(lab, { rules: {} })
})
afterAll(() => lab.stop())

test("a Write gives what was written, not what stood there or what the host says of it", async () => {
  const rules = {
    written: "globs: src/new.rs\nfileContains: unsafe {",
    markup: 'fileContains: "1: numbered"',
    before: "fileContains: stood there",
    message: "fileContains: Wrote file",
    elsewhere: "globs: '*.md'\nfileContains: unsafe {",
  }
  const { arrived, requests } = await observe(pair, { files: { "old.txt": "stood there\n" }, rules }, (project) => [
    call("write", { filePath: project.path("src/new.rs"), content: "unsafe { x() }\n" }),
    call("write", { filePath: project.path("old.txt"), content: "1: numbered\n" }),
    call("write", { filePath: project.path("a.md"), content: "" }),
  ])
  expect(results(requests, 2)[0]).toContain("Wrote file")
  expect(arrived).toEqual([[], ["written"], ["markup"], []])
})

test("an Edit gives both sides and nothing around them", async () => {
  const files = { "src/a.ts": "untouched()\nlegacy()\n", "src/b.ts": "twice()\ntwice()\n" }
  const rules = {
    removed: "globs: src/a.ts\nfileContains: legacy()",
    added: "globs: src/a.ts\nfileContains: modern()",
    joint: "fileContains: legacy()modern()",
    around: "fileContains: untouched()",
    message: 'fileContains: ["Edit applied", "@@", "+++"]',
    everywhere: "fileContains: thrice()",
  }
  const { arrived, requests } = await observe(pair, { files, rules }, (project) => [
    call("edit", { filePath: project.path("src/a.ts"), oldString: "legacy()", newString: "modern()" }),
    call("edit", { filePath: project.path("src/b.ts"), oldString: "twice()", newString: "thrice()", replaceAll: true }),
  ])
  expect(results(requests, 1)[0]).toContain("Edit applied")
  expect(arrived).toEqual([[], ["added", "removed"], ["everywhere"]])
})

test("a patch gives each file its own lines: added, changed, moved, deleted", async () => {
  const files = {
    "src/a.txt": "fn anchor\nkept\nold line\n",
    "src/from.rs": "move me\nand this\n",
    "src/gone.rs": "deleted text\n",
    "src/still.rs": "stays still\n",
  }
  const patchText = [
    "*** Begin Patch",
    "*** Add File: src/added.rs",
    "+fn added() {",
    "+*** Delete File: src/still.rs",
    "*** Update File: src/a.txt",
    "@@ fn anchor",
    " kept",
    "-old line",
    "+new line",
    "*** Update File: src/from.rs",
    "*** Move to: src/to.rs",
    "@@",
    "-move me",
    "+moved",
    "*** Delete File: src/gone.rs",
    "*** End Patch",
  ].join("\n")
  const rules = {
    added: 'globs: src/added.rs\nfileContains: "fn added() {\\n*** Delete File: src/still.rs"',
    context: 'globs: src/a.txt\nfileContains: "kept\\nold line"',
    changed: 'globs: src/a.txt\nfileContains: "kept\\nnew line"',
    joint: 'fileContains: "old line\\nnew line"',
    removed: "globs: src/to.rs\nfileContains: move me",
    moved: "globs: src/to.rs\nfileContains: moved",
    left: "globs: src/from.rs",
    unshown: "fileContains: [and this, stays still]",
    gone: "globs: src/gone.rs",
    deleted: "fileContains: deleted text",
    crossed: "globs: src/added.rs\nfileContains: new line",
    named: "globs: src/still.rs",
    syntax: 'fileContains: ["*** Begin", "*** Add", "*** Move", "@@", "fn anchor", "+new", "-old", "Success"]',
  }
  const { arrived, requests } = await observe(pair, { files, rules, model: "gpt-5-lab" }, () => [
    call("apply_patch", { patchText }),
  ])
  expect(results(requests, 1)[0]).toStartWith("Success. Updated the following files:")
  expect(arrived).toEqual([[], ["added", "changed", "context", "gone", "moved", "removed"]])
})

test("parallel patches and one that fails: only what was applied counts", async () => {
  const patch = (...lines: string[]) =>
    call("apply_patch", { patchText: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") })
  const rules = {
    one: "globs: one.txt",
    two: "fileContains: second",
    failed: "globs: three.txt",
    wrong: "fileContains: wrong",
  }
  const { arrived, requests } = await observe(
    pair,
    { files: { "three.txt": "x\n" }, rules, model: "gpt-5-lab" },
    () => [
      calls(
        patch("*** Add File: one.txt", "+first"),
        patch("*** Add File: two.txt", "+second"),
        patch("*** Update File: three.txt", "@@", "-wrong", "+worse"),
        call("write", { filePath: "three.txt", content: "wrong" }),
      ),
      call("apply_patch", { patchText: "*** Begin Patch\n*** End Patch" }),
    ],
  )
  expect(results(requests, 1)[2]).toContain("verification failed")
  expect(arrived).toEqual([[], ["one", "two"], []])
})
