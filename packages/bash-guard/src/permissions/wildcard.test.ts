import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { compileWildcard, couldMatch, matchesWildcard } from "./wildcard.ts"

describe("OpenCode's wildcards, as measured on the host", () => {
  const rows: readonly [pattern: string, text: string, meets: boolean][] = [
    [": a?c", ": abc", true],
    [": a?c", ": ac", false],
    [": b *", ": b", true],
    [": b *", ": b x", true],
    [": b *", ": bx", false],
    [": c*", ": c", true],
    [": c*", ": cx y", true],
    [": d.x", ": d.x", true],
    [": d.x", ": dax", false],
    [": e [x]", ": e [x]", true],
    [": e [x]", ": e x", false],
    [": F", ": f", false],
    [": g\\*z", ": g\\qz", true],
    [": g\\*z", ": g/qz", true],
    [": g\\*z", ": gxz", false],
    [": h *z", ": h z", true],
    [": h *z", ": h", false],
    [": j  *", ": j", false],
    [": j  *", ": j  x", true],
    [": k*l", ": k\\\nl", true],
    [": m *n *", ": m n", true],
    [": p * *", ": p", false],
    [": p * *", ": p x", true],
    [": r/s", ": r\\s", true],
    ["*", "", true],
    ["*", "a\nb", true],
  ]
  for (const [pattern, text, meets] of rows) {
    test(`${JSON.stringify(pattern)} ${meets ? "meets" : "doesn't meet"} ${JSON.stringify(text)}`, () => {
      expect(matchesWildcard(text, compileWildcard(pattern))).toBe(meets)
      expect(couldMatch([text], pattern)).toBe(meets)
    })
  }
})

describe("couldMatch", () => {
  const rows: readonly [fragments: readonly string[], pattern: string, could: boolean][] = [
    [["git ", ""], "git push *", true],
    [["git log ", ""], "git push *", false],
    [["rm ", ""], "rm *", true],
    [["", " -rf x"], "rm *", true],
    [["a ", " b"], "a ? b", true],
    [["a ", " b"], "a c", false],
    [["", ""], "anything", true],
  ]
  for (const [fragments, pattern, could] of rows) {
    test(`${JSON.stringify(fragments)} ${could ? "could" : "couldn't"} be ${pattern}`, () => {
      expect(couldMatch(fragments, pattern)).toBe(could)
    })
  }

  test("never denies what some filling shows", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "/"), maxLength: 4 })
    const pattern = fc.string({ unit: fc.constantFrom("a", "b", " ", "*", "?"), maxLength: 6 })
    fc.assert(
      fc.property(
        fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 3 }),
        text,
        pattern,
        (pairs, last, wanted) => {
          const filled = pairs.map(([known, filling]) => known + filling).join("") + last
          const fragments = [...pairs.map(([known]) => known), last]
          fc.pre(matchesWildcard(filled, compileWildcard(wanted)))
          expect(couldMatch(fragments, wanted)).toBe(true)
        },
      ),
      { numRuns: 300 },
    )
  })
})
