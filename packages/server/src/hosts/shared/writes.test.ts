import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import patchCases from "../../../test/recordings/opencode-1.18.33/patch-cases.json"
import v1Calls from "../../../test/recordings/opencode-1.18.33/tool-execute-after.json"
import v2Calls from "../../../test/recordings/opencode-2-preview/tool-hooks.json"
import { hunksOf, type LineChange, side } from "../../../test/support/changes.ts"
import { runs } from "../../../test/support/runs.ts"
import { type FileWrite, gain, timesIn } from "../../engine/file-write.ts"
import { withDiffs, writesOf } from "./writes.ts"

const patch = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n")
const writesOfPatch = (...lines: string[]) => writesOf("apply_patch", { patchText: patch(...lines) })
/** `path: kind +gain` of one literal in each file. */
const gains = (writes: readonly FileWrite[], literal: string) =>
  writes.map((write) => `${write.path}: ${write.kind} ${gain(write, literal)}`)

describe("what a call writes", () => {
  for (const [name, tool, args, expected] of [
    ["write on v1", "write", { filePath: "/p/a.ts", content: "x x" }, ["/p/a.ts: write 2"]],
    ["write on v2", "write", { path: "a.ts", content: "x" }, ["a.ts: write 1"]],
    ["an empty file", "write", { path: "a.ts", content: "" }, ["a.ts: write 0"]],
    ["edit on v1", "edit", { filePath: "a.ts", oldString: "y", newString: "x y x" }, ["a.ts: edit 2"]],
    ["edit on v2", "edit", { path: "a.ts", oldString: "x", newString: "y" }, ["a.ts: edit -1"]],
    ["what an edit repeats", "edit", { path: "a", oldString: "x\ny", newString: "x\nz" }, ["a: edit 0"]],
    ["an edit of nothing", "edit", { path: "a", oldString: "", newString: "x" }, ["a: write 1"]],
    ["no path", "write", { content: "x" }, []],
    ["an empty path", "edit", { filePath: "", oldString: "a", newString: "x" }, []],
    ["no content", "write", { path: "a.ts" }, []],
    ["a content that is no text", "write", { path: "a.ts", content: ["x"] }, []],
    ["an edit without its old text", "edit", { path: "a", newString: "x" }, []],
    ["an edit without its new text", "edit", { path: "a", oldString: "x" }, []],
    ["an edit that changes nothing", "edit", { path: "a", oldString: "x", newString: "x" }, []],
    ["an empty patch", "patch", { patchText: patch() }, []],
    ["no patch", "patch", {}, []],
    ["no arguments", "write", undefined, []],
    ["a read", "read", { filePath: "a.ts" }, []],
    ["another tool", "my_write", { path: "a.ts", content: "x" }, []],
  ] as const) {
    test(name, () => expect(gains(writesOf(tool, args), "x")).toEqual([...expected]))
  }
})

describe("file by file in a patch", () => {
  for (const [name, lines, literal, expected] of [
    [
      "text of one file is not another's",
      ["*** Add File: a", "+x", "*** Add File: b", "+y"],
      "x",
      ["a: write 1", "b: write 0"],
    ],
    ["context is not new", ["*** Update File: a", "@@", " x", "-y", "+z"], "x", ["a: edit 0"]],
    [
      "what moves inside a file is not new",
      ["*** Update File: a", "@@", "-x", " y", "@@", " z", "+x"],
      "x",
      ["a: edit 0"],
    ],
    [
      "what moves to another file is new there",
      ["*** Update File: a", "@@", "-x", "*** Update File: b", "@@", "+x"],
      "x",
      ["a: edit -1", "b: edit 1"],
    ],
    [
      "a literal over a kept and a new line is new",
      ["*** Update File: a", "@@", " if (y)", "+  x"],
      "if (y)\n  x",
      ["a: edit 1"],
    ],
    [
      "a literal over a removed and a new line is not there",
      ["*** Update File: a", "@@", "-y", "+x"],
      "y\nx",
      ["a: edit 0"],
    ],
    [
      "one that stood there before is not new",
      ["*** Update File: a", "@@", "-y", "-x", "+y", "+x", "+z"],
      "y\nx",
      ["a: edit 0"],
    ],
    ["a deleted file has nothing new", ["*** Delete File: a", "-x"], "x", ["a: delete 0"]],
    ["a replaced file is written whole", ["*** Delete File: a", "*** Add File: a", "+x"], "x", ["a: write 1"]],
    ["an updated file that goes", ["*** Update File: a", "@@", "+x", "*** Delete File: a"], "x", ["a: delete 0"]],
    ["a moved file", ["*** Update File: a", "*** Move to: b", "@@", " x", "+x"], "x", ["b: edit 1"]],
    ["a file that only moves", ["*** Update File: a", "*** Move to: b"], "x", ["b: edit 0"]],
    [
      "two updates of one file",
      ["*** Update File: a", "@@", "+x", "*** Update File: a", "@@", "-x"],
      "x",
      ["a: edit 0"],
    ],
  ] as const) {
    test(name, () => expect(gains(writesOfPatch(...lines), literal)).toEqual([...expected]))
  }

  test("each file's write, whole: what is added ends with a line break, and what two updates do is one", () => {
    const writes = writesOfPatch(
      ...["*** Add File: new", "+one", "+two", "*** Add File: blank", "+one", "+", "*** Add File: empty"],
      ...["*** Update File: old", "*** Move to: b", "@@", " x", "-y", "+z", "@@", "+w"],
      ...["*** Update File: b", "@@", "-w", "+v", "*** Delete File: gone", "-x"],
    )
    const edit = { kind: "edit", whole: undefined } as const
    expect(writes).toStrictEqual([
      { path: "new", kind: "write", whole: "one\ntwo\n", added: ["one\ntwo\n"], removed: [] },
      { path: "blank", kind: "write", whole: "one\n", added: ["one\n"], removed: [] },
      { path: "empty", kind: "write", whole: "", added: [""], removed: [] },
      {
        ...{ path: "b", movedFrom: "old", ...edit },
        ...{ added: ["x\nz\n", "w\n", "v\n"], removed: ["x\ny\n", "", "w\n"] },
      },
      { path: "gone", kind: "delete", whole: undefined, added: [], removed: [] },
    ])
  })

  test("an update that ends a move of another file to the same place keeps that one's origin", () => {
    const [write] = writesOfPatch("*** Update File: b", "@@", "+x", "*** Update File: a", "*** Move to: b", "@@", "+y")
    expect([write?.movedFrom, write?.added]).toEqual(["a", ["x\n", "y\n"]])
  })

  test("a move says from where", () => {
    expect(writesOfPatch("*** Update File: a", "*** Move to: b").map(({ movedFrom }) => movedFrom)).toEqual(["a"])
    expect(writesOfPatch("*** Update File: a", "*** Move to: a").map(({ movedFrom }) => movedFrom)).toEqual([undefined])
  })
})

test("what the host shows of a change belongs to the file of that path, however the call writes it, the last one to the file", () => {
  const diff = (line: string) => `@@ -1 +1 @@\n-x\n+${line}`
  const diffs = ["/p/ba.ts", "/p/a.ts", "/p/sub/a.ts", "/p/a.ts", "own.ts", "/p/a./b.ts"].map((path, at) => ({
    path,
    diff: diff(`${at}`),
  }))
  const shownOf = (path: string) => {
    const [write] = withDiffs(writesOf("edit", { path, oldString: "x", newString: "y" }), diffs)
    return write?.shown?.map(({ lines }) => lines.at(-1)?.text)
  }
  expect(
    ["/p/a.ts", "./sub/a.ts", "././a.ts", "a.ts", "own.ts", "./own.ts", "p/ba.ts", "b/a.ts", "s", "a./b.ts"].map(
      shownOf,
    ),
  ).toEqual([["3"], ["2"], ["3"], ["3"], ["4"], ["4"], ["0"], undefined, undefined, ["5"]])
  const writes = writesOf("write", { path: "a.ts", content: "x" })
  expect(withDiffs(writes, [])).toEqual(writes)
})

describe("a literal is counted as `fileContains` finds it", () => {
  for (const [text, literal, times] of [
    ["a\r\nb\r\na\nb", "a\nb", 2],
    ["aaa", "aa", 2],
    ["A", "a", 0],
    ["", "a", 0],
    ["a.b", ".", 1],
  ] as const) {
    test(JSON.stringify([text, literal]), () => expect(timesIn(text, literal)).toBe(times))
  }
})

describe("recorded calls", () => {
  const recorded = [
    ...v1Calls.map(({ input }) => ({ tool: input.tool, args: input.args as unknown })),
    ...v2Calls.flatMap(({ event }) => ("tool" in event ? [{ tool: event.tool, args: event.input as unknown }] : [])),
  ].filter(({ tool }) => ["write", "edit", "apply_patch", "patch"].includes(tool ?? ""))

  test("each writes a file at least", () => {
    expect(recorded.length).toBeGreaterThan(8)
    for (const { tool, args } of recorded) expect(writesOf(tool ?? "", args).length).toBeGreaterThan(0)
  })

  // Of these the host leaves parts out, without a word; in the last one it takes typographic quotes for plain ones.
  const partly = new Set([
    ...["no @@ header first hunk", "update without header then indented end", "indented @@", "EOF marker then more"],
    ...["same file twice", "update then move", "unicode fuzzy"],
  ])
  const applied = patchCases.filter(({ name, status }) => status === "completed" && !partly.has(name))
  test.each(applied.map((call) => [call.name, call] as const))("%s: the files change by what is new", (_name, call) => {
    const before: Readonly<Record<string, string | undefined>> = call.before
    const after: Readonly<Record<string, string | undefined>> = call.after
    const writes = new Map(writesOf("apply_patch", { patchText: call.patchText }).map((write) => [write.path, write]))
    for (const [path, text = ""] of Object.entries(after)) {
      const write = [...writes.values()].find((one) =>
        path.endsWith(one.path.replace(/^.*\/(?=c\d+\/)/, "").replace("./", "")),
      )
      const was = before[write?.movedFrom ?? path] ?? ""
      for (const literal of new Set([...was.split(/\r?\n/), ...text.split(/\r?\n/)])) {
        if (literal === "") continue
        const change =
          write === undefined
            ? 0
            : write.whole === undefined
              ? gain(write, literal)
              : timesIn(write.whole, literal) - timesIn(was, literal)
        expect([path, literal, change]).toEqual([path, literal, timesIn(text, literal) - timesIn(was, literal)])
      }
    }
  })
})

describe("new text, against whole texts before and after", () => {
  /** A literal of so many line breaks is seen whole in pieces with as many lines of context. */
  const CONTEXT = 2
  const line = fc.constantFrom("", "x", "y", "xx", "  x", "xy x", "z")
  const changes = fc.array(
    fc.record({ sign: fc.constantFrom<LineChange["sign"]>(" ", " ", " ", "+", "-"), text: line }),
    {
      minLength: 1,
      maxLength: 25,
    },
  )
  const literal = fc
    .array(line, { minLength: 1, maxLength: CONTEXT + 1 })
    .map((lines) => lines.join("\n"))
    .filter((text) => text !== "")
  const change = (all: readonly LineChange[], wanted: string) =>
    timesIn(side(all, "+"), wanted) - timesIn(side(all, "-"), wanted)

  test("in patches of several files", () => {
    fc.assert(
      fc.property(
        fc.array(changes, { minLength: 1, maxLength: 3 }),
        literal,
        fc.boolean(),
        (files, wanted, isWindows) => {
          const changed = files.filter((all) => all.some(({ sign }) => sign !== " "))
          const sections = changed.flatMap((all, at) => [
            `*** Update File: ${at}`,
            ...hunksOf(all, CONTEXT).flatMap(({ lines }) => ["@@", ...lines.map(({ sign, text }) => sign + text)]),
          ])
          const patchText = patch(...sections).replaceAll("\n", isWindows ? "\r\n" : "\n")
          const found = writesOf("patch", { patchText }).map((write) => gain(write, wanted))
          expect(found).toEqual(changed.map((all) => change(all, wanted)))
        },
      ),
      { numRuns: runs(1000) },
    )
  })

  test("in edits of whole lines, and Writes", () => {
    fc.assert(
      fc.property(changes, literal, (all, wanted) => {
        const [before, after] = [side(all, "-"), side(all, "+")]
        const first = all.findIndex(({ sign }) => sign !== " ")
        // One that replaces all around its first and its last change.
        const last = all.findLastIndex(({ sign }) => sign !== " ")
        const edited = first < 0 ? [] : all.slice(Math.max(0, first - CONTEXT), last + CONTEXT + 1)
        const [oldString, newString] = [side(edited, "-"), side(edited, "+")]
        const [edit] = writesOf("edit", { path: "a", oldString, newString })
        if (first >= 0 && oldString !== newString && oldString !== "")
          expect(gain(edit as FileWrite, wanted)).toBe(change(all, wanted))
        const [write] = writesOf("write", { filePath: "a", content: after })
        expect(timesIn(write?.whole ?? "", wanted) - timesIn(before, wanted)).toBe(change(all, wanted))
      }),
      { numRuns: runs(1000) },
    )
  })

  test("whatever the arguments are, nothing throws", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("write", "edit", "patch", "apply_patch"),
        fc.anything(),
        fc.string(),
        (tool, args, patchText) => {
          writesOf(tool, args)
          writesOf(tool, { patchText: `*** Begin Patch\n${patchText}\n*** End Patch` })
        },
      ),
      { numRuns: runs(500) },
    )
  })
})
