import { describe, expect, test } from "bun:test"
import v1Calls from "../../../test/recordings/opencode-1.18.33/tool-execute-after.json"
import v2Calls from "../../../test/recordings/opencode-2-preview/tool-hooks.json"
import { gain, lineIn, shownLine } from "../../engine/file-write.ts"
import { diffsOf, hunksOf } from "./unified-diff.ts"
import { field } from "./untyped.ts"
import { withDiffs, writesOf } from "./writes.ts"

/** A hunk's lines as text. */
const shown = (diff: string) =>
  hunksOf(diff).map(({ start, lines }) => [start, ...lines.map(({ sign, text }) => sign + text)])

describe("a unified diff", () => {
  for (const [name, diff, expected] of [
    ["one line", ["--- a", "+++ a", "@@ -1 +1 @@", "-x", "+y"], [[1, "-x", "+y"]]],
    ["counts", ["@@ -3,2 +4,3 @@ fn x()", " a", " b", "+c", "trailing"], [[4, " a", " b", "+c"]]],
    [
      "two hunks",
      ["@@ -1 +1,2 @@", " a", "+b", "@@ -9 +10 @@", "-c", "+d"],
      [
        [1, " a", "+b"],
        [10, "-c", "+d"],
      ],
    ],
    [
      "lines like syntax",
      ["@@ -1,2 +1,2 @@", "-@@ -1 +1 @@", "--- a", "+@@ -2 +2 @@", "+++ a"],
      [[1, "-@@ -1 +1 @@", "--- a", "+@@ -2 +2 @@", "+++ a"]],
    ],
    ["no newline at the end", ["@@ -1 +1 @@", "-x", "\\ No newline at end of file", "+y"], [[1, "-x", "+y"]]],
    ["carriage returns", ["@@ -1 +1 @@", "-x\r", "+y\rz\r"], [[1, "-x", "+y\rz"]]],
    [
      "more than nine lines",
      ["@@ -10,11 +12,12 @@", ...Array(11).fill(" a"), "+b", "trailing"],
      [[12, ...Array(11).fill(" a"), "+b"]],
    ],
    [
      "a removed line at the end",
      ["@@ -1,3 +1,2 @@", "-x", "+y", " a", "-z", "trailing"],
      [[1, "-x", "+y", " a", "-z"]],
    ],
    ["lines removed behind added ones", ["@@ -1,2 +1 @@", "+y", "-x", "-z", "trailing"], [[1, "+y", "-x", "-z"]]],
    ["a heading inside a line", ["+++ a @@ -1 +1 @@", "-x", "+y"], []],
    ["cut off", ["@@ -1,9 +1,9 @@", " x"], [[1, " x"]]],
    ["nothing", [""], []],
  ] as const) {
    test(name, () => expect(shown(diff.join("\n"))).toEqual(expected.map((hunk) => [...hunk])))
  }
})

test("the record of an Edit, and of a patch: each file with a path and a diff, where it stands afterwards", () => {
  const record = {
    filediff: { file: "/p/a.ts", patch: "A" },
    files: [
      { filePath: "/p/b.ts", relativePath: "b.ts", patch: "B" },
      { filePath: "/p/c.ts", movePath: "/p/d.ts", patch: "D" },
      { file: "e.ts", patch: "E" },
      { file: "f.ts" },
      { patch: "G" },
    ],
  }
  expect(diffsOf(record)).toEqual([
    { path: "/p/a.ts", diff: "A" },
    { path: "/p/b.ts", diff: "B" },
    { path: "/p/d.ts", diff: "D" },
    { path: "e.ts", diff: "E" },
  ])
})

describe("what the host shows of a change", () => {
  /** An edit inside a line, of which the host shows the whole. */
  const [edit] = withDiffs(writesOf("edit", { filePath: "/p/a.ts", oldString: "debug", newString: "log" }), [
    {
      path: "/p/a.ts",
      diff: "@@ -7,3 +7,3 @@\n a\n-console.debug(1)\n-console.debug(2)\n+console.log(1)\n+console.log(2)",
    },
  ])

  test("counts more than the call's own pieces", () => {
    expect(edit && [gain(edit, "console.log("), gain(edit, "console.debug("), gain(edit, "a")]).toEqual([2, -2, 0])
  })

  test("a literal over several lines is not looked for where indentation may be cut", () => {
    expect(edit && gain(edit, "console.log(1)\nconsole.log(2)")).toBe(0)
  })

  test("tells the line of a literal that is new", () => {
    const write = { shown: hunksOf("@@ -7,4 +7,5 @@\n x\n-y\n+if (z)\n+  w\n v\n") }
    for (const [literal, line] of [
      ["w", 9],
      ["x\nif (z)", 7],
      ["if (z)\n  w", 8],
      ["(z)\n  w\nv", 8],
      ["x", undefined],
      ["y", undefined],
      ["if (z)\nv", undefined],
    ] as const) {
      expect([literal, shownLine(write, literal)]).toEqual([literal, line])
    }
    expect(shownLine({}, "x")).toBeUndefined()
    expect([lineIn("a\r\nb\r\nc", "b\nc"), lineIn("a", "a"), lineIn("a", "b")]).toEqual([2, 1, undefined])
  })
})

describe("recorded results", () => {
  const results = [
    ...v1Calls.map(({ input, output }) => ({ ...input, record: field(output, "metadata") })),
    ...v2Calls.flatMap(({ event }) =>
      "output" in event ? [{ ...event, args: event.input as unknown, record: field(event.output, "structured") }] : [],
    ),
  ].filter(({ tool }) => ["edit", "apply_patch", "patch"].includes(tool ?? ""))

  test("every edit and patch shows each file's change", () => {
    expect(results.length).toBeGreaterThan(4)
    for (const { tool, args, record } of results) {
      for (const write of withDiffs(writesOf(tool ?? "", args), diffsOf(record))) {
        expect([write.path, write.shown?.length]).toEqual([write.path, 1])
        const [hunk] = write.shown ?? []
        const changed = hunk?.lines.find(({ sign }) => sign === "+")
        if (changed) expect(shownLine(write, changed.text)).toBeGreaterThan(0)
      }
    }
  })

  test("a record without changes shows none", () => {
    for (const record of [undefined, "x", {}, { files: "x" }, { files: [1, {}] }, { filediff: { file: "a" } }])
      expect(diffsOf(record)).toEqual([])
  })
})
