import { expect, test } from "bun:test"
import fc from "fast-check"
import { columnsOf, shorten } from "./columns.ts"

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
