import { describe, expect, test } from "bun:test"
import { compileNamePattern, compilePathPattern } from "./compile.ts"

const DEEP = "its braces are nested deeper than 8"
const EXPANDS = "it would expand without bound (more than 10000 patterns)"
const GLOBSTARS = 'it would expand without bound (more than 4 "**")'
const CROWDED = "it would expand without bound (more than 4 wildcards in one path segment)"
const LONG = "it is longer than 2000 characters"
const inGroup = (sign: string) =>
  `it would expand without bound ("${sign}(…)" repeats a group with wildcards or groups in it)`
const alike = (sign: string) => `it would expand without bound ("${sign}(…)" repeats alternatives that begin alike)`
const nested = (depth: number) => `${"{a,".repeat(depth)}b${"}".repeat(depth)}`
const hundred = `{${Array.from({ length: 100 }, (_, index) => `a${index}`).join(",")}}`

describe("what a pattern may cost", () => {
  for (const [pattern, reason] of [
    ["x".repeat(2000), undefined],
    ["x".repeat(2001), LONG],
    [nested(8), undefined],
    [nested(9), DEEP],
    [`${nested(8)}${nested(8)}`, undefined],
    [`{x,${nested(8)}}`, DEEP],
    [`\\${nested(9).replaceAll(/[{}]/g, "\\$&").slice(1)}`, undefined],
    [`${hundred}${hundred}`, undefined],
    [`${hundred}${hundred}{a,b}`, EXPANDS],
    [`{${hundred}${hundred},b}`, EXPANDS],
    ["{1..10000}", undefined],
    ["{1..10001}", EXPANDS],
    ["a}{1..10001}", EXPANDS],
    ["a,{1..10001}", EXPANDS],
    ["{10001..1}", EXPANDS],
    ["{-5000..5000}", EXPANDS],
    ["{-5000..4999}", undefined],
    ["{1..20000..2}", undefined],
    ["{1..20001..2}", EXPANDS],
    ["{1..20000..-2}", undefined],
    ["{1..100000..10}", undefined],
    ["{1..100001..10}", EXPANDS],
    ["{1..100000..-10}", undefined],
    ["{-1..-10000}", undefined],
    ["{-1..-10001}", EXPANDS],
    ["{1..10000..0}", undefined],
    ["{1..10001..0}", EXPANDS],
    ["{1..100}{1..100}", undefined],
    ["{1..100}{1..101}", EXPANDS],
    ["{{1..100},x}{1..100}", EXPANDS],
    ["{a..99999}", undefined],
    ["x/\\{1..99999}", undefined],
    ["**/a/**/b/**/c/**", undefined],
    ["**/a/**/b/**/c/**/d/**", GLOBSTARS],
    ["***/a/***/b", undefined],
    ["*a*b*c*", undefined],
    ["*a*b*c*d*", CROWDED],
    ["x/*a*b*c*d*/y", CROWDED],
    ["*a*/*b*/*c*", undefined],
    ["*a*b*c*\\*", undefined],
    ["*.{a*,b*c*}*", undefined],
    ["*.{a*,b*c*d*}*", CROWDED],
    ["{*,{*,*a*}b*}*c", undefined],
    ["{*,{*,*a*}b*}*c*", CROWDED],
    ["{*a*,*b*{}}*c*", undefined],
    ["+(ab|cd)", undefined],
    ["+(a\\)b|c)", undefined],
    ["+(a\\)+(b|c))", inGroup("+")],
    ["+(ab|c)d*(e|f", `Missing closing: ")" - use "\\\\)" to match literal characters`],
    ["+(ab|c)d*(e|e", alike("*")],
    ["*(ab|cd)x", undefined],
    ["x/+(a\\*|b)", undefined],
    ["+(a|b)+(c|d)", undefined],
    ["+(a*|b)", inGroup("+")],
    ["*(b|a?)", inGroup("*")],
    ["+(a|(b|c))", inGroup("+")],
    ["+(x(a|b)y)", inGroup("+")],
    ["+([ab])", inGroup("+")],
    ["+(a||b)", inGroup("+")],
    ["x/+(ab|ac)", alike("+")],
    ["+(a|b)*(c|cd)", alike("*")],
    ["@(ab|ac)", undefined],
    ["x/\\+(ab|ac)", undefined],
  ] as const) {
    const shown = pattern.length > 60 ? `${pattern.slice(0, 20)}… (${pattern.length})` : pattern
    test(`${shown}: ${reason ?? "fine"}`, () => {
      for (const compile of [compilePathPattern, compileNamePattern]) {
        const result = compile(pattern)
        expect(result.kind === "bad" ? result.reason : undefined).toBe(reason)
      }
    })
  }

  test("an empty one names nothing", () => {
    for (const source of ["", "!", "!!", " "]) {
      expect(compilePathPattern(source)).toEqual({ kind: "bad", reason: "it is empty" })
      expect(compileNamePattern(source)).toEqual({ kind: "bad", reason: "it is empty" })
    }
  })
})
