import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { ruleWith } from "../test/rule.ts"
import { NO_FACTS } from "./facts.ts"
import {
  declares,
  describeConditions,
  describeHooks,
  evaluateRule,
  explainObservation,
  type Facts,
  hookMatches,
  matchLifetime,
  ruleLifetime,
  summariseConditions,
} from "./index.ts"
import type { CompiledRule } from "./rule.ts"

describe("how families combine", () => {
  const met: Facts = { ...NO_FACTS, prompt: "deploy", agent: "build", branch: "main" }
  for (const [frontmatter, facts, lifetime, declared] of [
    ["", NO_FACTS, "durable", "durable"],
    ["keywords: deploy\nagent: build", met, "durable", "durable"],
    ["keywords: x\nagent: build", met, "transient", "durable"],
    ["keywords: deploy\nagent: x", met, "durable", "durable"],
    ["keywords: x\nagent: x", met, undefined, "durable"],
    ["agent: build\nbranch: x", met, "transient", "transient"],
    ["match: all\nkeywords: deploy\nagent: build", met, "transient", "transient"],
    ["match: all\nkeywords: deploy\nagent: x", met, undefined, "transient"],
    ["match: all\nkeywords: deploy", met, "durable", "durable"],
    ["match: all", NO_FACTS, "durable", "durable"],
    ["hooks: {type: PreToolUse}", met, undefined, "durable"],
    ["hooks: {type: PreToolUse}\nkeywords: deploy", met, "durable", "durable"],
    ["globs: x\nkeywords: deploy", met, "durable", "durable"],
    ["match: all\nglobs: x\nkeywords: deploy", met, undefined, "durable"],
  ] as const) {
    test(JSON.stringify(frontmatter), () => {
      const rule = ruleWith(frontmatter)
      expect(matchLifetime(rule, facts)).toBe(lifetime)
      expect(ruleLifetime(rule)).toBe(declared)
      const evaluation = evaluateRule(rule, facts)
      expect(evaluation.matched ? evaluation.lifetime : undefined).toBe(lifetime)
    })
  }

  test("an observation counts for its own rule only", () => {
    const rule = ruleWith("globs: x")
    expect(matchLifetime(rule, { ...NO_FACTS, observed: new Map([[rule.id, "src/a.rs"]]) })).toBe("durable")
    expect(declares(rule, "file")).toBeTrue()
    expect(declares(rule, "agent")).toBeFalse()
  })

  test("an evaluation says why, and what became of each condition", () => {
    const prompt = { family: "keywords", met: true, why: 'prompt has "deploy"' }
    const agent = { family: "agent", met: false, why: "agent is not one of x" }
    for (const [frontmatter, expected] of [
      ["", { matched: true, why: "no conditions", lifetime: "durable", verdicts: [] }],
      ["match: all", { matched: true, why: "no conditions", lifetime: "durable", verdicts: [] }],
      ["hooks: { type: PreToolUse }", { matched: false, why: "hooks only", verdicts: [] }],
      [
        "alwaysApply: false",
        { matched: false, why: "on request, without a description: never delivered", verdicts: [] },
      ],
      [
        "alwaysApply: false\ndescription: d",
        { matched: false, why: "on request: the index in the turn's first request names it", verdicts: [] },
      ],
      [
        "agent: x\nkeywords: deploy",
        { matched: true, why: "a condition met", lifetime: "durable", verdicts: [prompt, agent] },
      ],
      ["agent: x", { matched: false, why: "no condition met", verdicts: [agent] }],
      [
        "match: all\nagent: x\nkeywords: deploy",
        { matched: false, why: "not all conditions met", verdicts: [prompt, agent] },
      ],
      [
        "match: all\nkeywords: deploy",
        { matched: true, why: "all conditions met", lifetime: "durable", verdicts: [prompt] },
      ],
    ] as const) {
      expect(evaluateRule(ruleWith(frontmatter), met)).toEqual(expected as never)
    }
  })

  test("of several conditions that are met a durable one decides, wherever it stands", () => {
    const rule = ruleWith("keywords: deploy\nagent: build\nbranch: main\ntools: x")
    const asked: string[] = []
    const conditions = rule.conditions.toReversed().map((condition) => ({
      ...condition,
      isMet: (...args: Parameters<typeof condition.isMet>) => {
        asked.push(condition.family)
        return condition.isMet(...args)
      },
    }))
    expect(matchLifetime({ ...rule, conditions }, met)).toBe("durable")
    // Of the transient ones no more are asked than are needed.
    expect(asked).toEqual(["tools", "branch", "keywords"])
  })

  test("a file is explained from the rule's root, a relative path from the session's folder", () => {
    const rule = { ...ruleWith("agent: x\nglobs: src/*.ts"), root: "/w/api" }
    const observed = (path: string) => ({ path, tool: "read", content: undefined })
    const explain = (path: string) => explainObservation(rule, observed(path), "/w")
    expect(explain("api/src/a.ts")).toBe("path matches src/*.ts")
    expect(explain("src/a.ts")).toBe("path does not match src/*.ts")
    // Beside a nested folder's root, in its project, a file is none of its rules'.
    const anywhere = { ...ruleWith("globs: '**/*.ts'"), root: "/w/api" }
    expect(explainObservation(anywhere, observed("web/a.ts"), "/w")).toBe("path matches **/*.ts")
    expect(explainObservation({ ...anywhere, project: "/w" }, observed("web/a.ts"), "/w")).toBe(
      "path does not match **/*.ts",
    )
    expect(explainObservation(ruleWith("agent: x"), { path: "a", tool: "read", content: "" }, "/w")).toBeUndefined()
  })
})

test("summaries", () => {
  const summary = (frontmatter: string) => summariseConditions(ruleWith(frontmatter))
  expect(summary("globs: '*.rs'\nfileContains: unsafe {")).toBe('*.rs · contains "unsafe {"')
  expect(summary("")).toBe("always")
  expect(summary("match: all\nkeywords: a\nbranch: main")).toBe('prompt "a" and branch main')
  const both = ruleWith("match: all\nkeywords: a\nbranch: main")
  expect(summariseConditions(both, { met: new Set(["branch"]) })).toBe('• prompt "a" and ✓ branch main')
  expect(describeConditions(both, { met: new Set(["branch"]) })).toEqual([
    '• keywords: prompt has one of "a"',
    "✓ branch: branch is one of main",
  ])
  expect(summary("keywords: a\nci: true")).toBe('prompt "a" or in CI')
  expect(summary("hooks:\n  - type: PreToolUse\n    tool: bash")).toBe("PreToolUse bash")
  expect(summary('fileContains: "a\\n\\e[31m"')).toBe('contains "a\\n\\u001b[31m"')
  expect(summary(`fileContains: ${"x".repeat(500)}`).length).toBeLessThan(60)
  expect(describeConditions(ruleWith("globs: a\nagent: b\nhooks: {type: PostToolUse, run: ls}"))).toEqual([
    "file: a",
    "agent: agent is one of b",
    'hook: PostToolUse * · runs "ls" (only with projectCommands)',
  ])
  const enforcing = 'globs: a\nhold: true\nremind: 20000\nforbid: [b, "c\\n"]\nreminder: Keep it.'
  expect(summary(enforcing)).toBe("a · hold · remind 20k · forbids 2")
  expect(summary("remind: 2500")).toBe("always · remind 2.5k")
  expect(summary("remind: 2345")).toBe("always · remind 2345")
  expect(describeConditions(ruleWith(enforcing))).toEqual([
    "file: a",
    "hold: refuses what is forbidden, and holds the first write",
    "remind: again after 20000 tokens",
    'forbid: "b", "c"',
    'reminder: "Keep it."',
  ])
  expect(describeConditions(ruleWith("globs: a\nhold: true"))).toEqual(["file: a", "hold: holds the first write"])
  expect(
    describeConditions(ruleWith("trigger: manual\nhooks: { type: PreToolUse, tool: [a, b], block: true }")),
  ).toEqual(["on request", "hook: PreToolUse a · blocks", "hook: PreToolUse b · blocks"])
  expect(
    describeConditions(ruleWith("hooks: { type: PreToolUse, tool: b, match: x, block: once }\nremind: 2000")),
  ).toEqual(['hook: PreToolUse b · arguments match "x" · blocks once', "remind: again after 2000 tokens"])
  expect(describeConditions(ruleWith("alwaysApply: true\nforbid: a\nhold: true"))).toEqual([
    "always",
    "hold: refuses what is forbidden, and holds the first write",
    'forbid: "a"',
  ])
  expect(describeConditions(ruleWith(`reminder: ${"x".repeat(201)}\nforbid: ${"y".repeat(501)}`))).toEqual([
    "always",
    `forbid: "${"y".repeat(499)}…"`,
    `reminder: "${"x".repeat(199)}…"`,
  ])
  expect(
    summary("hooks:\n  - { type: PreToolUse, tool: [b, c] }\n  - { type: PreToolUse, tool: b, block: true }"),
  ).toBe("PreToolUse b, PreToolUse c")
  expect(summary("alwaysApply: false\nhold: true")).toBe("on request")
  expect(summary("remind: 2000\nforbid: a")).toBe("always · remind 2k · forbids 1")
  const withCommand = ruleWith("hooks: {type: PostToolUse, run: ls}")
  const runs = (rule: CompiledRule, projectCommands?: boolean) => describeHooks(rule, { projectCommands })
  expect(runs(withCommand, false)).toEqual(['hook: PostToolUse * · runs "ls" (off: projectCommands)'])
  expect(runs(withCommand, true)).toEqual(['hook: PostToolUse * · runs "ls"'])
  expect(runs({ ...withCommand, scope: "global" }, false)).toEqual(['hook: PostToolUse * · runs "ls"'])
})

describe("hooks", () => {
  const matches = (
    frontmatter: string,
    tool: string,
    args: unknown,
    type: "PreToolUse" | "PostToolUse" = "PreToolUse",
  ) => ruleWith(frontmatter).hooks.some((hook) => hookMatches(hook, { type, tool, args }))

  test("type, tool and expression", () => {
    const frontmatter =
      'hooks:\n  - type: PreToolUse\n    tool: Bash\n    match: [Gg]it\\s+push\n    block: true\n    run: echo "a": b'
    expect(matches(frontmatter, "bash", { command: "git  push" })).toBeTrue()
    expect(matches(frontmatter, "bash", { command: "git pull" })).toBeFalse()
    expect(matches(frontmatter, "BASH", { command: "git push" })).toBeTrue()
    expect(matches(frontmatter, "edit", { command: "git push" })).toBeFalse()
    expect(matches(frontmatter, "bash", { command: "git push" }, "PostToolUse")).toBeFalse()
    expect(ruleWith(frontmatter).hooks).toMatchObject([{ tool: "Bash", block: true, run: 'echo "a": b' }])
    expect(matches("hooks:\n  type: pretooluse\n  tool: *", "anything", undefined)).toBeTrue()
    expect(matches("hooks: [{type: PreToolUse, tool: edit|write}]", "write", {})).toBeTrue()
    expect(matches("hooks: [{type: PreToolUse, tool: [edit, write]}]", "write", {})).toBeTrue()
    expect(matches("hooks: [{type: PreToolUse, tool: edit|write}]", "read", {})).toBeFalse()
  })

  test("arguments without a JSON form", () => {
    const cyclic: { self?: unknown; list: unknown[]; name: string } = { list: [], name: "needle" }
    cyclic.self = cyclic
    cyclic.list.push(cyclic, 1n)
    const frontmatter = "hooks: {type: PreToolUse, match: needle}"
    expect(matches(frontmatter, "x", cyclic)).toBeTrue()
    const shared = { name: "needle" }
    expect(matches(frontmatter, "x", { a: shared, b: shared })).toBeTrue()
    const hostile = {
      toJSON() {
        throw new Error("no")
      },
    }
    expect(matches(frontmatter, "x", hostile)).toBeFalse()
    expect(matches(frontmatter, "x", undefined)).toBeFalse()
  })

  test("an expression for an argument is tested on its text, one for each that is named", () => {
    const frontmatter = "hooks: {type: PreToolUse, tool: bash, match: {command: '^git push(?! --dry-run)'}}"
    expect(matches(frontmatter, "bash", { description: "x", command: "git push origin" })).toBeTrue()
    expect(matches(frontmatter, "bash", { command: "git push --dry-run" })).toBeFalse()
    expect(matches(frontmatter, "bash", { command: 'echo "git push"' })).toBeFalse()
    for (const args of [{}, { cmd: "git push" }, { command: undefined }, "git push", null, undefined, ["git push"]])
      expect(matches(frontmatter, "bash", args)).toBeFalse()
    const two = "hooks:\n  - type: PreToolUse\n    match:\n      filePath: \\.env$\n      limit: ^5$"
    expect(matches(two, "read", { filePath: "/a/.env", limit: 5 })).toBeTrue()
    expect(matches(two, "read", { filePath: "/a/.env", limit: 50 })).toBeFalse()
    expect(matches(two, "read", { filePath: "/a/.env" })).toBeFalse()
    for (const name of ["filePath", "path"]) {
      const file = `hooks: {type: PreToolUse, tool: read, match: {${name}: \\.env$}}`
      for (const args of [{ filePath: "/a/.env" }, { path: ".env" }]) expect(matches(file, "read", args)).toBeTrue()
      expect(matches(file, "read", { uri: ".env" })).toBeFalse()
    }
    const any = "hooks: {type: PreToolUse, match: {path: \\.env$}}"
    expect(matches(any, "edit", { filePath: "/a/.env" })).toBeTrue()
    expect(matches(any, "github_read", { filePath: "/a/.env" })).toBeFalse()
    expect(matches(any, "apply_patch", { filePath: "/a/.env" })).toBeFalse()
    const nested = 'hooks: {type: PreToolUse, match: {edits: \'"newString":"secret\'}}'
    expect(matches(nested, "multiedit", { edits: [{ newString: "secret" }] })).toBeTrue()
    expect(matches("hooks: {type: PreToolUse, match: {__proto__: x, constructor: y}}", "x", {})).toBeFalse()
    expect(describeConditions(ruleWith(two))).toEqual([
      'hook: PreToolUse * · filePath matches "\\.env$" and limit matches "^5$"',
    ])
  })

  test.each([
    ["match: 'secret'"],
    ['match: \'"filePath":"[^"]*secret(?!\\.example)\''],
    ["match: '(?<!not-)secret(?!\\.example)'"],
    ["match: '(['']|/)secret(?!\\1)'"],
    ["match: {filePath: 'secret$'}"],
    ["match: {filePath: '(?<!not-)secret(?!\\.example)'}"],
  ])("%s sees a path behind any amount of other arguments", (match) => {
    const padding = "x".repeat(70_000)
    const frontmatter = `hooks:\n  - type: PreToolUse\n    ${match}`
    expect(matches(frontmatter, "write", { content: padding, filePath: "/a/secret" })).toBeTrue()
    expect(matches(frontmatter, "write", { filePath: "/a/secret", content: padding })).toBeTrue()
    expect(matches(frontmatter, "write", { content: padding, filePath: "/a/public" })).toBeFalse()
  })

  test("a path in a nested argument is seen behind any amount of others too", () => {
    const many = Array.from({ length: 500 }, (_, index) => ({ text: "x".repeat(1000 + index) }))
    const frontmatter = "hooks: {type: PreToolUse, match: '(?<!not-)secret(?!\\.example)'}"
    const args = { edits: [...many, { text: "y", deep: { paths: ["/a", "/a/secret"] } }] }
    expect(matches(frontmatter, "write", args)).toBeTrue()
    expect(matches(frontmatter, "write", { edits: many })).toBeFalse()
  })

  test("any arguments are safe", () => {
    const hooks = ["a", "(?<!b)a(?!b)", "{a: a, b: '(?<!b)a(?!b)'}"].flatMap(
      (match) => ruleWith(`hooks: {type: PreToolUse, match: ${match.startsWith("{") ? match : `'${match}'`}}`).hooks,
    )
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withNullPrototype: true }), (args) =>
        hooks.every((hook) => typeof hookMatches(hook, { type: "PreToolUse", tool: "x", args }) === "boolean"),
      ),
    )
  })
})
