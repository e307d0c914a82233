import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { compileWildcard, couldMatch, matchesWildcard } from "./wildcard.ts"

describe("OpenCode's wildcards, as measured on the host", () => {
  const rows: readonly [pattern: string, text: string, matches: boolean][] = [
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
  for (const [pattern, text, matches] of rows) {
    test(`${JSON.stringify(pattern)} ${matches ? "matches" : "doesn't match"} ${JSON.stringify(text)}`, () => {
      expect(matchesWildcard(text, compileWildcard(pattern))).toBe(matches)
      expect(couldMatch([text], compileWildcard(pattern))).toBe(matches)
    })
  }
})

/** The same by a regular expression, which is right but may take time without bound. */
function byExpression(pattern: string, text: string): boolean {
  const slashed = (value: string): string => value.replaceAll("\\", "/")
  const escaped = slashed(pattern)
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".")
  const optional = escaped.endsWith(" .*") ? `${escaped.slice(0, -3)}( .*)?` : escaped
  return new RegExp(`^${optional}$`, "s").test(slashed(text))
}

const someText = fc.string({ unit: fc.constantFrom("a", "b", " ", "/", "\\", "\n"), maxLength: 8 })
const somePattern = fc.string({ unit: fc.constantFrom("a", "b", " ", "*", "?", "/", "*", " *"), maxLength: 7 })

test("matching agrees with the expression that the pattern stands for", () => {
  fc.assert(
    fc.property(someText, somePattern, (text, pattern) => {
      const wanted = byExpression(pattern, text)
      expect(matchesWildcard(text, compileWildcard(pattern))).toBe(wanted)
      if (wanted) expect(couldMatch([text], compileWildcard(pattern))).toBe(true)
    }),
    { numRuns: 3000 },
  )
})

test("a pattern of many stars takes no time without bound", () => {
  const pattern = compileWildcard("*a*a*a*a*a*a*a*a*b")
  expect(matchesWildcard("a".repeat(200_000), pattern)).toBe(false)
  expect(matchesWildcard(`${"a".repeat(200_000)}b`, pattern)).toBe(true)
  expect(couldMatch(["a".repeat(20_000), "a"], pattern)).toBe(false)
  // Too much to compare: taken for a match.
  expect(couldMatch(["a".repeat(2_000_000), "a"], pattern)).toBe(true)
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
      expect(couldMatch(fragments, compileWildcard(pattern))).toBe(could)
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
          expect(couldMatch(fragments, compileWildcard(wanted))).toBe(true)
        },
      ),
      { numRuns: 300 },
    )
  })
})
