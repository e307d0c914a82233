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

/** Engines that don't know groups with modifiers refuse them, as does the plugin on these. */
const HAS_MODIFIERS = compileHookPattern("(?i:a)").kind === "pattern"
const WITH_MODIFIERS: [string, string, boolean][] = [
  ["(?m:^b)", "a\nb", true],
  ["(?-m:^b)", "a\nb", false],
  ["(?i:a(?-i:k)b)", "AkB", true],
  ["(?i:a(?-i:k)b)", "AKB", false],
  ["(?i:a(?s:.)b)", "A\nB", true],
  ["(?i:a(?s:.)b).", "AxB\n", false],
  ["(?s:a(?i:b.))", "aB\n", true],
  ["(?s:a(?-s:.))", "a\n", false],
  ["(?s:a(?:.))", "a\n", true],
  ["(?i:[^k])", "K", false],
  ["(?i:\\W)", "a", false],
]

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
  ["^(?!.*--dry-run).*push$", "git push", true],
  ["^(?!.*--dry-run).*push", "git --dry-run push", false],
  ["\\s", "\u00a0", true],
  ["\\s", "\ufeff", true],
  ["\\S", "\u2003", false],
  [".", "\u2028", false],
  [".", "\r", false],
  ["^.$", "\ud83d\ude00", false],
  ["^..$", "\ud83d\ude00", true],
  ["\ud83d", "\ud83d\ude00", true],
  ["[\ud83d\ude00]", "\ude00", true],
  ["^[^x]$", "\ud83d", true],
  ["[\\ud7ff-\\ud801]", "\ud800", true],
  ["[\\ud7ff-\\ud801]", "\ud7ff", true],
  ["[\\ud7ff-\\ud801]", "\ud802", false],
  ["^[^\\ud7ff-\\ud801]$", "\ud801", false],
  ["[\\udffe-\\ue001]", "\ue001", true],
  ["[\\udffe-\\ue001]", "\udffd", false],
  ["\\W", "\u00e9", true],
  ["\\bx", "\u00e9x", true],
  ["\\a", "a", true],
  ["\\a", "\u0007", false],
  ["[[:alpha:]]", "p]", true],
  ["[[:alpha:]]", "b", false],
  ["a$", "a\n", false],
  ["\\z", "z", true],
  ["\\A", "A", true],
  ["\\Qa.b\\E", "Qa.bE", true],
  ["\\Qa.b\\E", "a.b", false],
  ["\\pL", "pL", true],
  ["\\p{Lu}", "A", false],
  ["\\p{Lu}", "p{Lu}", true],
  ["\\u{61}", "a", false],
  ["\\u{3}", "uuu", true],
  ["\\x{61}", "a", false],
  ["\\x4", "x4", true],
  ["\\cJ", "\n", true],
  ["\\c", "\\c", true],
  ["[\\c]", "c", true],
  ["\\v", "\u000b", true],
  ["\\v", "\n", false],
  ["[\\b]", "\b", true],
  ["\\0", "\0", true],
  ["\\012", "\n", true],
  ["\\8", "8", true],
  ["x{,3}$", "x{,3}", true],
  ["^x{,3}$", "xx", false],
  ["a{1001}", "a".repeat(1001), true],
  ["[]", "a", false],
  ["[a-\\d]", "-", true],
  ["[\\w-z]", "-", true],
  ["]", "]", true],
  ["{", "{", true],
  ["\\C", "C", true],
  ["\\X", "X", true],
  ["\\e", "e", true],
  ["\\-", "-", true],
  ["(?<n>a)", "a", true],
  ["(?=a)*b", "b", true],
  ["(?=a){2}b", "b", false],
  ["(?:x(?=ab)){1,2}a", "xab", true],
  ["(?:x(?=ab)){1,2}a", "xa", false],
  ["[^\\w\\d]", "5", false],
  ["[^a-fb-c]", "e", false],
  ["[^\\s\\S]", "a", false],
  ...(HAS_MODIFIERS ? WITH_MODIFIERS : []),
])("%s on %s: %p, as in JavaScript", (source, text, met) => {
  const pattern = patternOf(source)
  expect(pattern.test(text)).toBe(met)
  expect(new RegExp(source).test(text)).toBe(met)
  // What takes backtracking looks at less.
  expect(pattern.reach).toBe(/\\[1k]|1001|\?m/.test(source) ? 64 * KB : undefined)
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

test("the end of a long text counts as its start does, lookaround or not", () => {
  for (const source of [
    "secret",
    '"path":"[^"]*secret',
    "^(?!.*public).*secret",
    "secret(?!.*public)",
    "(?<!not )secret",
  ]) {
    expect(patternOf(source).reach).toBeUndefined()
    expect(patternOf(source).test(`{"content":"${"x".repeat(300 * KB)}","path":"/secret"}`)).toBe(true)
  }
})

test.each([
  "(?=(a+)+$)x(?<=y)",
  "^(?!.*x)(a|a)*$(?<!y)",
  "(a)\\1(b+c?)+d",
  "(a)\\1.*.*.*.*a",
  "(a)\\1(?:b{1,50}){1,50}",
  "(a)\\1(?:b{0,9}){0,9}c",
  "(a)\\1(?:b|b){9}c",
  // A repeated group, also one that can match in one way only.
  "(a)\\1(?:bc){10,}",
  "(a)\\1(?:bc){0,10}",
  "(a)\\1(b|c)*d",
  "(a)\\1(?=b)*c",
  // 257 ways to match one text and more.
  "(a)\\1b?b?b?b?b?b?b?b?b?",
  "(a)\\1b{0,3}b{0,3}b{0,3}b{0,4}",
  "(a)\\1(?:b|b){1,7}(?:b|b)?",
  "(a)\\1(?:b|b){20}",
  // Work that grows with more than the fourth power of the text's length.
  "(a)\\1b*b*b*b*",
  "(a)\\1(?:b*c){4}",
])("%s needs backtracking without bound and is refused", (source) => {
  const result = compileHookPattern(source)
  expect(result).toMatchObject({ kind: "bad", reason: expect.stringContaining("without bound") })
})

test.each<[string, number]>([
  ["(?!x)y(?<!x)", 64],
  ["(?<!x)y(?!.*x)", 16],
  ["^(?!.*x)y(?<=y)", 64],
  ["(x?)\\1.*y", 16],
  ["(?!.*x).*y(?<=y)", 1],
  ["(?!.*x).*y.*z(?<=z)", 0.25],
  [".{0,1000}.{0,1000}.{0,1000}y$", 0.25],
  ["(?<=.{0,400}-).{0,400}z$", 1],
  ["(a)\\1b{0,9}", 64],
  ["(a)\\1b{0,10}", 16],
  ["(a)\\1[bc]+\\d*", 1],
  ["(a)\\1[bc]\\d\\bc$", 64],
  ["(a)\\1(?:bc){20}", 64],
  ["(a)\\1(?:bc){2,9}", 64],
  ["(a)\\1(?:b*c){2}", 1],
  ["(a)\\1(?:b*c)?", 16],
  ["(a)\\1(?:b|b){8}", 64],
  ["(a)\\1b?b?b?b?b?b?b?b?", 64],
  ["(a)\\1b{1}b{1}b{1}b{1}b{1}b{1}b{1}b{1}b{1}", 64],
  ["(a)\\1(?:b|c)?(?:b|c)?(?:b|c)?(?:b|c)?(?:b|c)?", 64],
  ["(a)\\1b{0,3}b{0,3}b{0,3}b{0,3}", 64],
  ["(a)\\1b{1,4}b{1,4}b{1,4}b{1,4}", 64],
  ["(a)\\1(?:b|.*c)", 16],
  ["(a)\\1|.*b", 16],
  ["(a*)\\1b", 1],
  ["(?:(?<n>a)|(?<n>b*))\\k<n>c", 1],
  ["^(?:(a)\\1.*|b)", 64],
  ["^(a)\\1.*|^b", 64],
  ["^(a)\\1.*|b", 16],
  ["\\b(a)\\1.*", 16],
  ["$(a)\\1.*", 16],
  ...(HAS_MODIFIERS ? [["(?m:^.*y)x", 16] as [string, number]] : []),
  ["a{1000}a{1000}", 64],
])("%s looks at the first %p KB of a text, and takes no longer than that allows", (source, reach) => {
  const pattern = patternOf(source)
  expect(pattern.reach).toBe(reach * KB)
  pattern.test("y".repeat(64 * KB))
  expect(pattern.test(`${"-".repeat(reach * KB)}yyyz`)).toBe(false)
})

test.each<[string, reach: number | undefined]>([
  ["a{1000}b{998}c", undefined],
  ["a{1000}b{999}c", 64],
  ["a{999}b{3,1000}", undefined],
  ["a{1000}b{3,1000}", 16],
  ["a{999}b{999,}", undefined],
  ["a{1000}b{999,}", 16],
  ["(?:ab){666}", undefined],
  ["(?:ab){667}", 64],
  ["(?:(a)b){499}", undefined],
  ["(?:(a)b){500}", 64],
  ["^(a)\\1.*|", 16],
  ["(?!x)a{147}", undefined],
  ["(?!x)a{148}", 64],
  ["(?<!x|yz)a{145}", undefined],
  ["(?<!x|yz)a{146}", 64],
  ["[]|b", undefined],
  ["[^\\s\\S]|b", undefined],
])("%s looks at %p KB of a text: so large it may be, and look at all of it", (source, reach) => {
  expect(patternOf(source).reach).toBe(reach && reach * KB)
})

/** Whatever an expression can be made of; what the linear engine knows and JavaScript doesn't, too. */
const ATOMS = [
  ...[
    "a",
    "k",
    "K",
    "s",
    "\\ud83d",
    "\ud83d\ude00",
    "\u00e9",
    "\u212a",
    "\u017f",
    "\\.",
    '"',
    "-",
    "]",
    "}",
    "{",
    "{,2}",
  ],
  ...[
    ".",
    "\\d",
    "\\D",
    "\\w",
    "\\W",
    "\\s",
    "\\S",
    "^",
    "$",
    "\\b",
    "\\B",
    "\\A",
    "\\z",
    "\\Z",
    "\\a",
    "\\e",
    "\\v",
    "\\f",
  ],
  ...[
    "\\C",
    "\\X",
    "\\Qa",
    "\\E",
    "\\pL",
    "\\p{Lu}",
    "\\PL",
    "\\u{61}",
    "\\u0061",
    "\\x61",
    "\\x{61}",
    "\\cJ",
    "\\c",
    "\\0",
    "\\11",
  ],
  ...["\\8", "\\h", "\\R", "\\G", "\\K", "\\<", "\\>", "\\_", "\n", "\u2028"],
]
const CLASS_PARTS = [
  ...[
    "a",
    "k-s",
    "K",
    "\\d",
    "\\D",
    "\\w",
    "\\W",
    "\\s",
    "\\S",
    "\\b",
    "-",
    "^",
    "[:alpha:]",
    "[",
    "&&",
    "--",
    "\\]",
    "\\ud83d",
  ],
  ...[
    "\ud83d\ude00",
    "\ud800-\udfff",
    "\\u2028",
    "\ufeff",
    "\u00a0",
    "\\cJ",
    "\\c",
    "\\x0b",
    "\\v",
    "\\a",
    "\\e",
    "\\p{L}",
    "\\0",
  ],
]
const TEXT_PARTS = [
  ...[
    "a",
    "k",
    "K",
    "s",
    "S",
    "\u212a",
    "\u017f",
    "\u00e9",
    "\u00c9",
    "\u00df",
    "\u0130",
    "1",
    ".",
    " ",
    '"',
    "-",
    "{",
    "}",
    "]",
    "^",
    ":",
  ],
  ...[
    "\n",
    "\r",
    "\u2028",
    "\u2029",
    "\u0085",
    "\u000b",
    "\t",
    "\0",
    "\u0007",
    "\u00a0",
    "\ufeff",
    "\u180e",
    "\u200b",
    "\u3000",
  ],
  ...[
    "\ud83d\ude00",
    "\ud83d",
    "\ude00",
    "\ud800",
    "\udfff",
    "\ue000",
    "\uffff",
    "p",
    "L",
    "u",
    "x",
    "c",
    "z",
    "A",
    "Z",
    "Q",
    "E",
  ],
]

function expressions(lookaround: readonly string[]): fc.Arbitrary<string> {
  const inClass = fc.array(fc.constantFrom(...CLASS_PARTS), { maxLength: 4 }).map((parts) => parts.join(""))
  const groups = ["", "?:", ...lookaround, ...(HAS_MODIFIERS ? ["?i:", "?s:", "?is:", "?-i:", "?i-s:"] : [])]
  const { regex } = fc.letrec<{ regex: string }>((tie) => ({
    regex: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      fc.constantFrom(...ATOMS),
      fc.tuple(fc.constantFrom("", "^"), inClass).map(([negation, parts]) => `[${negation}${parts}]`),
      fc.tuple(tie("regex"), tie("regex")).map(([left, right]) => left + right),
      fc.tuple(fc.constantFrom(...groups), tie("regex"), tie("regex")).map(([kind, a, b]) => `(${kind}${a}|${b})`),
      fc.tuple(fc.constantFrom(...groups), tie("regex")).map(([kind, inner]) => `(${kind}${inner})`),
      fc
        .tuple(tie("regex"), fc.constantFrom("*", "+?", "?", "{1,2}", "{2}", "{0}", "{0,}?"))
        .map(([inner, often]) => `(?:${inner})${often}`),
    ),
  }))
  return regex
}

function nativeOf(source: string): RegExp | undefined {
  try {
    return new RegExp(source)
  } catch {
    return undefined
  }
}

test.each<[string, readonly string[]]>([
  ["no lookaround", []],
  ["lookahead", ["?=", "?!"]],
  ["lookbehind", ["?<=", "?<!"]],
])(
  "with %s, expressions run on the linear engine and mean what they mean in JavaScript",
  (_kind, lookaround) => {
    const text = fc.array(fc.constantFrom(...TEXT_PARTS), { maxLength: 8 }).map((parts) => parts.join(""))
    let tested = 0
    fc.assert(
      fc.property(expressions(lookaround), fc.array(text, { minLength: 5, maxLength: 10 }), (source, texts) => {
        const native = nativeOf(source)
        const result = compileHookPattern(source)
        if (native === undefined) return expect([source, result.kind]).toEqual([source, "bad"])
        // Few get so large, with their counts written out, that they are refused or looked at by JavaScript's engine.
        if (result.kind === "bad") return
        const { reach, test: matches } = result.pattern
        if (reach === undefined) tested += 1
        for (const one of texts) expect([source, one, matches(one)]).toEqual([source, one, native.test(one)])
      }),
      { numRuns: runs(200) },
    )
    expect(tested).toBeGreaterThan(60)
  },
  60_000,
)

test("every unit alone is matched by what matches it in JavaScript", () => {
  const sources = [
    ".",
    "\\d",
    "\\D",
    "\\w",
    "\\W",
    "\\s",
    "\\S",
    "[^]",
    "[^a-z\\s]",
    "\\bx?",
    "[^\\w\\d\\0]",
    "[^\uffff]",
    "[^m-za-pc]",
    ...(HAS_MODIFIERS
      ? [
          "(?i:[k-s\u00b5])",
          "(?i:[\u02bc\u0399\u1f88\ufb06])",
          "(?i:[\uff00-\uffff])",
          "(?i:[^\u0000-\u00ff])",
          "(?s:.)",
        ]
      : []),
  ]
  for (const source of sources) {
    const native = new RegExp(source)
    const { test: matches } = patternOf(source)
    for (let unit = 0; unit <= 0xffff; unit += 1) {
      const one = String.fromCharCode(unit)
      if (matches(one) !== native.test(one)) expect([source, unit]).toEqual([source, -1])
    }
  }
})

test("any text at all is refused or compiled, and testing it never throws", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: "binary" })), fc.string(), (source, text) => {
      const result = compileHookPattern(source)
      if (result.kind === "pattern") expect(typeof result.pattern.test(text)).toBe("boolean")
    }),
    { numRuns: runs(300) },
  )
  for (const source of ["(".repeat(50_000), "(?:".repeat(5_000) + ")".repeat(5_000), "a".repeat(200_000)])
    expect(["bad", "pattern"]).toContain(compileHookPattern(source).kind)
})
