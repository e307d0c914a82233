import { expect, test } from "bun:test"
import type { Paint } from "./io.ts"
import { type Column, formatLines, formatTable, type Line, type Row } from "./table.ts"

const plain: Paint = (_, text) => text
const marked: Paint = (style, text) => `<${style}>${text}</>`

const cell = (...texts: readonly string[]): readonly Line[] => texts.map((text) => ({ text }))

test("columns are as wide as their widest line, numbers to the right, and no line ends with spaces", () => {
  const columns: readonly Column[] = [{ head: "name" }, { head: "count", align: "right" }, { head: "note" }]
  const rows: readonly Row[] = [
    [cell("a"), cell("1"), cell("one", "of several lines")],
    [cell("longer"), cell("1,234,567"), []],
    [[], [], []],
    [cell("漢字", "x"), cell("2"), cell("")],
  ]
  expect(formatTable(columns, rows, 10, plain)).toBe(
    [
      "name        count  note",
      "a               1  one",
      "                   of several lines",
      "longer  1,234,567",
      "",
      "漢字            2",
      "x",
    ].join("\n"),
  )
})

test("a line across all columns is wrapped at the table's width", () => {
  const columns: readonly Column[] = [{ head: "name" }, { head: "note" }]
  const rows: readonly Row[] = [
    [cell("abcdef"), cell("ghijklmn")],
    { text: "a line that is as wide", hang: 2, style: "bold" },
  ]
  expect(formatTable(columns, rows, 99, plain)).toBe(
    ["name    note", "abcdef  ghijklmn", "a line that is", "  as wide"].join("\n"),
  )
  expect(formatTable(columns, [{ text: "1234567890 1234" }], 99, plain)).toBe("name  note\n1234567890\n1234")
})

test("styles are of the text alone", () => {
  const columns: readonly Column[] = [{ head: "a" }, { head: "b", align: "right" }, { head: "c" }]
  const rows: readonly Row[] = [
    [[{ text: "one", style: "green" }], [{ text: "two", style: "red" }, { text: "2" }], cell("three")],
    { text: "all", style: "yellow" },
  ]
  expect(formatTable(columns, rows, 99, marked)).toBe(
    ["<dim>a</>      <dim>b</>  <dim>c</>", "<green>one</>  <red>two</>  three", "       2", "<yellow>all</>"].join(
      "\n",
    ),
  )
})

test("columns with a share have the room that is left, and what one does not need is the others'", () => {
  const text = "word word word word word word word word word word"
  const starts = (columns: readonly Column[], cells: readonly string[], width: number) => {
    const [head = ""] = formatTable(columns, [cells.map((each) => cell(each))], width, plain).split("\n")
    return columns.map(({ head: name }) => head.indexOf(name))
  }
  const shares = (...own: readonly (number | undefined)[]) =>
    own.map((share, index): Column => ({ head: "abc"[index] ?? "", ...(share !== undefined && { share }) }))
  // Two parts of three are 37 of 56.
  expect(starts(shares(1, 2), [text, text], 60)).toEqual([0, 21])
  expect(starts(shares(2, 1, undefined), [text, text, "fixed"], 60)).toEqual([0, 34, 53])
  expect(starts(shares(2, 1, undefined), ["a little more", text, "fixed"], 60)).toEqual([0, 15, 53])
  expect(starts(shares(1, 1, 1), ["not much", text, "also short"], 60)).toEqual([0, 10, 48])
  // None is narrower than eight, however narrow the terminal.
  expect(starts(shares(1, 1, undefined), ["short", text, "fixed"], 10)).toEqual([0, 10, 20])
})

test("cells are wrapped at words, long paths anywhere", () => {
  const columns: readonly Column[] = [
    { head: "rule", share: 1 },
    { head: "file", share: 1 },
    { head: "n", align: "right" },
  ]
  const rows: readonly Row[] = [
    [[{ text: "How handlers report errors", hang: 2 }], cell("project:packages/api/handlers.md"), cell("7")],
    [cell("b"), cell("c"), cell("8")],
  ]
  expect(formatTable(columns, rows, 40, plain)).toBe(
    [
      "rule              file               n",
      "How handlers      project:packages/  7",
      "  report errors   api/handlers.md",
      "b                 c                  8",
    ].join("\n"),
  )
})

test("lines are wrapped, the first one indented, the others further in", () => {
  const lines = (width: number, ...given: readonly Line[]) => formatLines(given, width, marked).split("\n")
  expect(lines(12, { text: "one two three four" })).toEqual(["one two", "three four"])
  expect(lines(12, { text: "one two three four five", indent: 2, hang: 2 })).toEqual([
    "  one two",
    "    three",
    "    four",
    "    five",
  ])
  expect(lines(12, { text: "one two three", style: "dim", indent: 1 }, { text: "" }, { text: "x", hang: 9 })).toEqual([
    "<dim> one two</>",
    "<dim> three</>",
    "",
    "x",
  ])
  expect(lines(8, { text: "12345678" }, { text: "123456789", hang: 1 })).toEqual(["12345678", "12345678", " 9"])
  // Two columns each, and one letter of two characters.
  expect(lines(6, { text: "漢字漢字" }, { text: "cafe\u0301 cafe\u0301 x" })).toEqual([
    "漢字漢",
    "字",
    "café",
    "café x",
  ])
})

test("spaces around a text are not shown, and no terminal is too narrow", () => {
  expect(formatLines([{ text: "  a path/x.ts " }], 20, plain)).toBe("a path/x.ts")
  expect(formatLines([{ text: "abc", indent: 4 }], 3, plain)).toBe("    a\n    b\n    c")
  expect(formatTable([{ head: "a" }], [[[{ text: "b", indent: 4 }]]], 3, plain)).toBe("a\n    b")
})
