import { expect, test } from "bun:test"
import { codeFrame } from "./code-frame.ts"

const rows: readonly [name: string, text: string, line: number, column: number, expected: string[]][] = [
  ["a word", "---\nglobs: *.rs\n", 2, 8, ["  2 | globs: *.rs", "    |        ^^^^"]],
  ["a quoted text", 'keywords: ["a b", c]', 1, 12, ['  1 | keywords: ["a b", c]', "    |            ^^^^^"]],
  ["behind a byte-order mark", "\uFEFFname: x", 1, 7, ["  1 | name: x", "    |       ^"]],
  ["tabs and controls", "a:\t\u0007b", 1, 5, ["  1 | a:\\t\\u0007b", "    |           ^"]],
  ["at the line's end", "name:", 1, 6, ["  1 | name:", "    |      ^"]],
  ["two-digit lines", `${"\n".repeat(11)}x`, 12, 1, ["  12 | x", "     | ^"]],
]

for (const [name, text, line, column, expected] of rows) {
  test(name, () => expect(codeFrame(text, { line, column })).toEqual(expected))
}

test("an empty or missing line has no frame", () => {
  expect(codeFrame("", { line: 1, column: 1 })).toEqual([])
  expect(codeFrame("a\n\nb", { line: 2, column: 1 })).toEqual([])
  expect(codeFrame("a", { line: 5, column: 1 })).toEqual([])
})

test("a long line is cut around the place", () => {
  const [line = "", mark = ""] = codeFrame(`${"x".repeat(5000)} here ${"y".repeat(5000)}`, { line: 1, column: 5002 })
  expect(line.length).toBeLessThan(120)
  expect(line.slice(mark.indexOf("^"), mark.lastIndexOf("^") + 1)).toBe("here")
})
