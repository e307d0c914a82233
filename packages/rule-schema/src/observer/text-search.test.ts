import { expect, test } from "bun:test"
import { createTextSearch } from "./text-search.ts"

const WINDOW = 64 * 1024
const DIGITS = "0123456789"
const LONG = `${"long ".repeat(818)}ending at 4096, and more`
const LITERALS = [DIGITS, "xyz", "ab", "needle\nhay stack\n", "unsafe {", "baaaaaaaa", "aaaaaaaab", LONG]
const { candidatesIn } = createTextSearch(LITERALS)

test("fewer than eight literals are all candidates, eight are looked for", () => {
  expect(createTextSearch(LITERALS.slice(1)).candidatesIn("")).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(createTextSearch([]).candidatesIn("abc")).toEqual([])
  expect(candidatesIn("")).toEqual([])
})

/** The third has no run of three characters, so that every text may have it. */
test.each<[text: string, candidates: number[]]>([
  ["-", [2]],
  ["__xyz__", [1, 2]],
  ["xy_yz", [2]],
  ["fn a() { unsafe { xyz } }", [1, 2, 4]],
  ["unsafe\n{", [2]],
  ["aaaaaaaaa", [2]],
  ["baaaaaaaa", [2, 5]],
  ["aaaaaaaab", [2, 6]],
  ["aab baa", [2]],
  ["aab baaa", [2, 5, 6]],
  // Lines may have something between them: the longest has to be there.
  ["1: needle\n2: hay stack\n", [2, 3]],
  ["hay stack", [2, 3]],
  ["needle", [2]],
])("a text may have the literals of which it has every run: %j", (text, candidates) => {
  expect(candidatesIn(text)).toEqual(candidates)
})

test("of a long literal its first 4096 characters are enough", () => {
  for (const [length, candidates] of [
    [LONG.length, [2, 7]],
    [4096, [2, 7]],
    [4095, [2]],
  ] as const) {
    expect([length, candidatesIn(LONG.slice(0, length))]).toEqual([length, [...candidates]])
  }
})

test("a literal of which one run is missing can't be there", () => {
  for (let at = 0; at + 3 <= DIGITS.length; at += 1) {
    expect([at, candidatesIn(`${DIGITS.slice(0, at + 2)}-${DIGITS.slice(at + 1)}`)]).toEqual([at, [2]])
  }
})

test("a long text is looked at in windows, each for itself, which overlap by the longest literal", () => {
  const dots = (count: number) => ".".repeat(count)
  const apart = `012345${dots(3 * WINDOW)}3456789`
  expect(candidatesIn(apart)).toEqual([2])
  for (const start of [WINDOW - 4096, WINDOW - 2000, WINDOW - 1, WINDOW, WINDOW + 1, 3 * WINDOW - 2000]) {
    expect([start, candidatesIn(dots(start) + LONG)]).toEqual([start, expect.arrayContaining([2, 7])])
  }
  expect(candidatesIn(`${dots(2 * WINDOW - 5)}${DIGITS}${dots(WINDOW)}unsafe {`)).toEqual([2, 0, 4])
})
