import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NO_FACTS } from "../src/facts.ts"
import {
  type CompiledRule,
  createFileObserver,
  describeConditions,
  evaluateRule,
  formatProblem,
  hookMatches,
  loadRulebook,
  type Rulebook,
  summariseConditions,
} from "../src/index.ts"

const KB = 1024
const MB = 1024 * KB
const BOMB = Array.from({ length: 12 }, (_, level) => {
  const items = Array.from({ length: 10 }, () => (level === 0 ? "x" : `*a${level - 1}`)).join(", ")
  return `a${level}: &a${level} [${items}]`
}).join("\n")

/** Rules that can never match, each with the problem that says why. */
const refused: Record<string, readonly [text: string, code: string]> = {
  "deep-flow.md": [`---\nglobs: ${"[".repeat(20_000)}${"]".repeat(20_000)}\n---\nText`, "yaml-syntax"],
  "deep-block.md": [`---\n${deepBlock(400)}\n---\nText`, "yaml-syntax"],
  "bomb.md": [`---\n${BOMB}\nglobs: *a11\n---\nText`, "yaml-syntax"],
  "frontmatter.md": [`---\nglobs: ["${"x".repeat(300 * KB)}"]\n---\nText`, "too-large"],
  "braces.md": [`---\nglobs: "${"{a,b}".repeat(30)}"\n---\nText`, "bad-glob"],
  "range.md": ['---\nglobs: "{1..999999999}.ts"\n---\nText', "bad-glob"],
  "nested-braces.md": [`---\nglobs: "${"{a,".repeat(100)}${"}".repeat(100)}"\n---\nText`, "bad-glob"],
  "stars.md": [`---\nglobs: "${"*a".repeat(40)}"\n---\nText`, "bad-glob"],
  "globstars.md": [`---\nglobs: "${"**/a/".repeat(40)}"\n---\nText`, "bad-glob"],
  "repeats.md": ['---\nglobs: "+(+(a|b)|a)c"\n---\nText', "bad-glob"],
  "lookahead.md": ["---\nhooks:\n  - type: PreToolUse\n    match: '(?=(a+)+$)b(?<=b)'\n---\nText", "bad-regex"],
  "null.md": ['---\nglobs: "a\u0000b"\n---\nText', "yaml-syntax"],
  "two.md": ["---\nglobs: a\nglobs: b\n---\nText", "duplicate-key"],
}

/** Rules that work, whatever they look like. */
const accepted: Record<string, string> = {
  "body.md": `---\nglobs: "*.rs"\n---\n${"long ".repeat(1.9 * MB)}`,
  "proto.md": '---\n__proto__: { globs: "*.go" }\nconstructor: x\nglobs: "*.rs"\n---\nText',
  "bidi.md": '---\nname: "safe\\u202Egnp.exe\\u0007\\x1b[31m"\nglobs: "*.rs"\n---\nText',
  "explosive-hook.md": "---\nglobs: '*.rs'\nhooks:\n  - type: PreToolUse\n    match: '^(a+)+(.*)*$x'\n---\nText",
  "many-literals.md": `---\nfileContains: [${Array.from({ length: 3000 }, (_, at) => `"literal${at}"`).join(", ")}]\n---\nText`,
  "long-literal.md": `---\nfileContains: "${"ab".repeat(50 * KB)}"\n---\nText`,
  "plain.md": '---\nglobs: "*.rs"\n---\nText',
}

let root = ""
let book: Rulebook
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "rulebook-hostile-"))
  const rules = join(root, "rules")
  await mkdir(rules)
  for (const [name, [text]] of Object.entries(refused)) await writeFile(join(rules, name), text)
  for (const [name, text] of Object.entries(accepted)) await writeFile(join(rules, name), text)
  await writeFile(join(rules, "too-large.md"), "x".repeat(10 * MB + 1))
  await writeFile(join(rules, "evil\u001b[31m\u202E\n.md"), "---\nglobs: [\n---\nText")
  book = await loadRulebook([{ scope: "project", path: rules, root, prefix: "" }])
})
afterAll(() => rm(root, { recursive: true, force: true }))

describe("hostile rules", () => {
  for (const [name, [, code]] of Object.entries(refused)) {
    test(`${name} never matches, and says why in one line`, () => {
      const broken = book.broken.find(({ file }) => file.endsWith(`/${name}`))
      expect(broken?.problems.length).toBeGreaterThan(0)
      expect(broken?.problems[0]?.code).toBe(code)
      for (const problem of broken?.problems ?? []) {
        const line = formatProblem(problem)
        expect(line.length).toBeLessThan(1000)
        expect(line).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u)
      }
    })
  }

  test("a file that is too large, and one with controls in its name, are told like the others", () => {
    expect(book.problems.filter(({ code }) => code === "too-large")).toHaveLength(2)
    const lines = book.problems.map(formatProblem)
    expect(lines.filter((line) => line.includes("\\u001b[31m"))).toHaveLength(1)
    for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\u202A-\u202E]/u)
  })

  test("the others load, match and show as if nothing were", () => {
    const names = book.rules.map(({ file }) => file.slice(file.lastIndexOf("/") + 1))
    expect(names).toEqual(Object.keys(accepted).toSorted())
    const observer = createFileObserver(book.rules, root)
    const met = observer.observe({ path: "src/a.rs", tool: "read", content: "fn main() {}" })
    expect(met.map(({ file }) => file.slice(file.lastIndexOf("/") + 1))).toEqual([
      "bidi.md",
      "body.md",
      "explosive-hook.md",
      "plain.md",
      "proto.md",
    ])
    for (const rule of book.rules) {
      const shown = [rule.name, summariseConditions(rule), ...describeConditions(rule)]
      shown.push(...evaluateRule(rule, NO_FACTS).verdicts.map(({ why }) => why))
      for (const text of shown) expect(text).not.toMatch(/[\p{Cc}\u202A-\u202E]/u)
    }
  })

  test("`__proto__` is a key like any unknown one", () => {
    const proto = named("proto.md")
    const observer = createFileObserver([proto], root)
    expect(observer.observe({ path: "a.go", tool: "read", content: undefined })).toEqual([])
    expect(observer.observe({ path: "a.rs", tool: "read", content: undefined })).toEqual([proto])
    expect(({} as Record<string, unknown>)["globs"]).toBeUndefined()
  })

  test("a hook's expression that would explode is still answered", () => {
    const [hook] = named("explosive-hook.md").hooks
    const args = { content: "a".repeat(60 * KB) }
    expect(hook && hookMatches(hook, { type: "PreToolUse", tool: "write", args })).toBe(false)
  })
})

describe("hostile observations", () => {
  const paths = [
    "",
    "/",
    "a/".repeat(20_000),
    "../".repeat(20_000),
    "x".repeat(MB),
    `${"a".repeat(4 * KB)}/`.repeat(20),
    "\u0000",
    "\u202Ea.rs",
    "\ud800",
    "C:\\a\\..\\..\\b",
    "__proto__",
    "*".repeat(10_000),
  ]
  const texts = [
    undefined,
    "",
    "\u0000".repeat(MB),
    "a".repeat(10 * MB),
    "\r\n".repeat(MB),
    "literal".repeat(100_000),
    "\ud800",
  ]

  test("each is taken, and a good one after it is met as ever", () => {
    for (const path of paths) expect(met(path, "fn main() {}")).toContain("plain.md")
    for (const text of texts) expect(met("src/x.txt", text)).toContain("plain.md")
  })

  /** The rules met by a hostile observation and then by a good one. */
  function met(path: string, content: string | undefined): string[] {
    const observer = createFileObserver(book.rules, root)
    const rules = [
      ...observer.observe({ path, tool: "read", content }),
      ...observer.observe({ path: "a.rs", tool: "read", content: "x" }),
    ]
    return rules.map(({ file }) => file.slice(file.lastIndexOf("/") + 1))
  }
})

function named(name: string): CompiledRule {
  const rule = book.rules.find(({ file }) => file.endsWith(`/${name}`))
  if (!rule)
    throw new Error(`${name} is no rule: ${JSON.stringify(book.broken.find(({ file }) => file.endsWith(name)))}`)
  return rule
}

function deepBlock(levels: number): string {
  return Array.from({ length: levels }, (_, level) => `${" ".repeat(level)}k:`)
    .join("\n")
    .replace(/^k:/, "globs:")
}
