import { describe, expect, test } from "bun:test"
import { codeFrame } from "./code-frame.ts"

const rows: readonly [name: string, text: string, line: number, column: number, expected: string[]][] = [
  ["a word", "---\nglobs: *.rs\n", 2, 8, ["  2 | globs: *.rs", "    |        ^^^^"]],
  ["a quoted text", 'keywords: ["a b", c]', 1, 12, ['  1 | keywords: ["a b", c]', "    |            ^^^^^"]],
  ["behind a byte-order mark", "\uFEFFname: x", 1, 7, ["  1 | name: x", "    |       ^"]],
  ["tabs and controls", "a:\t\u0007b", 1, 5, ["  1 | a:\\t\\u0007b", "    |           ^"]],
  ["at the line's end", "name:", 1, 6, ["  1 | name:", "    |      ^"]],
  [
    "a text in single quotes",
    "keywords: ['it''s b', c]",
    1,
    12,
    ["  1 | keywords: ['it''s b', c]", "    |            ^^^^^^^^^"],
  ],
  ["a quote in a quoted text", 'a: "b\\" c" d', 1, 4, ['  1 | a: "b\\" c" d', "    |    ^^^^^^^"]],
  ["a word before a bracket", "a: [b]", 1, 5, ["  1 | a: [b]", "    |     ^"]],
  ["a word before a brace", "a: {b: c}", 1, 8, ["  1 | a: {b: c}", "    |        ^"]],
  ["behind the line's end", "name:", 1, 60, ["  1 | name:", "    |      ^"]],
  ["lines that end otherwise", "a\r\nb c\rd", 2, 3, ["  2 | b c", "    |   ^"]],
  ["whitespace at the end", "a: b  ", 1, 4, ["  1 | a: b", "    |    ^"]],
  ["two-digit lines", `${"\n".repeat(11)}x`, 12, 1, ["  12 | x", "     | ^"]],
]

for (const [name, text, line, column, expected] of rows) {
  test(name, () => expect(codeFrame(text, { line, column })).toEqual(expected))
}

test.each<[text: string, line: number]>([
  ["", 1],
  ["a\n\nb", 2],
  ["a\n \t\nb", 2],
  ["a", 5],
  ["a", 0],
])("no frame in %j at line %d", (text, line) => {
  expect(codeFrame(text, { line, column: 1 })).toEqual([])
})

describe("a long line", () => {
  test("is cut around the place", () => {
    expect(codeFrame(`${"a".repeat(70)} here ${"b".repeat(60)}`, { line: 1, column: 72 })).toEqual([
      `  1 | …${"a".repeat(49)} here ${"b".repeat(45)}`,
      `    |  ${" ".repeat(50)}^^^^`,
    ])
  })

  test("keeps its beginning while the place is in the first half", () => {
    const line = `${"a".repeat(49)} here ${"b".repeat(60)}`
    expect(codeFrame(line, { line: 1, column: 51 })).toEqual([
      `  1 | ${line.slice(0, 100)}`,
      `    | ${" ".repeat(50)}^^^^`,
    ])
    expect(codeFrame(`a${line}`, { line: 1, column: 52 })).toEqual([
      `  1 | …${line.slice(0, 100)}`,
      `    |  ${" ".repeat(50)}^^^^`,
    ])
  })

  test("has its mark as far as it is shown", () => {
    expect(codeFrame(`${"a".repeat(40)} ${"b".repeat(90)}`, { line: 1, column: 42 })).toEqual([
      `  1 | ${"a".repeat(40)} ${"b".repeat(59)}`,
      `    | ${" ".repeat(41)}${"^".repeat(59)}`,
    ])
  })
})
