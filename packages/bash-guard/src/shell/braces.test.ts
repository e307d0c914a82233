import { describe, expect, test } from "bun:test"
import { expandBraces } from "./braces.ts"

describe("braces, as bash 5.2 expands them", () => {
  const rows: readonly [word: string, words: readonly string[] | undefined][] = [
    ["{rm,-rf,x}", ["rm", "-rf", "x"]],
    ["a{b,c}d{e,f}", ["abde", "abdf", "acde", "acdf"]],
    ["{,rm}", ["", "rm"]],
    ["{a,{b,c}x}y", ["ay", "bxy", "cxy"]],
    ["a{b{c,d}e", ["a{bce", "a{bde"]],
    ["{a}{b,c}", ["{a}b", "{a}c"]],
    ["{a,b}}", ["a}", "b}"]],
    ["{{a,b}", ["{a", "{b"]],
    ["{a}", ["{a}"]],
    ["{a,b", ["{a,b"]],
    ["x{1..3}", ["x{1..3}"]],
    ["{r'm',\"x y\"}", ["rm", "x y"]],
    ["{a','b,c}", ["a,b", "c"]],
    ["{a\\,b,c}", ["a,b", "c"]],
    ["\\{a,b}", undefined],
    ["'{a,b}'", undefined],
    ["ab", undefined],
    ["{a,$x}", undefined],
    ["{a,*}", undefined],
    ["~{a,b}", undefined],
    ["{a,'b}", undefined],
    ["{1,2,3,4,5,6,7,8}{1,2,3,4,5,6,7,8}", [..."12345678"].flatMap((a) => [..."12345678"].map((b) => a + b))],
    ["{1,2,3,4,5,6,7,8,9}{1,2,3,4,5,6,7,8}", undefined],
    ["{a,b}".repeat(10), undefined],
    [`{a,${"b".repeat(396)}}`, ["a", "b".repeat(396)]],
    [`{a,${"b".repeat(397)}}`, undefined],
  ]
  for (const [word, words] of rows) {
    test(JSON.stringify(word).slice(0, 60), () => expect(expandBraces(word)).toEqual(words as never))
  }
})
