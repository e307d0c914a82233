import { describe, expect, test } from "bun:test"
import { circlesOf, specifiersOf } from "./imports.ts"

describe("every way to name another module is seen", () => {
  for (const [source, expected] of [
    ['import x from "a"', ["a"]],
    ['import "a"', ["a"]],
    ['import type { X } from "a"', ["a"]],
    ['import type {\n  X,\n  Y,\n} from "a"', ["a"]],
    ['import { type X } from "a"', ["a"]],
    ['import { type X, y } from "a"\ny()', ["a"]],
    ["import type * as x from 'a'", ["a"]],
    ['export { x } from "a"', ["a"]],
    ['export type { X } from "a"', ["a"]],
    ['export * from "a"', ["a"]],
    ['export type * from "a"', ["a"]],
    ['const x = await import("a")', ["a"]],
    ["const x = import(`a`)", ["a"]],
    ["const x = import(y)", ["(computed)"]],
    ['let x: import("a").X', ["a"]],
    ['let x: typeof import("a")', ["a"]],
    ['import x = require("a")', ["a"]],
    ['const x = require("a")', ["a"]],
    ['import data from "a" with { type: "json" }', ["a"]],
    ['import { /* "b" */ x } from "a" // from "c"', ["a"]],
    ['const x = <T,>(y: T) => y\nconst z = <a href="b">import "c"</a>', []],
    ["const text = 'import x from \"a\"'\nexport { text }", []],
    ['// import x from "a"\nexport const x = 1', []],
  ] as const) {
    test(source, () => expect(specifiersOf(source)).toEqual([...expected]))
  }
})

test("circles: all files of each, and no others", () => {
  const arrows = (...pairs: string[]) => pairs.map((pair) => ({ file: pair[0] ?? "", path: pair[1] ?? "" }))
  expect(circlesOf(arrows("ab", "bc", "ac"))).toEqual([])
  expect(circlesOf(arrows("ab", "bc", "ca", "cd", "xa"))).toEqual([["a", "b", "c"]])
  expect(circlesOf(arrows("ab", "ba", "bc", "cd", "dc", "ee"))).toEqual([["a", "b"], ["c", "d"], ["e"]])
})
