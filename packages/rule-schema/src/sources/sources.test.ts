import { describe, expect, test } from "bun:test"
import { originLabel, parseRule, type RuleDirectory, type RuleProblem, TOOLS, type ToolName } from "../index.ts"
import { readRuleSource } from "../source.ts"
import { readSourceOptions } from "./options.ts"
import { TOOL_NAMES } from "./table.ts"
import { AT_FILE } from "./tool.ts"

function parsed(directory: RuleDirectory, text: string): string {
  const result = parseRule({ directory, path: `${directory.path}/x.md`, text })
  const problems = result.kind === "rule" ? result.problems : result.rule.problems
  const findings = problems.map(
    ({ severity, code, line, field }) => `${severity} ${code} ${line}${field ? ` ${field}` : ""}`,
  )
  if (result.kind === "broken") return findings.join(", ")
  const { activation, conditions, description } = result.rule
  const details = conditions.map(({ family, details: each }) => ` ${family} ${each}`).join()
  const said = activation === "onRequest" && description === undefined ? " without a description" : ""
  return [`${activation}${said}${details}`, ...findings].join(", ")
}

function ofTool(tool: ToolName, text: string): string {
  const folder = TOOLS[tool].project[0]?.path ?? ""
  const origin = { kind: "tool", tool, folder } as const
  return parsed({ scope: "project", path: `/w/${folder}`, root: "/w", prefix: `${folder}/`, origin }, text)
}

const file = (frontmatter: string, body = "Be careful.") => `---\n${frontmatter}\n---\n${body}\n`

const rows: Readonly<Record<ToolName, readonly [frontmatter: string | undefined, expected: string][]>> = {
  cursor: [
    ["alwaysApply: true", "always"],
    ["description: d\nglobs:\nalwaysApply: true", "always"],
    ["globs: *.ts, src/**\nalwaysApply: true", "always"],
    ["description: d\nglobs: *.ts, src/**\nalwaysApply: false", "conditions file *.ts, src/**"],
    ["globs: *.ts", "conditions file *.ts"],
    ["description: d\nglobs:\nalwaysApply: false", "onRequest"],
    ["description: d", "onRequest"],
    ["globs:\nalwaysApply: false", "onRequest without a description"],
    ["description: d\nglobs:\nalwaysApply:", "onRequest"],
    ["globs: '*.ts'\nalwaysApply:", "conditions file *.ts"],
    [undefined, "onRequest without a description"],
    ["paths: '*.ts'\nalwaysApply: true", "always, warning foreign-key 2 paths"],
    ["keywords: [deploy]\ndescription: d", "onRequest, warning foreign-key 2 keywords"],
    ["hooks:\n  - type: PreToolUse\n    run: rm x\nalwaysApply: true", "always, warning foreign-key 2 hooks"],
  ],
  claude: [
    [undefined, "always"],
    ["paths:\n  - 'src/**/*.ts'", "conditions file src/**/*.ts"],
    ["paths: src/**/*.{ts,tsx}", "conditions file src/**/*.{ts,tsx}"],
    ["paths:", "always"],
    ["globs: '*.ts'", "always, warning foreign-key 2 globs"],
    ["alwaysApply: false\npaths: '*.ts'", "conditions file *.ts, warning foreign-key 2 alwaysApply"],
    ["description: d", "always"],
  ],
  copilot: [
    ["applyTo: '**/*.ts,**/*.tsx'", "conditions file **/*.ts, **/*.tsx"],
    ["applyTo: '**'", "always"],
    ["applyTo: '**/*'", "always"],
    ["applyTo: '*'", "always"],
    ["applyTo: ['**']", "always"],
    ["applyTo: '**,src/**'", "conditions file **, src/**"],
    ["applyTo: ' ** '", "always"],
    ["applyTo: ['**', 'x']", "conditions file **, x"],
    ["applyTo: [['**']]", "error wrong-type 2 applyTo"],
    ["description: d\napplyTo: '**'", "always"],
    ["excludeAgent:\napplyTo: '**'", "always"],
    ["description: d", "onRequest"],
    ["applyTo: ''\ndescription: d", "onRequest"],
    [undefined, "onRequest without a description"],
    ["applyTo: '**'\nexcludeAgent: code-review", "always, warning unsupported-key 3 excludeAgent"],
    ["paths: '*.ts'\napplyTo: '*.md'", "conditions file *.md, warning foreign-key 2 paths"],
    ["paths: '**'\ndescription: d", "onRequest, warning foreign-key 2 paths"],
    ["apply_to: '**'", "always, warning key-form 2 apply_to"],
    ["applyTo: '*.ts'\nalwaysApply: true", "conditions file *.ts, warning foreign-key 3 alwaysApply"],
    ["applyTo: '**'\nhold: true", "always, warning foreign-key 3 hold"],
    ["applyTo: '*.ts'\ntitle: x\nexcludeAgent: ''", "conditions file *.ts"],
  ],
  windsurf: [
    ["trigger: always_on", "always"],
    ["trigger: glob\nglobs: *.ts", "conditions file *.ts"],
    ["trigger: glob", "error no-patterns 2 trigger"],
    ["trigger: model_decision\ndescription: d", "onRequest"],
    ["trigger: manual", "onRequest without a description"],
    ["trigger: model_decision\ndescription: d\nglobs:", "onRequest"],
    [undefined, "always"],
    ["trigger:\nglobs: '*.ts'", "conditions file *.ts"],
    ["globs: ''", "always"],
  ],
  kiro: [
    [undefined, "always"],
    ["inclusion: always", "always"],
    ["inclusion: fileMatch\nfileMatchPattern: 'src/**/*.tsx'", "conditions file src/**/*.tsx"],
    ["inclusion: fileMatch\nfileMatchPattern: ['*.ts', '*.tsx']", "conditions file *.ts, *.tsx"],
    ["inclusion: auto\nname: n\ndescription: d", "onRequest"],
    ["inclusion: manual", "onRequest without a description"],
    ["fileMatchPattern: '*.ts'", "always"],
    ["inclusion:\nfileMatchPattern: '*.ts'", "always"],
    ["inclusion: fileMatch", "error no-patterns 2 inclusion"],
    ["globs: '*.ts'\ninclusion: auto", "onRequest without a description, warning foreign-key 2 globs"],
  ],
  cline: [
    [undefined, "always"],
    ["paths:\n  - 'src/components/**'", "conditions file src/components/**"],
    ["paths: []", "error empty-value 2 paths"],
    ["globs: '*.ts'", "always, warning foreign-key 2 globs"],
    ["paths: ''", "error empty-value 2 paths"],
  ],
  continue: [
    [undefined, "always"],
    ["name: n", "always"],
    ["globs: '**/*.{ts,tsx}'", "conditions file **/*.{ts,tsx}"],
    ["globs: docs/**\nalwaysApply: false\ndescription: d", "conditions file docs/**"],
    ["alwaysApply: false\ndescription: d", "onRequest"],
    ["alwaysApply: true\nglobs: '*.ts'", "always"],
    ["globs: '*.ts'\nregex: ^import", "conditions file *.ts, warning unsupported-key 3 regex"],
    ["regex: ^import", "error unsupported-key 2 regex"],
    ["alwaysApply:\nglobs: '*.ts'", "conditions file *.ts"],
    ["globs: []\nalwaysApply: false\ndescription: d", "onRequest"],
  ],
}

for (const [tool, cases] of Object.entries(rows) as [ToolName, (typeof rows)[ToolName]][]) {
  describe(`a rule of ${TOOLS[tool].title}`, () => {
    for (const [frontmatter, expected] of cases) {
      test(frontmatter ?? "no frontmatter", () => {
        expect(ofTool(tool, frontmatter === undefined ? "Be careful.\n" : file(frontmatter))).toBe(expected)
      })
    }
  })
}

test("what a tool's rule says is at its place, and a name counts in each", () => {
  const problemsOf = (tool: ToolName, frontmatter: string) => {
    const folder = TOOLS[tool].project[0]?.path ?? ""
    const origin = { kind: "tool", tool, folder } as const
    const directory: RuleDirectory = { scope: "project", path: `/w/${folder}`, root: "/w", prefix: "", origin }
    const result = parseRule({ directory, path: `/w/${folder}/x.md`, text: file(frontmatter) })
    const problems = result.kind === "rule" ? result.problems : result.rule.problems
    return [
      result.rule.name,
      ...problems.map(({ severity, code, line, column, field, reason, remedy }) => {
        return `${severity} ${code} ${line}:${column} ${field}: ${reason}. ${remedy}`
      }),
    ]
  }
  expect(problemsOf("windsurf", "name: Own\ntrigger: always_on\npaths: a\nother: b")).toEqual([
    "Own",
    "warning foreign-key 4:1 paths: is not a key of Windsurf's rules and has no effect. Write one of trigger, globs, description, or move the rule to .opencode/rules",
  ])
  expect(problemsOf("claude", "name: Own\ndescription: d")).toEqual(["Own"])
  expect(problemsOf("copilot", "applyTo: '*.ts'\nexcludeAgent: code-review")).toEqual([
    "x",
    "warning unsupported-key 3:1 excludeAgent: keeps the file from one of Copilot's own agents, which can't be honoured here. Remove the rule from this project if it is not for a coding agent",
  ])
  expect(problemsOf("kiro", "name: b\ninclusion: fileMatch\nfileMatchPattern: ''")).toEqual([
    "b",
    "error no-patterns 3:1 inclusion: waits for a file, but the rule has no patterns. Add `globs`",
  ])
})

describe("files that a tool would put into the text", () => {
  for (const [tool, body, expected] of [
    ["cursor", "See @src/api.ts and (@docs/a.md), again @src/api.ts.", ["5", "5"]],
    ["cursor", "@template.tsx", ["5"]],
    ["claude", "Intro.\n- @README.md\n- @~/.claude/mine.md", ["6", "7"]],
    ["cursor", "Use @angular/core, @types/node, a@b.com, `@src/a.ts` and @Injectable().", []],
    ["cursor", '```ts\nimport x from "@/x.ts"\n@a.ts\n```\nDone.', []],
    ["cursor", "```\n@a.ts\n```\n@b.ts", ["8"]],
    ["cursor", "```\n@a.ts", []],
    ["cursor", "```\n@a.ts\n``\n@b.ts", []],
    ["cursor", "````\n```\n@a.ts\n````\n@b.ts", ["9"]],
    ["cursor", "~~~\n```\n@a.ts\n~~~\n@b.ts", ["9"]],
    ["cursor", "\t``` ts\n@a.ts\n  ``` end\n@b.ts", ["8"]],
    ["cursor", "x ```\n@a.ts", ["6"]],
    ["cursor", "`x @a.ts\n@b.ts y`", ["5", "6"]],
    ["cursor", "`x` @a.ts `y`", ["5"]],
    ["cursor", "`see @a.ts now`", []],
    ["cursor", "~ @a.ts\n~~ @b.ts", ["5", "6"]],
    ["cursor", "```\nx\n``` @a.ts\n```", []],
    ["kiro", "The API: #[[file:api/openapi.yaml]]", ["5"]],
    ["kiro", "#[[file:a b.md]], #[[file:a b.md]] and #[[file:c]]d]]", ["5", "5"]],
    ["kiro", "#[[file:]] #[[file:a\n]] [[file:b]]", []],
    ["kiro", "See @src/api.ts.", []],
    ["copilot", "See [the guide](./guide.md).", []],
  ] as const) {
    test(`${tool}: ${body}`, () => {
      const mode = {
        cursor: "alwaysApply: true",
        claude: "paths: '*'",
        kiro: "inclusion: always",
        copilot: "applyTo: '*'",
      }
      const lines = ofTool(tool, file(`${mode[tool]}\ntitle: x`, body))
        .split(", ")
        .slice(1)
      expect(lines).toEqual(expected.map((line) => `warning not-followed ${line}`))
    })
  }
})

test("a reference to a file is a word of its own that ends like a file's name", () => {
  const are =
    "@a.md @./b.md @../c.md @/d.md @~/e.md (@f.md) @g.md, @h.md; @i.md: @j.abcdef @k/l-m_n/o.p.md @.q.md\n@r.md."
  const none = '@s.md! @t.markdown @u.x-y x@v.md @w @x. @y/z @a.5a [@b.md](c) "@d.md" @é.md @~f/g.md'
  const found = (text: string) => Array.from(text.matchAll(AT_FILE), ([, path]) => path)
  expect([found("@a.md"), found("@a.md."), found("@a.md..")]).toEqual([["a.md"], ["a.md"], []])
  expect(found(`${are} ${none}`)).toEqual(
    "a.md ./b.md ../c.md /d.md ~/e.md f.md g.md h.md i.md j.abcdef k/l-m_n/o.p.md .q.md r.md".split(" "),
  )
})

test("what is always so in a tool is there as if it were written", () => {
  const modeOf = (tool: ToolName, frontmatter: string) => {
    const origin = { kind: "tool", tool, folder: TOOLS[tool].project[0]?.path ?? "" } as const
    const { entry } = readRuleSource("/w/x.md", file(frontmatter), origin)
    return (entry("alwaysApply") ?? entry("inclusion"))?.value
  }
  const scalar = { kind: "scalar", offset: 0 }
  expect([modeOf("copilot", "applyTo: '**'"), modeOf("cursor", "title: x"), modeOf("kiro", "title: x")]).toEqual([
    { ...scalar, value: true, text: "true" },
    { ...scalar, value: false, text: "false" },
    { ...scalar, value: "always", text: "always" },
  ] as never)
  expect([modeOf("windsurf", "trigger: manual"), modeOf("claude", "paths: a")]).toEqual([undefined, undefined])
})

test("a source goes by the name that people know it by", () => {
  const tools = TOOL_NAMES.map((tool) => originLabel({ kind: "tool", tool, folder: "" }))
  expect(tools).toEqual(["Cursor", "Claude Code", "GitHub Copilot", "Windsurf", "Kiro", "Cline", "Continue"])
  expect(originLabel({ kind: "pack", name: "@acme/rules", version: "1.2.0" })).toBe("@acme/rules 1.2.0")
})

test("a reference is at its own place, quoted, whatever the lines end with and the frontmatter has", () => {
  const text =
    "---\ntitle: see @docs/a.md\n---\n\nOne.\n\nSee `@src/b.ts` and @docs/a.md, or @docs/a.md.\n\n  ~~~\n  @c.md\n  ~~~\n@./d.md."
  for (const end of ["\n", "\r\n", "\r"]) {
    for (const [written, line] of [
      [text, 0],
      [text.slice(text.indexOf("One.")), -4],
    ] as const) {
      const origin = { kind: "tool", tool: "claude", folder: ".claude/rules" } as const
      const directory = { scope: "project", path: "/w/.claude/rules", root: "/w", prefix: "", origin } as const
      const file = { directory, path: "/w/.claude/rules/x.md", text: written.replaceAll("\n", end) }
      const result = parseRule(file)
      const remedy = "Write into the rule what the model must know, or tell it to read the file"
      const problem = (at: number, column: number, name: string): RuleProblem => ({
        ...{
          severity: "warning" as const,
          code: "not-followed",
          file: file.path,
          line: at + line,
          column,
          field: undefined,
        },
        reason: `"${name}" puts a file into the text in Claude Code, and is not followed here`,
        remedy,
      })
      expect(result.kind === "rule" && result.problems).toEqual([
        problem(7, 21, "@docs/a.md"),
        problem(12, 1, "@./d.md"),
      ])
    }
  }
})

describe("hidden text in a pack's rule", () => {
  const pack: RuleDirectory = {
    scope: "pack:@acme/rules",
    path: "/w/node_modules/@acme/rules/rules",
    root: "/w",
    prefix: "",
    origin: { kind: "pack", name: "@acme/rules", version: "1.0.0" },
  }

  for (const hidden of [
    "\u200B",
    "\u200D",
    "\u202E",
    "\u2066",
    "\u{E0041}",
    "\u{E0101}",
    "\uFE01",
    "\u3164",
    "\u00AD",
    "\u0007",
  ]) {
    test(`U+${hidden.codePointAt(0)?.toString(16)} is refused with its place`, () => {
      expect(parsed(pack, file("name: n", `Use tabs.${hidden} Always.`))).toBe("error hidden-character 4")
    })
  }

  test("the first is named, also where it joins nothing or marks no picture", () => {
    const reasonOf = (text: string) => {
      const result = parseRule({ directory: pack, path: `${pack.path}/x.md`, text })
      const problems = result.kind === "rule" ? result.problems : result.rule.problems
      return problems.map(({ reason, line, column }) => `${line}:${column} ${reason}`)
    }
    for (const [text, place, code] of [
      ["One.\nTwo\u0085 \u200b", "2:4", "U+0085"],
      ["a\u200db", "1:2", "U+200D"],
      ["\u200da", "1:1", "U+200D"],
      ["می\u200c.", "1:3", "U+200C"],
      ["a\u200cی", "1:2", "U+200C"],
      ["👩\u200d", "1:3", "U+200D"],
      ["👩\u200dی", "1:3", "U+200D"],
      ["a\ufe0f", "1:2", "U+FE0F"],
      ["\ufe0e", "1:1", "U+FE0E"],
      ["One.\ufeff", "1:5", "U+FEFF"],
      ["\u{e0041}", "1:1", "U+E0041"],
      ["\u{f0000}", "1:1", "U+F0000"],
      ["\u034f\u17b4", "1:1", "U+034F"],
      ["\u17b5", "1:1", "U+17B5"],
      ["\u115f", "1:1", "U+115F"],
      ["\u2800", "1:1", "U+2800"],
      ["\uffa0", "1:1", "U+FFA0"],
      ["\u1160", "1:1", "U+1160"],
      ["\u{e0080}", "1:1", "U+E0080"],
      ["\u{e0fff}", "1:1", "U+E0FFF"],
      ["\ue000", "1:1", "U+E000"],
      ["\u0000", "1:1", "U+0000"],
      ["❤\u200d", "1:2", "U+200D"],
      ["\u200d❤", "1:1", "U+200D"],
      ["👩\u200b👩", "1:3", "U+200B"],
      ["ی\u00adی", "1:2", "U+00AD"],
    ] as const) {
      expect([text, ...reasonOf(text)]).toEqual([text, `${place} the rule has an invisible character, ${code}`])
    }
  })

  for (const body of ["Be kind 👩‍💻 ❤️ ❤︎ 1️⃣ 🏳️‍🌈 👍🏽.", "می‌خواهم", "क्‍ष", "日本語", "\tTab\r\nLine", "❤\u200d🔥"]) {
    test(`${body} hides nothing`, () => expect(parsed(pack, body)).toBe("always"))
  }

  test("a byte-order mark is one; a rule of the project's own may have what it wants", () => {
    expect(parsed(pack, "\uFEFFUse tabs.")).toBe("always")
    expect(parsed({ scope: "project", path: "/w/.opencode/rules", root: "/w", prefix: "" }, "Use\u200B tabs.")).toBe(
      "always",
    )
  })
})

describe("the options", () => {
  const left = (key: string, wanted: string, shown: string) =>
    `opencode.json: the plugin's option "${key}" takes ${wanted}, not ${shown}; it is left out.`
  const tool = (shown: string) => {
    return left("rulesOf", "one of cursor, claude, copilot, windsurf, kiro, cline, continue", shown)
  }
  const pack = (shown: string) => left("packs", "a package's name", shown)
  for (const [given, options, ...warnings] of [
    [{}, {}],
    [null, {}],
    [undefined, {}],
    ["cursor", {}],
    [{ packs: undefined, other: 1 }, {}],
    [Object.create({ packs: "x" }), {}],
    [{ rulesOf: ["cursor", "claude", "cursor"] }, { rulesOf: ["cursor", "claude"] }],
    [
      { rulesOf: "kiro", packs: "@acme/rules" },
      { rulesOf: ["kiro"], packs: ["@acme/rules"] },
    ],
    [
      { packs: 1, rulesOf: ["vim", 3, "Cursor", null] },
      { rulesOf: [], packs: [] },
      ...['"vim"', "3", '"Cursor"', "null"].map(tool),
      pack("1"),
    ],
    [
      { packs: [`x/${"y".repeat(60)}`, "x/\u202e"] },
      { packs: [] },
      pack(`"x/${"y".repeat(57)}…"`),
      pack('"x/\\u202e"'),
    ],
    [{ packs: [() => 1, { a: "b" }] }, { packs: [] }, pack("function"), pack('{"a":"b"}')],
    [
      { packs: ["../evil", "a/b", "x", "@a/b/c", "", "x\n", ".x", "@.a/b", "@a/.b", "a b"] },
      { packs: ["x"] },
      ...["../evil", "a/b", "@a/b/c", "", "x\\n", ".x", "@.a/b", "@a/.b", "a b"].map((name) => pack(`"${name}"`)),
    ],
    [
      { packs: ["A.b~c_d-1", "@A1/x.y", "_x", "~x", "@-a/-b", "1"] },
      { packs: ["A.b~c_d-1", "@A1/x.y", "_x", "~x", "@-a/-b", "1"] },
    ],
  ] as readonly [given: unknown, options: object, ...warnings: string[]][]) {
    test(JSON.stringify(given), () => {
      expect(readSourceOptions(given)).toEqual({ options, warnings })
    })
  }
})
