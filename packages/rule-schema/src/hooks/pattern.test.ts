import { expect, test } from "bun:test"
import fc from "fast-check"
import { runs } from "../../test/runs.ts"
import { compileHookPattern, type HookPattern } from "./pattern.ts"

const KB = 1024

function patternOf(source: string): HookPattern {
  const result = compileHookPattern(source)
  if (result.kind === "bad") throw new Error(result.reason)
  return result.pattern
}

test.each<[string, string, boolean]>([
  ["git push", '{"command":"git push"}', true],
  ["git push(?!.*--dry-run)", '{"command":"git push --dry-run"}', false],
  ["git push(?!.*--dry-run)", '{"command":"git push origin"}', true],
  ["(['\"])rm \\1", "'rm '", true],
  ["(?<quote>['\"])rm \\k<quote>", "'rm \"", false],
  ['"filePath":"[^"]*\\.env"', '{"filePath":"/a/.env"}', true],
  ["\\bnpm (?:i|install)\\b", '{"command":"npm install x"}', true],
  ['^\\{"command":"ls', '{"command":"ls"}', true],
  ["rm\\s+-rf?\\s+\\/", "rm -rf /", true],
  ["\\u0041\\x42[\\d\\-_]{2,}$", "AB1-", true],
  ["a{", "a{", true],
  ["[^]b", "\nb", true],
  ["(?<![a-z])drop table", "xdrop table", false],
])("%s on %s: %p, as in JavaScript", (source, text, met) => {
  expect(patternOf(source).test(text)).toBe(met)
  expect(new RegExp(source).test(text)).toBe(met)
})

test.each(["(", "[", "*", "(?<n", "a**"])("%s does not compile", (source) => {
  expect(compileHookPattern(source)).toMatchObject({ kind: "bad", reason: expect.stringContaining("does not compile") })
})

/** Each would keep JavaScript's own engine busy for seconds up to for ever. */
const explosive: readonly [string, string][] = [
  ["(a+)+$", `${"a".repeat(32 * KB)}!`],
  ["^(\\w+\\s?)*$", `${"word ".repeat(6 * KB)}!`],
  ["(.*)*=.*=.*$", "x".repeat(64 * KB)],
  [".*foo.*bar.*baz", "foo bar ".repeat(8 * KB)],
  ["(a|a|a|aa)+b", "a".repeat(64 * KB)],
  ["a*a*a*a*a*a*c", "a".repeat(64 * KB)],
]

test.each(explosive)("%s takes time by the text's length, and is still right", (source, text) => {
  expect(patternOf(source).test(text)).toBe(false)
})

test.each(["(?=(a+)+$)x", "^(?!.*x)(a|a)*$", "(a)\\1(b+c?)+d", "(?!x).*.*.*.*a", "(?=a)(?:b{1,50}){1,50}"])(
  "%s needs backtracking without bound and is refused",
  (source) => {
    const result = compileHookPattern(source)
    expect(result).toMatchObject({ kind: "bad", reason: expect.stringContaining("without bound") })
  },
)

test.each<[string, number]>([
  ["(?!x)y", 64],
  ["y(?!.*x)", 16],
  ["^(?!.*x)y", 64],
  ["(?!.*x).*y", 1],
  ["(?!.*x).*y.*z", 0.25],
])("%s looks at the first %p KB of a text, and takes no longer than that allows", (source, reach) => {
  const pattern = patternOf(source)
  expect(pattern.reach).toBe(reach * KB)
  pattern.test("y".repeat(64 * KB))
  expect(pattern.test(`${"-".repeat(pattern.reach)}yyyz`)).toBe(false)
})

test("without backtracking, expressions mean what they mean in JavaScript", () => {
  const { regex } = fc.letrec<{ regex: string }>((tie) => ({
    regex: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom("a", "b", ".", "\\d", "\\w", "\\.", "[ab]", "[^a]", "[0-9a]", "\\b", "^", "$", "\\S", '"', "-"),
      fc.tuple(tie("regex"), tie("regex")).map(([left, right]) => left + right),
      fc.tuple(tie("regex"), tie("regex")).map(([left, right]) => `(${left}|${right})`),
      tie("regex").map((inner) => `(?:${inner})*`),
      tie("regex").map((inner) => `(?:${inner})+?`),
      tie("regex").map((inner) => `(${inner}){1,2}`),
    ),
  }))
  const text = fc.array(fc.constantFrom("a", "b", "1", ".", " ", '"', "-", "{"), { maxLength: 10 })
  fc.assert(
    fc.property(regex, fc.array(text, { minLength: 5, maxLength: 10 }), (source, texts) => {
      for (const letters of texts) {
        const one = letters.join("")
        expect([one, patternOf(source).test(one)]).toEqual([one, new RegExp(source).test(one)])
      }
    }),
    { numRuns: runs(300) },
  )
})

test("any text at all is refused or compiled, and testing it never throws", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: "binary" })), fc.string(), (source, text) => {
      const result = compileHookPattern(source)
      if (result.kind === "pattern") expect(typeof result.pattern.test(text)).toBe("boolean")
    }),
    { numRuns: runs(300) },
  )
})
