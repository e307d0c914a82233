import { expect, test } from "bun:test"
import fc from "fast-check"
import { directory, path as file } from "../../test/rule.ts"
import { runs } from "../../test/runs.ts"
import { type CompiledRule, createFileObserver, observes, parseRule } from "../index.ts"
import { literalMatcher, matchersIn } from "./literal-matcher.ts"

const WORDS = ["unsafe", " {", "a", "ab", "é", "𝒳", "\n", "\r\n", "\r", "TODO(x)", "xyzxyz", "\u0000", "fn main"]
const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 12 }).map((parts) => parts.join(""))
const literal = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(""))
const glob = fc.constantFrom("**/*.rs", "*.ts", "src/**", "/src/*.rs", "!**/gen/**", "*.{rs,ts}", "docs/a.md")
const rulePath = fc.constantFrom(
  "src/a.rs",
  "/home/dev/app/src/a.rs",
  "b.ts",
  "src/gen/c.rs",
  "docs/a.md",
  "../x.rs",
  "",
)
const roots = ["/home/dev/app", "/home/dev", "/elsewhere"]

const rule = fc
  .record({
    globs: fc.option(fc.array(glob, { minLength: 1, maxLength: 3 }), { nil: undefined }),
    fileContains: fc.option(fc.array(literal, { minLength: 1, maxLength: 5 }), { nil: undefined }),
    root: fc.constantFrom(...roots),
  })
  .map(({ root, ...declared }): CompiledRule | undefined => {
    const lines = Object.entries(declared).flatMap(([key, value]) =>
      value ? [`${key}: ${JSON.stringify(value)}`] : [],
    )
    const parsed = parseRule({
      directory: { ...directory, root },
      path: file,
      text: ["---", ...lines, "---", "Body."].join("\n"),
    })
    return parsed.kind === "rule" ? parsed.rule : undefined
  })

test("many rules at once are met by the same observations as each alone, once", () => {
  const observation = fc.record({
    path: rulePath,
    tool: fc.constant("read"),
    content: fc.option(text, { nil: undefined }),
  })
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 12 }), fc.array(observation, { maxLength: 6 }), (made, observations) => {
      const rules = made.flatMap((one) => one ?? [])
      const observer = createFileObserver(rules, "/home/dev/app")
      const closed = new Set<CompiledRule>()
      for (const one of observations) {
        const expected = rules.filter((each) => !closed.has(each) && observes(each, one, "/home/dev/app"))
        for (const each of expected) closed.add(each)
        expect(observer.observe(one)).toEqual(expected)
      }
    }),
    { numRuns: runs(300) },
  )
})

test("a search finds what includes finds, over windows and for literals of any length", () => {
  const filler = fc.constantFrom(0, 10, 65_530, 65_536, 70_000, 140_000)
  const needle = fc.oneof(
    fc.constantFrom("needle-one", "x", "ab", "é𝒳é", "\n---\n"),
    fc.constant("long ".repeat(900)),
    fc.string({ unit: "binary", minLength: 1, maxLength: 8 }),
  )
  fc.assert(
    fc.property(
      filler,
      fc.array(needle, { minLength: 1, maxLength: 20 }),
      fc.array(fc.nat({ max: 19 })),
      (size, all, in_) => {
        const content = `${".".repeat(size)}${in_.map((at) => all[at] ?? "").join("-")}${".".repeat(size)}`
        const matchers = all.map((each) => literalMatcher([each]))
        const found = matchersIn(content, matchers)
        expect(matchers.map((matcher) => found.has(matcher))).toEqual(all.map((each) => content.includes(each)))
      },
    ),
    { numRuns: runs(300) },
  )
})
