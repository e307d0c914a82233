import { describe, expect, test } from "bun:test"
import { parseWith, ruleWith } from "../test/rule.ts"
import { KEY_TESTS, PATTERN_KEYS } from "./known-keys.ts"

/** The conditions of a rule, or "broken"; then its problems as `code field`. */
function outcome(frontmatter: string): string {
  const parsed = parseWith(frontmatter)
  const problems = parsed.kind === "rule" ? parsed.problems : parsed.rule.problems
  const conditions =
    parsed.kind === "rule" ? parsed.rule.conditions.map(({ summary }) => summary).join(" | ") : "broken"
  return [conditions, ...problems.map(({ code, field }) => `${code} ${field}`)].join("; ")
}

describe("a key is read as a known one", () => {
  for (const [frontmatter, expected] of [
    ["paths: a", "a"],
    ["applyTo: a", "a"],
    ["fileMatchPattern: a", "a"],
    ["glob: a", "a; key-form glob"],
    ["Globs: a", "a; key-form Globs"],
    ["GLOB: a", "a; key-form GLOB"],
    ["path: a", "a; key-form path"],
    ["apply_to: a", "a; key-form apply_to"],
    ["apply-to: a", "a; key-form apply-to"],
    ["file_match_pattern: a", "a; key-form file_match_pattern"],
    ["file_contains: a", 'contains "a"; key-form file_contains'],
    ["fileContain: a", 'contains "a"; key-form fileContain'],
    ["Keywords: a", 'prompt "a"; key-form Keywords'],
    ["keyword: a", 'prompt "a"; key-form keyword'],
    ["branches: a", "branch a; key-form branches"],
    ["Tool: a", "tool a; key-form Tool"],
    ["OS: linux", "os linux; key-form OS"],
    ["Match: all\nglobs: a\nkeywords: b", 'a | prompt "b"; key-form Match'],
    ["always_apply: true", "; key-form always_apply"],
    ["Hold: true\nglobs: a", "a; key-form Hold"],
    ["holds: true\nglobs: a", "a; key-form holds"],
    ["re-mind: 20000\nglobs: a", "a; key-form re-mind"],
    ["Forbids: a\nglobs: a", "a; key-form Forbids"],
    ["Reminder: a\nglobs: a", "a; key-form Reminder"],
    ["hold: true\nHold: true", "broken; duplicate-key Hold"],
    ["globs: a\nGlobs: b", "broken; duplicate-key Globs"],
    ["globs: a\nglobs: b", "broken; duplicate-key globs"],
    ["globs\u200B: a", "a"],
    ["globs\u200B: ''", "broken; empty-value globs"],
    ["Glob\u200B: ''", "broken; key-form Glob; empty-value Glob"],
    ["keywords: { globs: a }", "broken; wrong-type keywords"],
  ] as const) {
    test(JSON.stringify(frontmatter), () => expect(outcome(frontmatter)).toBe(expected))
  }
})

describe("what looks like another typo of a condition key breaks the rule", () => {
  for (const key of [
    "keywrods",
    "gloobs",
    "fileContians",
    "aplyTo",
    "hoosk",
    "agnet",
    "comand",
    "barnch",
    "alwaysAply",
    "gl\u043Ebs",
  ]) {
    test(key, () => expect(outcome(`${key}: a`)).toBe(`broken; unknown-key ${key}`))
  }
})

test.each(
  "mode modes modal watch batch patch exclusion exclusions pools books fold bold old type title tags id replyTo".split(
    " ",
  ),
)("%s is a key of somebody else, and no typo", (key) => {
  expect(outcome(`${key}: x\nglobs: a`)).toBe("a")
})

test("what is known of a key, in whatever form it is written", () => {
  const condition = ["known", "condition"]
  for (const [key, ...expected] of [
    ["globs", ...condition, "unmistakable"],
    ["Glob", ...condition, "unmistakable"],
    ["paths", ...condition],
    ["applyTo", ...condition, "unmistakable"],
    ["fileMatchPattern", ...condition, "unmistakable"],
    ["file-contains", ...condition, "unmistakable"],
    ["alwaysApply", ...condition, "unmistakable"],
    ["inclusion", ...condition],
    ["trigger", ...condition],
    ["keywords", ...condition],
    ["hooks", ...condition, "takes mappings"],
    ["Hook", ...condition, "takes mappings"],
    ["hold", ...condition],
    ["Hold", ...condition, "prose"],
    ["remind", ...condition],
    ["Forbid", ...condition, "prose"],
    ["reminder", "known"],
    ["Reminder", "known", "prose"],
    ["match", "known"],
    ["Name", "known"],
    ["description", "known", "descriptive"],
    ["Description", "known", "descriptive"],
    ["regex"],
    ["Mode"],
  ]) {
    const is = {
      known: KEY_TESTS.isKnown(key ?? ""),
      condition: KEY_TESTS.isCondition(key ?? ""),
      unmistakable: KEY_TESTS.isUnmistakable(key ?? ""),
      prose: KEY_TESTS.isProse(key ?? ""),
      "takes mappings": KEY_TESTS.takesMappings(key ?? ""),
      descriptive: KEY_TESTS.isDescriptive(key ?? ""),
    }
    const found = Object.entries(is).flatMap(([name, holds]) => (holds ? [name] : []))
    expect([key, ...found]).toEqual([key, ...expected])
  }
  expect(PATTERN_KEYS).toEqual(["globs", "paths", "applyTo", "fileMatchPattern"])
})

test("nor does a value that YAML refuses hide such a typo", () => {
  for (const [frontmatter, expected] of [
    ["gloobs: *.ts", "broken; unknown-key gloobs"],
    ["fileContians:\n  - @ts-ignore\n  - #include", "broken; unknown-key fileContians"],
    ["keywrods: [@a]\nbranch: *", "broken; unknown-key keywrods"],
    ["\tgloobs: a\nbranch: main", "broken; unknown-key gloobs"],
    ["globs: *.ts\nmtach: @all", "*.ts; unknown-key mtach"],
    ["globs: *.ts\nmtach: @all\nmtach: @any", "*.ts; unknown-key mtach"],
    ["regex: *x", "broken; unsupported-key regex"],
    ["globs: *.ts\nregex: [a-z]+$", "*.ts; unsupported-key regex"],
    ["tags: @a\nglobs: *.ts", "*.ts"],
  ] as const) {
    expect([frontmatter, outcome(frontmatter)]).toEqual([frontmatter, expected])
  }
})

test("a space that is not one, behind the colon", () => {
  expect(outcome("globs:\u00A0a")).toBe("a")
})

describe("keys that mean nothing here", () => {
  for (const frontmatter of [
    "description: x\nmode: g\ntitle: h\ntags: [i]\ntype: j\nmodel_name: k\ncomment: l\nproduct: m\nwatch: n\nglobs: a",
    "tags: [a]\ntags: [b]\nglobs: a",
    "tags:\t[a]\nglobs: a",
    "\ttags: [a]\nglobs: a",
    "globs: a\n\ttags: [a]",
    "tags: [a\nglobs: a",
    'title: "a\nglobs: a',
    "title: a: b\nglobs: a",
    "title: @a\nglobs: *\nname: x",
    "description: a: b\n  c\nglobs: a",
    "x: !y z\nglobs: a",
    "globs: a\n\n# More\nversion: 1.0\nauthor: the team",
    "globs: a\n\nversion: 1.0\nAuthor: the team",
    "? a\n: b\nglobs: a",
    "x: &y a\nglobs: *y\n\ttags: c",
  ]) {
    test(`break nothing: ${JSON.stringify(frontmatter)}`, () => {
      const parsed = parseWith(frontmatter)
      expect(parsed.kind).toBe("rule")
      expect(parsed.kind === "rule" && parsed.rule.conditions.map(({ family }) => family)).toEqual(["file"])
      expect(parsed.kind === "rule" && parsed.problems.filter(({ code }) => code !== "key-form")).toEqual([])
    })
  }

  test("an unindented second line of a description is part of it, with a warning", () => {
    const parsed = parseWith("description: How we release,\nstep by step\nglobs: a")
    expect(parsed).toMatchObject({
      kind: "rule",
      rule: { description: "How we release, step by step" },
      problems: [{ severity: "warning", code: "stray-line", line: 3, column: 1, field: "description" }],
    })
  })

  test("of two descriptions the first counts, with a warning", () => {
    expect(outcome("description: a\ndescription: b\nglobs: a")).toBe("a; duplicate-key description")
    expect(outcome("description: a\nDescription: b\nglobs: a")).toBe("a; duplicate-key Description")
    expect(outcome("description: a\ndescription: |\n  globs: b\nglobs: a")).toBe("a; duplicate-key description")
    for (const frontmatter of [
      "description: a\ndescription: b\nglobs: a",
      "description: a\nDescription: b\nglobs: a",
      "description: a\ndescription: b: c\nglobs: *.ts",
      "description: a\ntitle: x\ntitle: y\ndescription: @b\ndescription: c\nglobs: *.ts",
    ]) {
      expect([frontmatter, ruleWith(frontmatter).description]).toEqual([frontmatter, "a"])
    }
  })

  test("a typo of a key without conditions is a warning", () => {
    expect(outcome("nmae: x\nglobs: a")).toBe("a; unknown-key nmae")
    expect(outcome("forbit: x\nglobs: a")).toBe("a; unknown-key forbit")
    expect(outcome("hodl: true\nglobs: a")).toBe("a; unknown-key hodl")
    expect(outcome("fold: true\nbold: true\nglobs: a")).toBe("a")
  })
})

test("problems of keys are at the key, and name the one that is meant", () => {
  const values = "Keep one of them, with all the values"
  for (const [frontmatter, ...expected] of [
    ["apply-to: a", "warning key-form 2:1 apply-to: is read as `applyTo`. Write `applyTo`"],
    [
      "tags: b\n\u200Bglobs: a",
      "warning invisible-character 3:1 undefined: the line begins with an invisible character, which is ignored. Remove it",
    ],
    ["globs: a\nname: b\nGlobs: c", `error duplicate-key 4:1 Globs: the key is declared twice. ${values}`],
    [
      "description: a\nname: b\nDescription: c",
      "warning duplicate-key 4:1 Description: the key is declared twice, and this one is ignored. Keep one of them",
    ],
    [
      "description: a: b\nname: b\ndescription: c",
      "warning duplicate-key 4:1 description: the key is declared twice, and this one is ignored. Keep one of them",
    ],
    ["gloobs: a", "error unknown-key 2:1 gloobs: unknown key. Did you mean `globs`? Write `globs`, or remove the key"],
    [
      "inclusoin: a",
      "error unknown-key 2:1 inclusoin: unknown key. Did you mean `inclusion`? Write `inclusion`, or remove the key",
    ],
    [
      "globs: a\nmtach: all",
      "warning unknown-key 3:1 mtach: unknown key, which is ignored. Did you mean `match`? Write `match`, or remove the key",
    ],
    [
      "globs: a\nremidner: b",
      "warning unknown-key 3:1 remidner: unknown key, which is ignored. Did you mean `reminder`? Write `reminder`, or remove the key",
    ],
    [
      "cursor:\n  description: a\n  applyTo: b",
      "error hidden-frontmatter 4:3 applyTo: stands below `cursor`, where it is not read. Begin its line at the margin",
    ],
    ...["{ globs: a }", "&x { globs: a }", "{ 'globs': *.ts, b: @c }", "{ globs: *.ts } # d"].map(
      (braces) =>
        [
          `rule: ${braces}\ntitle: @x`,
          `error hidden-frontmatter 2:${6 + braces.search(/'?globs/) + 1} globs: stands below \`rule\`, where it is not read. Begin its line at the margin`,
        ] as const,
    ),
    ["rule: { a,b }\nglobs: *.ts"],
    ["rule: { a: b, a: c }\ntitle: { d\nglobs: *.ts"],
    // A merge key brings it to the top, and what is above is read in any case.
    ["base: &b\n  globs: x\n<<: *b"],
    ["rule: { applyTo: x }\napplyTo: y"],
    ["rule: { Globs: x, apply-to: y }\nglobs: z\napplyTo: z"],
    [
      "rule: { keywords: x, Globs: y, fileContains: z }\napplyTo: z",
      "error hidden-frontmatter 2:22 Globs: stands below `rule`, where it is not read. Begin its line at the margin",
    ],
    [
      "rule: { file-contains: z }",
      "error hidden-frontmatter 2:9 file-contains: stands below `rule`, where it is not read. Begin its line at the margin",
    ],
    [
      "rule: { fileMatchPattern: z }",
      "error hidden-frontmatter 2:9 fileMatchPattern: stands below `rule`, where it is not read. Begin its line at the margin",
    ],
    ["rule: { keywords: x }"],
    ["rule: [{ globs: x }]\nkeywords: b"],
  ] as const) {
    const parsed = parseWith(frontmatter)
    const problems = parsed.kind === "rule" ? parsed.problems : parsed.rule.problems
    const said = problems.map(({ severity, code, line, column, field, reason, remedy }) => {
      return `${severity} ${code} ${line}:${column} ${field}: ${reason}. ${remedy}`
    })
    expect([frontmatter, ...said]).toEqual([frontmatter, ...expected])
  }
})
