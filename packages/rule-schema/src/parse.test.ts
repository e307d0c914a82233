import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { conditionsOf, parseText, parseWith, path, ruleWith } from "../test/rule.ts"
import { runs } from "../test/runs.ts"
import { digestOf } from "./identity.ts"
import { formatProblem, parseRule, type RuleId, type RuleProblem } from "./index.ts"

describe("what fails closed, with one error", () => {
  for (const [frontmatter, code, line, column, field] of [
    ["globs: [a", "yaml-syntax", 2, 1, "globs"],
    ["fileContains: [unclosed", "yaml-syntax", 2, 1, "fileContains"],
    ['name: x\nglobs: "a', "yaml-syntax", 3, 1, "globs"],
    ["\tglobs: x", "yaml-syntax", 2, 1, undefined],
    ['fileContains: "\\d"', "yaml-syntax", 2, 16, "fileContains"],
    ["globs: a\nname: x\nglobs: b", "duplicate-key", 4, 1, "globs"],
    ["- a", "not-a-mapping", 2, 1, undefined],
    ["just text", "not-a-mapping", 2, 1, undefined],
    ["globs: 42", "wrong-type", 2, 8, "globs"],
    ["globs: true", "wrong-type", 2, 8, "globs"],
    ["globs:\n  a: b", "wrong-type", 3, 3, "globs"],
    ["globs:", "empty-value", 2, 7, "globs"],
    ["paths: ''", "empty-value", 2, 8, "paths"],
    ["globs: '{a,b'", "bad-glob", 2, 8, "globs"],
    ["globs: '[ab'", "bad-glob", 2, 8, "globs"],
    ["globs: {1..1000000}", "bad-glob", 2, 8, "globs"],
    ["globs: !a", "only-exclusions", 2, 8, "globs"],
    ["fileContains:", "empty-value", 2, 14, "fileContains"],
    ["fileContains: ~", "empty-value", 2, 15, "fileContains"],
    ["fileContains: []", "empty-value", 2, 15, "fileContains"],
    ["fileContains: ['', ' ']", "empty-value", 2, 15, "fileContains"],
    ["fileContains: 42", "wrong-type", 2, 15, "fileContains"],
    ["fileContains: [1, true]", "wrong-type", 2, 16, "fileContains"],
    ["fileContains: {a: b}", "wrong-type", 2, 15, "fileContains"],
    ["fileContains: # text", "empty-value", 2, 15, "fileContains"],
    ["keywords: {a: b}", "wrong-type", 2, 11, "keywords"],
    ["command: [' ']", "empty-value", 2, 10, "command"],
    ["os: macos", "wrong-type", 2, 5, "os"],
    ["project: [java]", "wrong-type", 2, 11, "project"],
    ["ci: maybe", "wrong-type", 2, 5, "ci"],
    ["match: some", "wrong-type", 2, 8, "match"],
    ["name: [x]", "wrong-type", 2, 1, "name"],
    ["name:", "empty-value", 2, 1, "name"],
    ["branch: '[a'", "bad-glob", 2, 9, "branch"],
    ["hooks: []", "empty-value", 2, 1, "hooks"],
    ["hooks:", "empty-value", 2, 1, "hooks"],
    ["hooks: text", "wrong-type", 2, 8, "hooks[0]"],
    ["hooks:\n  - type: X", "wrong-type", 3, 11, "hooks[0].type"],
    ["hooks:\n  - type: PreToolUse\n    match: '('", "bad-regex", 4, 12, "hooks[0].match"],
    ["hooks:\n  - type: PreToolUse\n    match: {command: '('}", "bad-regex", 4, 22, "hooks[0].match.command"],
    ["hooks:\n  - type: PreToolUse\n    match: {}", "empty-value", 4, 12, "hooks[0].match"],
    ["hooks:\n  - type: PreToolUse\n    match: {command: }", "wrong-type", 4, 22, "hooks[0].match.command"],
    ["hooks:\n  - type: PreToolUse\n    match: [a, b]", "wrong-type", 4, 12, "hooks[0].match"],
    ["hooks:\n  - type: PreToolUse\n    block: 3", "wrong-type", 4, 12, "hooks[0].block"],
    ["hooks:\n  - type: PreToolUse\n    run: ' '", "wrong-type", 4, 10, "hooks[0].run"],
    ["hooks:\n  - type: PreToolUse\n    tool: []", "wrong-type", 4, 11, "hooks[0].tool"],
    ["a: &a [*a]\nglobs: x", "yaml-syntax", 2, 1, undefined],
    ["globs: a\u0007", "yaml-syntax", 2, 9, undefined],
  ] as const) {
    test(JSON.stringify(frontmatter), () => {
      const parsed = parseWith(frontmatter)
      expect(parsed).toMatchObject({
        kind: "broken",
        rule: { problems: [{ severity: "error", code, file: path, line, column, field }] },
      })
      expect(parsed.kind === "broken" && parsed.rule.problems).toHaveLength(1)
    })
  }

  test("an operating system by its everyday name: the remedy says what to write", () => {
    const parsed = parseWith("os: [linux, macOS]")
    const [problem] = parsed.kind === "rule" ? parsed.problems : []
    expect(problem?.reason).toBe('"macos" is not one of linux, darwin, win32, so it is left out')
    expect(problem?.remedy).toBe("macOS is `darwin`")
  })

  test("aliases that multiply are refused quickly", () => {
    const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    for (let level = 1; level < 20; level += 1) lines.push(`a${level}: &a${level} [${`*a${level - 1}, `.repeat(10)}]`)
    expect(conditionsOf(parseWith(lines.join("\n")))).toBe("error yaml-syntax")
  })

  test("an unclosed fence and an empty body", () => {
    expect(conditionsOf(parseText("---\nglobs: a\nBody"))).toBe("error unclosed-fence")
    expect(conditionsOf(parseText("---\nglobs: a\n---\n\n"))).toBe("error empty-body")
    expect(conditionsOf(parseText("---\nhooks: {type: PreToolUse, block: true}\n---\n"))).toBe("")
    const codes = (frontmatter: string) => {
      const parsed = parseText(`---\n${frontmatter}\n---\n`)
      return parsed.kind === "rule" ? parsed.problems.map(({ code }) => code) : []
    }
    expect(codes("hooks: { type: PreToolUse, run: x }")).toEqual([])
    expect(codes("hooks: { type: PreToolUse, run: x, block: once }")).toEqual(["empty-body"])
    expect(codes("hooks: { type: PreToolUse, run: x }\nhold: true")).toEqual(["empty-body"])
    expect(codes("hooks: [{ type: PreToolUse, block: once }, { type: PreToolUse, run: x }]")).toEqual(["empty-body"])
    expect(codes("hooks: { type: PreToolUse, run: x }\nremind: 20000")).toEqual(["empty-body"])
    expect(codes("hooks: { type: PreToolUse, run: x }\nforbid: y")).toEqual([])
    expect(codes("hooks: [{ type: PreToolUse }, { type: PostToolUse, run: x }]")).toEqual([])
    expect(codes("hooks: { type: PreToolUse, block: true }")).toEqual(["empty-body"])
    // What breaks the rule is said alone.
    expect(conditionsOf(parseText("---\nglobs: '{a'\n---\n"))).toBe("error bad-glob")
  })

  test("positions count from the file's start, without the mark, in CRLF files too", () => {
    const parsed = parseText("\uFEFF<!-- x -->\r\n---\r\nname: y\r\nos: [linux,\r\n  macos]\r\n---\r\nBody")
    expect(parsed).toMatchObject({ kind: "rule", problems: [{ severity: "warning", line: 5, column: 3, field: "os" }] })
  })
})

test("a rule is what its file says, and where it is", () => {
  const place = {
    scope: "project",
    path: "/w/api/.opencode/rules",
    root: "/w/api",
    prefix: "api/",
    project: "/w",
  } as const
  const frontmatter =
    "name: A\ndescription: 'D\n  e'\nmatch: all\nglobs: a\nos: linux\nhold: yes\nremind: 3k\nforbid: [b]\nreminder: R.\nhooks: { type: PreToolUse, tool: bash, run: ls }"
  const text = `---\r\n${frontmatter}\r\n---\r\n\r\nOne\r\n  Two  \r\n\r\n`
  const parsed = parseRule({ directory: place, path: `${place.path}/x.md`, text })
  if (parsed.kind === "broken") throw new Error(JSON.stringify(parsed.rule.problems))
  const { conditions, ...rule } = parsed.rule
  expect(conditions.map(({ family, lifetime }) => [family, lifetime])).toEqual([
    ["file", "durable"],
    ["os", "durable"],
  ])
  expect(rule).toEqual({
    ...{ id: "project:api/x.md" as RuleId, scope: "project", file: `${place.path}/x.md`, name: "A" },
    ...{ digest: digestOf(text), root: "/w/api", project: "/w", body: "One\n  Two", match: "all" },
    ...{ activation: "conditions", description: "D e", hold: true, remind: 3000, forbid: ["b"], reminder: "R." },
    hooks: [{ type: "PreToolUse", tool: "bash", names: ["bash", "shell"], match: undefined, block: false, run: "ls" }],
  })
  const origin = { kind: "tool", tool: "cursor", folder: ".cursor/rules" } as const
  const broken = parseRule({ directory: { ...place, origin }, path: `${place.path}/x.mdc`, text: "---\nglobs: a" })
  expect(broken).toMatchObject({ kind: "broken", rule: { origin, name: "x", id: "project:api/x.mdc" } })
  expect(Object.keys(rule)).not.toContain("origin")
})

test("what describes a rule is one line of text, or nothing", () => {
  for (const [value, description] of [
    ["5", "5"],
    ["", undefined],
    ["' '", undefined],
    ["[a]", undefined],
    ["{ a: b }", undefined],
    ["null", undefined],
    ['"a\\a b"', "a b"],
  ] as const) {
    expect([value, ruleWith(`description: ${value}\nglobs: a`).description]).toEqual([value, description])
  }
})

describe("what is read as meant", () => {
  for (const [frontmatter, expected] of [
    ["globs: src/", "file: src/"],
    ["globs: 'a,{b,c}/*.ts, [,].x'", "file: a, {b,c}/*.ts, [,].x"],
    ["paths: a/*\napplyTo: b/*\nglobs: c/*", "file: c/*, a/*, b/*"],
    ["fileContains: [' x ', x, X]", 'file: contains "x", "X"'],
    ["fileContains: a, b", 'file: contains "a, b"'],
    ["keywords: deploy, release", 'keywords: prompt has one of "deploy", "release"'],
    ["keywords: ['first, second']", 'keywords: prompt has one of "first, second"'],
    ["os: linux, darwin", "os: os is one of linux, darwin"],
    ["os: [Linux, LINUX]", "os: os is one of linux"],
    ["globs: []\nalwaysApply: true", ""],
    ["globs: a\nalwaysApply: true", ""],
    ['ci: "TRUE"', "ci: running in CI"],
    ["ci: false", "ci: not running in CI"],
    ["command: /review", "command: command is one of review"],
    ["globs:\nalwaysApply: true", ""],
    ["# nothing", ""],
    ["", ""],
    ["__proto__: x\nglobs: a", "file: a"],
    ["tools: bash\nbranch: main\nglobs: a", "file: a | branch: branch is one of main | tools: tool is one of bash"],
  ] as const) {
    test(JSON.stringify(frontmatter), () => expect(conditionsOf(parseWith(frontmatter))).toBe(expected))
  }

  test("match and name", () => {
    expect(ruleWith("match: ALL\nname: '  a\\nb  '").match).toBe("all")
    expect(ruleWith('name: " a\\n\\u0007b "').name).toBe("a b")
    expect(ruleWith("name: 1.10").name).toBe("1.10")
    expect(ruleWith("globs: a").name).toBe("rule")
  })

  test("the identity comes from the path", () => {
    const one = ruleWith("globs: a")
    const other = ruleWith("globs: b\nname: x")
    expect(one.id as string).toBe("project:rule.md")
    expect(other.id).toBe(one.id)
    expect(other.digest).not.toBe(one.digest)
    const long = `globs: a\n---\n${"x".repeat(100_000)}`
    expect(ruleWith(`${long}a`).digest).not.toBe(ruleWith(`${long}b`).digest)
    const nested = parseRule({
      directory: { scope: "global", path: "C:\\u\\rules", root: "C:\\w", prefix: "p/" },
      path: "C:\\u\\rules\\a\\b.MD",
      text: "x",
    })
    expect(nested.rule).toMatchObject({ id: "global:p/a/b.MD", name: "b" })
  })
})

describe("properties", () => {
  const line = fc.oneof(
    fc.string({ unit: "binary", maxLength: 20 }),
    fc
      .tuple(
        fc.constantFrom("globs", "fileContains", "keywords", "hooks", "name", "x", "- "),
        fc.string({ maxLength: 20 }),
      )
      .map(([key, value]) => `${key}: ${value}`),
    fc.constantFrom(
      "---",
      "- *.ts",
      "  - type: PreToolUse",
      "# x",
      "",
      "x: |",
      "  {a,b}/*",
      "globs: [",
      "]",
      "<!--",
      "-->",
      "\uFEFF",
    ),
  )
  const text = fc
    .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom("\n", "\r\n", "\r"))
    .map(([lines, end]) => lines.join(end))

  const problemsOf = (source: string): readonly RuleProblem[] => {
    const parsed = parseText(source)
    return parsed.kind === "rule" ? parsed.problems : parsed.rule.problems
  }

  test("parseRule never throws, and its positions are in the file", () => {
    const check = (source: string) => {
      const lines = source.split(/\r\n|\n|\r/)
      for (const problem of problemsOf(source)) {
        expect(problem.line).toBeWithin(1, lines.length + 1)
        expect(problem.column).toBeWithin(1, (lines[problem.line - 1] ?? "").length + 2)
        expect(formatProblem(problem)).not.toMatch(/\p{Cc}/u)
      }
    }
    fc.assert(fc.property(text, check), { numRuns: runs(400) })
    fc.assert(
      fc.property(text, (source) => check(`---\n${source}\n---\nBody`)),
      { numRuns: runs(800) },
    )
    fc.assert(fc.property(fc.string({ unit: "binary" }), check), { numRuns: runs(200) })
  })

  test("a declared condition never becomes an unconditional rule", () => {
    const value = fc.string({ maxLength: 30 }).filter((raw) => !/[\r\n]/.test(raw))
    fc.assert(
      fc.property(fc.constantFrom("globs", "fileContains", "keywords", "branch", "agent"), value, (key, raw) => {
        const parsed = parseWith(`${key}: ${raw}`)
        expect(parsed.kind === "broken" || parsed.rule.conditions.length === 1).toBeTrue()
      }),
      { numRuns: runs(1500) },
    )
  })
})
