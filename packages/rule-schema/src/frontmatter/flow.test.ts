import { describe, expect, test } from "bun:test"
import { closingBracket, closingQuote, flowItems, withoutComment } from "./flow.ts"
import {
  positionAt,
  skipInvisible,
  splitLines,
  trimInvisible,
  withoutInvisibleStart,
  withoutInvisibleStarts,
} from "./lines.ts"

test.each<[text: string, end: number | undefined]>([
  ["'a'", 2],
  ["'a''b' c'", 5],
  ["'a'''", 4],
  ["'a\\' b'", 3],
  ['"a\\"b" c"', 5],
  ['"a\\\\" b"', 4],
  ["'a\"b'", 4],
  ['"a"\'', 2],
  ["'a", undefined],
  ["''", 1],
  ["'''", undefined],
  ['"a\\', undefined],
])("the quote that opens %j is closed at %p", (text, end) => {
  expect(closingQuote(`x${text}`, 1, text.length + 1)).toBe(end === undefined ? undefined : end + 1)
  // What lies behind the end does not count.
  if (end !== undefined) expect(closingQuote(text, 0, end)).toBeUndefined()
})

test.each<[text: string, end: number | undefined]>([
  ["[a]", 2],
  ["[a, [b], c]", 10],
  ["{a: [b}", 6],
  ["[a, '] b', c]", 12],
  ["[a '] b]", 4],
  ["[a # ]\n]", 7],
  ["[a #] b]", 4],
  ["[(]", 2],
  ["[a}", undefined],
  ["[", undefined],
  ["[[a]", undefined],
])("the bracket that opens %j is closed at %p", (text, end) => {
  expect(closingBracket(`xx${text}`, { start: 2, end: text.length + 2 })).toBe(end === undefined ? undefined : end + 2)
})

describe("the items in brackets", () => {
  for (const [text, ...items] of [
    ["[]"],
    ["[ , ,, ]"],
    ["[a]", "a"],
    ["[ a b , c ]", "a b", "c"],
    ["[a, b,]", "a", "b"],
    ["[{a,b}/*.ts, src/{c,d}.ts]", "{a,b}/*.ts", "src/{c,d}.ts"],
    ["[f(a, b), [c, d], {e: f, g}]", "f(a, b)", "[c, d]", "{e: f, g}"],
    ["[f(, x {, @y]", "f(", "x {", "@y"],
    ["[a), b], c]", "a)", "b]", "c"],
    ["[(a, [b), c], d]", "(a, [b)", "c]", "d"],
    ["['a, b', \"c, d\", e]", "'a, b'", '"c, d"', "e"],
    ["[a 'b, c']", "a 'b", "c'"],
    ["[!'a, b', x:'c, d']", "!'a, b'", "x:'c, d'"],
    ["['a, b]", "'a", "b"],
    ["[{'}, b': c}, d]", "{'}, b': c}", "d"],
    ["[x['], b'], c]", "x['], b']", "c"],
    ["[f('a), b]", "f('a)", "b"],
    ["[a, # b, c\n d]", "a", "d"],
    ["[a # b\n]", "a"],
    ["[a, #b, c#d]", "a", "#b", "c#d"],
    ["[a, # b]", "a"],
    ["[ # a\n b]", "b"],
    ["[a\n\n b]", "a\n\n b"],
  ] as const) {
    test(JSON.stringify(text), () => {
      const found = flowItems(`--${text}`, { start: 2, end: text.length + 2 })
      expect(found.map(({ start, end }) => `--${text}`.slice(start, end))).toEqual([...items])
    })
  }
})

test.each<[text: string, isCollection: boolean, rest: string]>([
  ["a # b", false, "a"],
  ["a #b", false, "a"],
  ["a #b", true, "a #b"],
  ["a # b", true, "a"],
  ["a #", true, "a"],
  ["a#b", false, "a#b"],
  ["#a", false, "#a"],
  ["a\t# b", false, "a"],
  ["a # b # c", false, "a"],
  ["'a # b' # c", false, "'a # b'"],
  ['"a # \'b" # c', false, '"a # \'b"'],
  ["'a', \"b # c\" # d", false, "'a', \"b # c\""],
  ["it's # b", false, "it's"],
  ["'a # b", false, "'a # b"],
  ["a  ", false, "a"],
  [" a # b", false, " a"],
  [" a ", false, " a"],
])("%j (in brackets: %p) without its comment is %j", (text, isCollection, rest) => {
  expect(withoutComment(text, isCollection)).toBe(rest)
})

describe("lines and what shows nothing", () => {
  test("each line end ends one line", () => {
    expect(splitLines("a\r\nb\rc\n\nd")).toEqual([
      { start: 0, text: "a" },
      { start: 3, text: "b" },
      { start: 5, text: "c" },
      { start: 7, text: "" },
      { start: 8, text: "d" },
    ])
    expect(splitLines("")).toEqual([{ start: 0, text: "" }])
  })

  test("invisible characters around a text", () => {
    const invisible = "\u00ad\u034f\u061c\u180e\u200b\u200f\u202a\u202e\u2060\u2064\u2066\u2069\ufeff"
    expect(withoutInvisibleStart(`${invisible}\u00a0a${invisible}`)).toBe(`a${invisible}`)
    expect(withoutInvisibleStart(" \u200ba")).toBe(" \u200ba")
    expect(trimInvisible(` ${invisible}\n a b ${invisible}\t`)).toBe("a b")
    expect(trimInvisible(invisible)).toBe("")
    expect(trimInvisible("a\u200bb")).toBe("a\u200bb")
    expect([skipInvisible(` ${invisible}a`, 0), skipInvisible("a ", 0), skipInvisible("a \n", 1)]).toEqual([14, 0, 3])
  })

  test("no line begins with an invisible character, and each stays as long as it is", () => {
    for (const [text, without] of [
      ["a\u200b: b\n  \u200bc", "a\u200b: b\n  \u200bc"],
      ["\u200ba: b\n\ufeff\u2060c\r\n\u200b  d\n\u200b", "a: b \nc  \r\n  d \n "],
      // One no-break space is nothing, several are an indentation.
      ["\u00a0a: b\n\u00a0\u00a0c", "a: b \n  c"],
      ["\u200b\u00a0\u200b\u00a0- a\r\n\u00a0\u200b - b", "  - a  \r\n - b  "],
    ] as const) {
      expect([text, withoutInvisibleStarts(text)]).toEqual([text, without])
      expect(without.length).toBe(text.length)
    }
  })

  test("a place before the first line, or behind the last, is in it", () => {
    const lines = splitLines("ab\ncd")
    expect(positionAt("ab\ncd", lines, -1)).toEqual({ line: 1, column: 1 })
    expect(positionAt("ab\ncd", lines, 2)).toEqual({ line: 1, column: 3 })
    expect(positionAt("ab\ncd", lines, 3)).toEqual({ line: 2, column: 1 })
    expect(positionAt("ab\ncd", lines, 9)).toEqual({ line: 2, column: 7 })
  })
})
