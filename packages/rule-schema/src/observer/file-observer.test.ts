import { expect, setDefaultTimeout, test } from "bun:test"
import fc from "fast-check"
import { observes } from "../../test/observes.ts"
import { directory, path as file } from "../../test/rule.ts"
import { runs } from "../../test/runs.ts"
import { type CompiledRule, createFileMatcher, createFileObserver, type FileObservation, parseRule } from "../index.ts"
import { createTextSearch } from "./text-search.ts"

setDefaultTimeout(60_000)

/** As a host shows a text: numbered lines between other text. */
function shownByHost({ path, tool, content }: FileObservation): FileObservation {
  if (content === undefined) return { path, tool, content }
  const lines = content.split("\n").map((line, index) => `${index + 7}: ${line}`)
  return { path, tool, content, source: ["<content>", ...lines, "", "(unsafe TODO(x))"].join("\n") }
}

const WORDS = ["unsafe", " {", "a", "ab", "é", "𝒳", "\n", "\r\n", "\r", "TODO(x)", "xyzxyz", "\u0000", "fn main"]
const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 12 }).map((parts) => parts.join(""))
const literal = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(""))
const glob = fc.oneof(
  fc.constantFrom("**/*.rs", "*.ts", "src/**", "/src/*.rs", "!**/gen/**", "*.{rs,ts}", "docs/a.md", "/home/dev/**"),
  fc.constantFrom(
    "src/gen",
    "src/gen/",
    "s*/**",
    "**/*.{d.ts,x}",
    "src/{a,b}.*",
    "**",
    "a*",
    "*",
    "**/.env",
    "src/**/gen/c.rs",
  ),
  fc.constantFrom(
    "[ab].ts",
    "?.ts",
    "**/*.r?",
    "!(x).ts",
    "+(src|docs)/*.md",
    "app/**",
    "**/src/**",
    "{src,docs}/**",
    "*file",
    "**/Makefile",
    "src/x",
  ),
)
const rulePath = fc.constantFrom(
  "src/a.rs",
  "/home/dev/app/src/a.rs",
  "b.ts",
  "src/gen/c.rs",
  "docs/a.md",
  "../x.rs",
  "",
  "src",
  "src/x.d.ts",
  "src/.env",
  "Makefile",
  "a.TS",
)
/** A root below its project's is one of a nested folder. */
const roots = [
  { root: "/home/dev/app" },
  { root: "/home/dev" },
  { root: "/elsewhere" },
  { root: "/home/dev/app/src", project: "/home/dev/app" },
]

const rule = fc
  .record({
    globs: fc.option(fc.array(glob, { minLength: 1, maxLength: 3 }), { nil: undefined }),
    fileContains: fc.option(fc.array(literal, { minLength: 1, maxLength: 5 }), { nil: undefined, freq: 2 }),
    place: fc.constantFrom(...roots),
  })
  .map(({ place, ...declared }): CompiledRule | undefined => {
    const lines = Object.entries(declared).flatMap(([key, value]) =>
      value ? [`${key}: ${JSON.stringify(value)}`] : [],
    )
    const parsed = parseRule({
      directory: { ...directory, ...place },
      path: file,
      text: ["---", ...lines, "---", "Body."].join("\n"),
    })
    return parsed.kind === "rule" ? parsed.rule : undefined
  })

/** The plain way, for the patterns alone. */
function includes(each: CompiledRule, seen: string): boolean {
  const conditions = each.conditions.map((one) => ({ ...one, file: one.file && { ...one.file, literals: undefined } }))
  return observes({ ...each, conditions }, { path: seen, tool: "", content: undefined }, "/home/dev/app")
}

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
      const beside = createFileObserver(rules, "/home/dev/app")
      const matcher = createFileMatcher(rules, "/home/dev/app")
      const closed = new Set<CompiledRule>()
      for (const one of observations) {
        const expected = rules.filter((each) => !closed.has(each) && observes(each, one, "/home/dev/app"))
        for (const each of expected) closed.add(each)
        expect(observer.observe(one)).toEqual(expected)
        expect(beside.observe(shownByHost(one))).toEqual(expected)
        expect(matcher.metBy(one)).toEqual(rules.filter((each) => observes(each, one, "/home/dev/app")))
        expect(matcher.includedBy(one.path)).toEqual(rules.filter((each) => includes(each, one.path)))
      }
    }),
    { numRuns: runs(300) },
  )
})

/** A rule with these keys. */
function fileRule(frontmatter: string): CompiledRule {
  const parsed = parseRule({ directory, path: file, text: `---\n${frontmatter}\n---\nBody.` })
  if (parsed.kind === "broken") throw new Error(JSON.stringify(parsed.rule.problems))
  return parsed.rule
}

test("a content is made only where a rule's literal may be in it", () => {
  const rules = [
    fileRule("globs: '*.ts'"),
    fileRule("globs: '*.rs'\nfileContains: unsafe"),
    fileRule('fileContains: [TODO, "a\\n  b"]'),
  ]
  let made = 0
  const observation = (path: string, source: string): FileObservation => ({
    ...{ path, tool: "read", source },
    get content() {
      made += 1
      return source.replaceAll("| ", "")
    },
  })
  const matcher = createFileMatcher(rules, "/home/dev/app")
  const met = (path: string, source: string) => {
    made = 0
    return [matcher.metBy(observation(path, source)).map((each) => rules.indexOf(each)), made > 0]
  }
  expect(met("a.ts", "fn")).toEqual([[0], true])
  const noLines = createFileMatcher(rules.slice(0, 2), "/home/dev/app")
  made = 0
  expect(noLines.metBy(observation("a.ts", "fn"))).toEqual([rules[0] as CompiledRule])
  expect(noLines.metBy(observation("a.ts", "unsafe"))).toEqual([rules[0] as CompiledRule])
  expect(noLines.metBy(observation("a.rs", "fn"))).toEqual([])
  expect(made).toBe(0)
  expect(met("a.rs", "| unsafe TODO")).toEqual([[1, 2], true])
})

test("of the rules that are wanted, those of nested folders keep their own root", () => {
  const rules = [
    fileRule("globs: src/*.ts"),
    fileRule("keywords: a"),
    fileRule("fileContains: x"),
    fileRule("globs: '*'"),
  ]
  const nested = { ...fileRule("globs: src/*.ts"), root: "/home/dev/app/api", project: "/home/dev/app" }
  const matcher = createFileMatcher([...rules, nested], "/home/dev/app")
  const at = (found: readonly CompiledRule[]) => found.map((each) => [...rules, nested].indexOf(each))
  const observation = { path: "src/a.ts", tool: "read", content: "x" }
  expect(at(matcher.metBy(observation))).toEqual([0, 2, 3])
  expect(at(matcher.metBy(observation, (each) => each !== rules[2]))).toEqual([0, 3])
  expect(at(matcher.metBy({ ...observation, path: "api/src/a.ts" }))).toEqual([2, 3, 4])
  expect(at(matcher.includedBy("api/src/a.ts"))).toEqual([2, 3, 4])
  expect(at(matcher.includedBy("api/src/a.ts", (each) => each === rules[2] || each === nested))).toEqual([2, 4])
  expect(at(matcher.includedBy("api/src/a.ts", (each) => each !== rules[2]))).toEqual([3, 4])
  expect(at(matcher.includedBy("src/b.md"))).toEqual([2, 3])
  expect(at(matcher.includedBy("src/a.ts"))).toEqual([0, 2, 3])
  expect(createFileMatcher([], "/w").metBy(observation)).toEqual([])
  expect(createFileMatcher([], "/w").includedBy("a")).toEqual([])
  const observer = createFileObserver([...rules, nested], "/home/dev/app")
  expect(at(observer.observe({ ...observation, content: undefined }))).toEqual([0, 3])
  expect(at(observer.observe(observation))).toEqual([2])
  expect(at(observer.observe(observation))).toEqual([])
  expect(at(observer.observe({ ...observation, path: "/home/dev/app/api/src/b.ts" }))).toEqual([4])
})

test("once every rule is met, an observation is not looked at, nor where no rule has a file condition", () => {
  const unseen = new Proxy({} as FileObservation, { get: () => expect.unreachable() })
  const rules = [fileRule("globs: '*.ts'"), fileRule("fileContains: x")]
  const observer = createFileObserver(rules, "/home/dev/app")
  expect(observer.observe({ path: "a.ts", tool: "read", content: "x" })).toEqual(rules)
  expect(observer.observe(unseen)).toEqual([])
  expect(createFileObserver([fileRule("keywords: a")], "/home/dev/app").observe(unseen)).toEqual([])
})

test("a search misses nothing that includes finds, over windows and for literals of any length", () => {
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
        const candidates = new Set(createTextSearch(all).candidatesIn(content))
        const missed = all.filter((each, at) => content.includes(each) && !candidates.has(at))
        expect(missed).toEqual([])
      },
    ),
    { numRuns: runs(300) },
  )
})
