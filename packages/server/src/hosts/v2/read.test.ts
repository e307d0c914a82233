import { describe, expect, test } from "bun:test"
import type { ToolCall } from "./host.ts"
import { isSurelyWhole, numberedRuns, readRecord, shownText, surelySeen, type TextRecord, textOfRuns } from "./read.ts"

test.each<[what: string, lines: readonly string[], isWhole: boolean]>([
  ["200 lines", Array.from({ length: 200 }, () => "x"), true],
  ["201 lines", Array.from({ length: 201 }, () => "x"), false],
  ["8,192 characters with the line's end", ["x".repeat(8191)], true],
  ["one more", ["x".repeat(8192)], false],
  ["8,192 characters in two lines", ["x".repeat(4095), "x".repeat(4095)], true],
  ["one more in two lines", ["x".repeat(4095), "x".repeat(4096)], false],
])("whether a host may cut a text of %s", (_what, lines, isWhole) => {
  expect(isSurelyWhole({ kind: "text", lines, first: 1, isNumbered: false, isPage: false })).toBe(isWhole)
})

const read = (rest: Partial<ToolCall>): ToolCall => ({
  tool: "read",
  sessionID: "ses_1",
  input: { path: "a.ts" },
  ...rest,
})
const record = (lines: readonly string[], more: Partial<TextRecord> = {}): TextRecord => {
  return { kind: "text", lines, first: 1, isPage: false, isNumbered: false, ...more }
}

describe("the record of a Read", () => {
  const file = { type: "file", content: "one\ntwo\n", encoding: "utf8" }
  const text = record(["one", "two", ""])
  const shown = "Read file a.ts, lines 7-8\n7: seven\n8: eight"
  const page = record(["seven", "eight"], { first: 7, isPage: true, isNumbered: true })
  test.each<[what: string, call: Partial<ToolCall>, record: ReturnType<typeof readRecord>]>([
    ["on the stable line", { result: { output: file, content: [] } }, { ...text, isNumbered: true }],
    ["in July", { output: { structured: file, content: [] } }, text],
    ["in July, by its result", { result: { type: "json", value: file } }, text],
    ["as a structured result", { result: { structured: file } }, text],
    ["as the result itself", { result: file }, text],
    [
      "of both lines",
      { result: { output: file }, output: { structured: { content: "other" } } },
      { ...text, isNumbered: true },
    ],
    [
      "that is a page",
      { result: { output: { ...file, offset: 7 } } },
      { ...text, first: 7, isPage: true, isNumbered: true },
    ],
    ["that is cut", { result: { output: { ...file, truncated: true } } }, { ...text, isPage: true, isNumbered: true }],
    ["that goes on", { result: { output: { ...file, next: 3 } } }, { ...text, isPage: true, isNumbered: true }],
    ["that is whole", { result: { output: { ...file, offset: 1, truncated: false } } }, { ...text, isNumbered: true }],
    ["with an offset of nothing", { result: { output: { ...file, offset: 0 } } }, { ...text, isNumbered: true }],
    [
      "with an offset that is no number",
      { result: { output: { ...file, offset: "7" } } },
      { ...text, isNumbered: true },
    ],
    ["of an image", { result: { output: { content: "AAAA", encoding: "base64" } } }, { kind: "no text" }],
    ["of a directory", { result: { output: { entries: [], content: "x" } } }, { kind: "directory" }],
    ["of a directory in July", { output: { structured: { entries: [] } } }, { kind: "directory" }],
    ["that is missing, a page being shown", { result: { content: [{ type: "text", text: shown }] } }, page],
    [
      "that is missing, a directory being shown",
      { result: "Read directory src, entries 1-1\n1: a.rs" },
      { kind: "directory" },
    ],
    [
      "that is missing, a heading alone being shown",
      { result: { content: [{ type: "text", text: "Read file a.ts" }] } },
      { kind: "no text" },
    ],
    [
      "that is missing, and numbers without a heading",
      { result: { content: [{ type: "text", text: "7: seven" }] } },
      { kind: "no text" },
    ],
    ["that is missing, a text being the result", { result: "7: seven\n" }, record(["7: seven", ""])],
    [
      "that is missing, a text being in the result",
      { result: { type: "text", value: "one\ntwo" } },
      record(["one", "two"]),
    ],
    [
      "that is missing, a heading not being at the start",
      { result: "# Read file a.ts\n7: x" },
      record(["# Read file a.ts", "7: x"]),
    ],
    [
      "that is missing, a directory not being at the start",
      { result: "# Read directory a" },
      record(["# Read directory a"]),
    ],
    [
      "that is missing, and no text",
      { result: { type: "content", value: [{ type: "text", text: "one" }] } },
      { kind: "no text" },
    ],
    ["that is missing, like everything", {}, { kind: "no text" }],
  ])("%s", (_what, call, expected) => {
    expect(readRecord(read(call))).toEqual(expected)
  })
})

test.each<[what: string, lines: readonly string[], shown: string, runs: string[][]]>([
  ["all, below a heading", ["a", "b"], "Read file\n1: a\n2: b", [["a", "b"]]],
  ["a gap", ["a", "b", "c"], "1: a\n3: c", [["a"], ["c"]]],
  ["a line of which the host shows a part", ["abc", "d"], "1: ab\n2: d", [["ab"], ["d"]]],
  ["a line that is another's", ["abc", "d"], "1: x\n2: d", [["d"]]],
  ["the empty line behind the last line's end", ["a", ""], "1: a", [["a", ""]]],
  ["no such line where the line before it is not shown", ["a", "b", ""], "1: a", [["a"]]],
  ["no empty line in between without its number", ["a", "", "b"], "1: a\n3: b", [["a"], ["b"]]],
  ["an empty line with its number", ["a", "", "b"], "1: a\n2: \n3: b", [["a", "", "b"]]],
  ["nothing of a number inside a line", ["a"], "line 1: a", []],
  ["nothing", ["a"], "2: a", []],
])("the lines that a text shows by their numbers: %s", (_what, lines, shown, runs) => {
  expect(numberedRuns(record(lines), shown)).toEqual(runs)
})

test("a page's lines have the numbers of the file", () => {
  expect(numberedRuns(record(["a", "b"], { first: 9 }), "1: a\n9: a\n10: b")).toEqual([["a", "b"]])
})

test("what is surely seen is what numbered lines show, or all of it where none are shown", () => {
  const lines = ["one", "two", "three"]
  expect(surelySeen(record(lines), undefined)).toBe("one\ntwo\nthree")
  expect(surelySeen(record(lines), "no numbers")).toBe("one\ntwo\nthree")
  expect(surelySeen(record(lines), "1: one\n3: three")).toBe("one\0three")
})

describe("runs of lines as one content", () => {
  const note = "... (line truncated to 2000 chars)"
  const cut = (length: number) => "x".repeat(length)
  test.each<[what: string, runs: string[][], content: string]>([
    ["are apart", [["a", "b"], ["c"]], "a\nb\0c"],
    ["of nothing", [], ""],
    [
      "with a line that the host cut: nothing matches across the cut",
      [["a", cut(2000) + note, "b"]],
      `a\n${cut(2000)}\0b`,
    ],
    ["that end with such a line", [["a", cut(2000) + note]], `a\n${cut(2000)}`],
    ["with a note inside a line", [[`${cut(2000)}${note}.`, "b"]], `${cut(2000)}${note}.\nb`],
    ["with a line of 1,001 characters", [[cut(1_001 - note.length) + note, "b"]], `${cut(1_001 - note.length)}\0b`],
    [
      "with a line that is too short to be cut",
      [[cut(1_000 - note.length) + note, "b"]],
      `${cut(1_000 - note.length)}${note}\nb`,
    ],
  ])("%s", (_what, runs, content) => {
    expect(textOfRuns(runs)).toBe(content)
  })
})

test("what a result shows is its text, its value's, or the texts of its parts", () => {
  const parts = [{ type: "text", text: "a" }, { type: "file" }, { type: "text", text: "b" }]
  expect(
    [
      "x",
      { value: "y" },
      { content: parts, value: [] },
      { value: parts },
      { content: "x" },
      { value: 5 },
      undefined,
    ].map(shownText),
  ).toEqual(["x", "y", "a\nb", "a\nb", undefined, undefined, undefined])
})
