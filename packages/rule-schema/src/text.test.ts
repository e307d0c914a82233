import { expect, test } from "bun:test"
import { groupBy } from "./group-by.ts"
import { cut, label, listed, quoted, visible } from "./text.ts"

test.each<[text: string, shown: string]>([
  ["plain é 日本 😀", "plain é 日本 😀"],
  ["a\nb\rc\td", "a\\nb\\rc\\td"],
  ["\u0000\u0007\u001b[31m\u007f\u0085", "\\u0000\\u0007\\u001b[31m\\u007f\\u0085"],
  ["\u061c\u200b\u200e\u200f\u2028\u2029\u2060\ufeff", "\\u061c\\u200b\\u200e\\u200f\\u2028\\u2029\\u2060\\ufeff"],
  ["\u202a\u202e\u2066\u2069", "\\u202a\\u202e\\u2066\\u2069"],
  // Joiners are part of words and pictures.
  ["\u200c👩\u200d💻", "\u200c👩\u200d💻"],
])("%j is visible as %j", (text, shown) => {
  expect(visible(text)).toBe(shown)
})

test("a label is one line without control characters, and with single spaces", () => {
  expect(label("  a\u0007b\n\n c\u2028d\u200b  ")).toBe("a b c d")
  expect(label("\n\u202e")).toBe("")
})

test("a text is cut at whole characters, with an ellipsis in place of the last", () => {
  expect(cut("abcd", 4)).toBe("abcd")
  expect(cut("abcde", 4)).toBe("abc…")
  expect(cut("😀😀😀😀", 4)).toBe("😀😀😀😀")
  expect(cut("😀😀😀😀😀", 4)).toBe("😀😀😀…")
  expect(cut(`${"😀".repeat(4)}a`, 4)).toBe("😀😀😀…")
  expect(cut("a".repeat(1000), 1)).toBe("…")
  expect(quoted("a\nb")).toBe('"a\\nb"')
  expect(quoted("x".repeat(60))).toBe(`"${"x".repeat(60)}"`)
  expect(quoted("x".repeat(61))).toBe(`"${"x".repeat(59)}…"`)
  expect(quoted("\n\n", 3)).toBe('"\\n…"')
})

test("of a long list the first are shown, and how many more there are", () => {
  expect(listed([])).toBe("")
  expect(listed(["a", "b", "c"])).toBe("a, b, c")
  expect(listed(["a", "b", "c", "d"])).toBe("a, b, c +1")
  expect(listed(["a", "b", "c", "d"], 1)).toBe("a +3")
})

test("groups are in the order of their first values, and keep the order within", () => {
  expect([...groupBy(["bb", "a", "cc", "d"], (word) => word.length)]).toEqual([
    [2, ["bb", "cc"]],
    [1, ["a", "d"]],
  ])
})
