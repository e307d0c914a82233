import { describe, expect, test } from "bun:test"
import { type FileWrite, gain, lineIn, type ShownHunk, shownLine, timesIn } from "./file-write.ts"

test.each([
  ["a log( b log(", "log(", 2],
  ["log(", "log(", 1],
  ["", "log(", 0],
  // Each place counts, those that overlap too.
  ["aaaa", "aa", 3],
  ["a\r\nb", "a\nb", 1],
  ["a\nb", "a\nb", 1],
  ["a\r\nb", "b", 1],
  ["a\nb", "a\r\nb", 0],
])("%j has %j %d times", (text, literal, times) => {
  expect(timesIn(text, literal)).toBe(times)
})

test.each([
  ["x\ny log(\nlog(", "log(", 2],
  ["log(", "log(", 1],
  ["x\r\na\r\nb", "a\nb", 2],
  ["x", "log(", undefined],
])("in %j the line of %j is %p", (text, literal, line) => {
  expect(lineIn(text, literal)).toBe(line as number)
})

function hunk(start: number, ...lines: string[]): ShownHunk {
  return { start, lines: lines.map((line) => ({ sign: line[0] as " ", text: line.slice(1) })) }
}

describe("how many more a call adds", () => {
  const pieces = { added: ["log( log(", "log("], removed: ["log("] }
  test.each<[string, Pick<FileWrite, "added" | "removed" | "shown">, string, number]>([
    ["its pieces", pieces, "log(", 2],
    ["fewer", { added: [], removed: ["log("] }, "log(", -1],
    ["what the host shows counts more", { ...pieces, shown: [hunk(1, " log(", "+log(", "-x")] }, "log(", 1],
    ["each place that it shows", { ...pieces, shown: [hunk(1, "-log("), hunk(9, "-log(", " log(")] }, "log(", -2],
    ["a shown change without lines", { ...pieces, shown: [] }, "log(", 0],
    [
      "several lines: its pieces alone",
      { added: ["a\nb"], removed: [], shown: [hunk(1, "+a", "+b", "+a", "+b")] },
      "a\nb",
      1,
    ],
  ])("%s", (_name, write, literal, more) => {
    expect(gain(write, literal)).toBe(more)
  })
})

describe("the line of a literal that a shown change adds", () => {
  test.each<[string, readonly ShownHunk[] | undefined, string, number | undefined]>([
    ["nothing shown", undefined, "log(", undefined],
    ["the first added line that has it", [hunk(4, " a", "-log(1)", "+b", "+x log(2)", "+log(3)")], "log(", 6],
    ["not in a line that stays", [hunk(4, " log(1)", "+b")], "log(", undefined],
    ["in a later place", [hunk(4, "+a"), hunk(20, " a", "+log(1)")], "log(", 21],
    ["a removed line is none of the file's", [hunk(7, "-a", "-b", "+log(1)")], "log(", 7],
    ["indentation of the literal aside", [hunk(1, "+log(1)")], "  log(", 1],
    ["two lines: the end of one and the beginning of the next", [hunk(3, "+x = a", "+b()")], "a\nb", 3],
    ["of which one stays", [hunk(3, " x = a", "+b()")], "a\nb", 3],
    ["both stay", [hunk(3, " x = a", " b()", "+c")], "a\nb", undefined],
    ["the first not to its end", [hunk(3, "+ab", "+b")], "a\nb", undefined],
    ["the last not from its beginning", [hunk(3, "+a", "+xb")], "a\nb", undefined],
    ["the last one's indentation aside", [hunk(3, "+a", "+    b")], "a\n  b", 3],
    ["lines between as a whole", [hunk(3, "+a", "+  b", "+c")], "a\nb\nc", 3],
    ["one between that has more", [hunk(3, "+a", "+bb", "+c")], "a\nb\nc", undefined],
    ["cut off", [hunk(3, "+a", "+b")], "a\nb\nc", undefined],
    ["behind an added line that ends alike", [hunk(3, "+a", "+a", "+b")], "a\nb", 4],
    ["a removed line between", [hunk(3, "+a", "-x", "+b")], "a\nb", 3],
  ])("%s", (_name, shown, literal, line) => {
    expect(shownLine({ shown }, literal)).toBe(line)
  })
})
