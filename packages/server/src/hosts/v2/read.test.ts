import { expect, test } from "bun:test"
import { isSurelyWhole } from "./read.ts"

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
