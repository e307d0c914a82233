import { expect, test } from "bun:test"
import fc from "fast-check"
import { columnsOf, shorten, wrap } from "./columns.ts"

const rows: readonly [text: string, columns: number, shown: string][] = [
  ["", 0, ""],
  ["abc", 3, "abc"],
  ["abcd", 3, "ab…"],
  ["abcd", 1, "…"],
  ["abcd", 0, ""],
  ["ab cd", 4, "ab…"],
  ["日本語", 6, "日本語"],
  ["日本語", 5, "日本…"],
  ["日本語", 4, "日…"],
  ["日本語", 2, "…"],
  ["a👩‍👩‍👧‍👦b", 3, "a…"],
  ["a👩‍👩‍👧‍👦bc", 4, "a👩‍👩‍👧‍👦…"],
  ["e\u0301e\u0301e\u0301", 2, "e\u0301…"],
  ["🇩🇪🇫🇷", 3, "🇩🇪…"],
]

for (const [text, columns, shown] of rows) {
  test(`${JSON.stringify(text)} in ${columns} columns`, () => {
    expect(shorten(text, columns)).toBe(shown)
  })
}

test("any text fits and is a beginning of what it was", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 40 }), fc.nat(30), (text, columns) => {
      const shown = shorten(text, columns)
      expect(columnsOf(shown)).toBeLessThanOrEqual(columns)
      expect(text.startsWith(shown.replace(/…$/, "")) || text === shown).toBeTrue()
    }),
  )
})

const wrapped: readonly [text: string, columns: number, lines: string[]][] = [
  ["", 5, [""]],
  ["one two three", 20, ["one two three"]],
  ["one two three", 7, ["one two", "three"]],
  ["one two three", 3, ["one", "two", "thr", "ee"]],
  ["a/long/path.md x", 5, ["a/lon", "g/pat", "h.md", "x"]],
  ["日本語 の", 4, ["日本", "語", "の"]],
  ["語", 1, ["語"]],
]

for (const [text, columns, lines] of wrapped) {
  test(`${JSON.stringify(text)} in lines of ${columns}`, () => {
    expect(wrap(text, columns)).toEqual(lines)
  })
}

test("lines fit, and nothing of the text is lost", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), fc.integer({ min: 4, max: 30 }), (text, columns) => {
      const lines = wrap(text, columns)
      for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(columns)
      expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""))
    }),
  )
})
