import { describe, expect, setDefaultTimeout, test } from "bun:test"
import { parseRule } from "@opencode-rulebook/rule-schema"
import { keywordPattern, readRuleSource } from "@opencode-rulebook/rule-schema/authoring"
import { FIELDS } from "@opencode-rulebook/rule-schema/reference"
import fc from "fast-check"
import { codes, DIRECTORY, lint, lintedRule, ROOT, said, surroundings } from "../../test/linted.ts"
import { rule as ruleText } from "../../test/project.ts"
import { EVERYDAY_WORDS, PREFIX_WORDS } from "./everyday-words.ts"
import { LINTS } from "./table.ts"

setDefaultTimeout(60_000)

const table: Record<string, readonly (readonly [frontmatter: string, expected: string])[]> = {
  "keywords that are too broad": [
    ["keywords: [deploy, The, release]", "broad-keyword 2:20"],
    ["keywords:\n  - go", "broad-keyword 3:5"],
    ["keywords: [x]", "broad-keyword 2:12"],
    ["keywords: [go module, commit, 部]", ""],
    ["keywords: [constructor, toString]", ""],
    ["match: all\nkeywords: [fix]\nagent: build", ""],
    ["match: all\nkeywords: [fix]", "broad-keyword 3:12"],
  ],
  "globs that meet no file": [
    ['globs: "**/*.rs"', "glob-without-file 2:8"],
    ["globs: src/*.ts", ""],
    ["globs: ['*.ts', '*.rs']", ""],
    ["globs: ['src/*.ts', 'scr/*.ts']", "glob-without-file 2:21"],
    ["globs: ./src/deep/*.test.ts", ""],
    ["globs: .env", ""],
    ["globs: dist/**/*.js", ""],
    ["globs: ['**/dist/**']", ""],
    ["globs: [src/*.ts, dist/deep/*.js]", ""],
    ["globs: [src/*.ts, dis/*.js]", "glob-without-file 2:19"],
    ["globs: web/[id]/*.tsx", ""],
    ["globs: /src/**", ""],
    ["globs: /etc/**", ""],
    ["globs: ['../other/**', src/*.ts]", ""],
    ["paths: lib/**", "glob-without-file 2:8"],
    ["globs: ['**/*.ts', '!**/*.ts.snap']", ""],
    ["globs: ['src/**', '!src/**/*.ts']", "glob-without-file 2:9"],
  ],
  "globs that are nearly right": [
    ["globs: src", "glob-without-file 2:8"],
    ["globs: [.ts, '*.tsx']", "glob-without-file 2:9"],
    ["globs: ['*.ts', components/*.tsx]", "glob-without-file 2:17"],
    ["globs: ['*.ts', deep]", "glob-without-file 2:17"],
    ["globs: ['*.ts', Makefile]", ""],
    ["globs: [src/**, .env]", ""],
  ],
  "literals that look like expressions": [
    ["fileContains: TODO|FIXME", "literal-expression 2:15"],
    ["fileContains: '(TODO|FIXME)'", "literal-expression 2:15"],
    ["fileContains: '/unsafe\\s+\\{/'", "literal-expression 2:15"],
    ["fileContains: ['ok', '^import .*']", "literal-expression 2:22"],
    ["fileContains: 'import .* from'", "literal-expression 2:15"],
    ["fileContains: 'v[0-9]+'", "literal-expression 2:15"],
    ["fileContains: '\\bunsafe\\b'", "literal-expression 2:15"],
    ["keywords: ['/deploy|release/i']", "literal-expression 2:12"],
    ["keywords: ['roll back|undo it']", "literal-expression 2:12"],
    ["keywords: ['^deploy']", "literal-expression 2:12"],
    ["fileContains: import java.util.*", ""],
    ["fileContains: string|null", ""],
    ["fileContains: ['/* eslint-disable */', '/api/users/', 'a || b', 'x | y', '|x| x + 1', '[0]']", ""],
    ["fileContains: ['^18.2', 'a[i]', 'f(x)?', 'C:\\Windows', 'end$']", ""],
    ["keywords: [c++, .env, a/b]", ""],
  ],
  "literals that trimming changed": [
    ['fileContains: " unsafe"', "trimmed-literal 2:15"],
    ["fileContains: ['a ', b]", "trimmed-literal 2:16"],
    ['keywords: ["deploy "]', "trimmed-literal 2:12"],
    ["fileContains: unsafe {", ""],
    ["fileContains: |\n  unsafe {\n    x", ""],
    ["fileContains: ['\tx']", "trimmed-literal 2:16"],
  ],
  "match: all that can never hold": [
    ["match: all\nglobs: ['*.ts', '!**/*.ts']\nkeywords: [deploy]", "impossible-all 3:9"],
    ["match: all\nbranch: [main, '!*']\nkeywords: [deploy]", "impossible-all 3:10"],
    ["match: all\nos: [linux, darwin]\nglobs: C:/code/**", "impossible-all 4:8"],
    ["match: all\nos: [win32]\nglobs: C:/code/**", ""],
    ["match: all\nmodel: claude-*\nkeywords: [deploy]", "impossible-all 3:8"],
    ["match: all\ncommand: '/review all'\nagent: build", "impossible-all 3:10"],
    ["match: all\nos: [linux, darwin]\nci: true", ""],
    ["match: all\nglobs: ['*.ts', '!*.test.ts']\nkeywords: [deploy]", ""],
  ],
  "hooks that can't fire": [
    ["hooks: [{ type: PreToolUse, tool: bash, match: '^git push' }]", "impossible-hook 2:48"],
    ["hooks: [{ type: PreToolUse, tool: bash, match: 'push$', block: true }]", "impossible-hook 2:48"],
    ["hooks: [{ type: PreToolUse, tool: bash, match: { command: '^git push$' } }]", ""],
    ["hooks: [{ type: PreToolUse, tool: bash, match: '(^|;)git' }]", ""],
    ["hooks: [{ type: PreToolUse, tool: bash, match: { cmd: '^git' } }]", "impossible-hook 2:55"],
    ["hooks: [{ type: PreToolUse, tool: 'edit|write', match: { file_path: secrets } }]", "impossible-hook 2:69"],
    ["hooks: [{ type: PreToolUse, tool: bash, match: { comand: '^git' } }]", "impossible-hook 2:58"],
    ["hooks: [{ type: PreToolUse, tool: edit, match: { newstring: secrets } }]", "impossible-hook 2:61"],
    ["hooks: [{ type: PreToolUse, tool: write, match: { contents: secrets } }]", "impossible-hook 2:61"],
    ["hooks: [{ type: PreToolUse, tool: github_push, match: { cmd: x } }]", ""],
    ["hooks: [{ type: PreToolUse, tool: Shell, match: { Command: '^git' } }]", "impossible-hook 2:60"],
    ["hooks: [{ type: PreToolUse, tool: read, match: { path: x, content: y } }]", ""],
    ["hooks: [{ type: PreToolUse, match: { cmd: x } }]", ""],
    ["hooks: [{ type: PreToolUse, tool: 'bash|github_push', match: { comand: x } }]", ""],
    ["hooks: [{ type: PreToolUse, tool: 'read|bash', match: { filePath: x, path: y, workdir: z, sandbox: w } }]", ""],
  ],
  "names that nothing has": [
    ["hooks: [{ type: PreToolUse, tool: terminal, block: true }]", "unknown-name 2:35"],
    ["hooks: [{ type: PreToolUse, tool: [bash, shell_exec] }]", "unknown-name 2:42"],
    ["hooks: [{ type: PreToolUse, tool: subagents }]", "unknown-name 2:35"],
    ["hooks: [{ type: PreToolUse, tool: shell }, { type: PreToolUse, tool: '*' }, { type: PostToolUse }]", ""],
    ["hooks: [{ type: PreToolUse, tool: github_create_issue }]", ""],
    ["tools: [mcp_github, lsp, shell]", ""],
    ["tools: [mcp_gitlab]", "unknown-name 2:9"],
    ["agent: [build, reviewer2]", "unknown-name 2:16"],
    ["agent: bulid", "unknown-name 2:8"],
    ["command: [/review, deep/check]", ""],
    ["command: deploy", "unknown-name 2:10"],
    ["model: gpt-5", ""],
  ],
  "names in another case": [
    ["tools: [LSP, mcp_GitHub]", "name-case 2:9, name-case 2:14"],
    ["agent: [Build, reviewer]", "name-case 2:9, name-case 2:16"],
    ["command: /Review", "name-case 2:10"],
    ["model: Claude-Sonnet-4-5", "name-case 2:8"],
    ["hooks: [{ type: PreToolUse, tool: Bash, block: true }]", "name-case 2:35"],
    ["hooks: [{ type: PreToolUse, tool: bash, block: true }]", ""],
  ],
  "conditions that can't hold": [
    ['branch: [main, dev, "!main"]', ""],
    ["branch: [main, my branch]", ""],
    ["branch: [main, '!main']\nmatch: all", "impossible-condition 2:10"],
    ["tools: mcp_*", "impossible-condition 2:8"],
    ["model: [gpt-5, claude-*]", ""],
    ["globs: ['src/*.ts', '!**']", "impossible-condition 2:9"],
    ["branch: [main, '!main']", "impossible-condition 2:10"],
    ["branch: ['*', '!main']", ""],
  ],
  "rules that one condition makes always-on": [
    ["os: [linux, darwin, win32]", "always-on 2:1"],
    ["os: [linux, darwin, win32]\nmatch: all\nkeywords: [deploy]", "always-on 2:1"],
    ["ci: false\nglobs: '*.ts'", "always-on 2:1"],
    ["ci: false", ""],
    ["ci: true\nglobs: '*.ts'", ""],
    ["ci: false\nglobs: '*.ts'\nmatch: all", ""],
    ["project: [node, go]\nkeywords: [deploy]", "always-on 2:11"],
    ["project: [go]\nkeywords: [deploy]", ""],
    ["os: linux\nkeywords: [deploy]", "always-on 2:5"],
    ["os: linux\nmatch: any\nkeywords: [deploy]", ""],
    ["os: win32\nkeywords: [deploy]", ""],
    ["globs: '**/*'\nkeywords: [deploy]", "always-on 2:8"],
    ["globs: '**'\nfileContains: x\nkeywords: [deploy]", ""],
    ["globs: '**/*'", ""],
    ["branch: '*'\nkeywords: [deploy]", "always-on 2:9"],
  ],
  "rules of other tools that would wait to be asked for": [
    ["description: Deploys\nalwaysApply: false", ""],
    ["alwaysApply: false", "no-description 2:1"],
    ["inclusion: manual\nglobs: '*.ts'", "no-description 2:1"],
    ["description:\nglobs:\nalwaysApply: false", "no-description 4:1"],
    ["description: Deploys\nglobs:\nalwaysApply: true", ""],
    ["alwaysApply: false\nglobs: '*.ts'", ""],
    ["alwaysApply: false\nhooks: { type: PreToolUse, tool: bash }", ""],
  ],
  "hooks' expressions": [
    ["hooks: [{ type: PreToolUse, tool: bash, match: 'git push.*--force' }]", ""],
    ["hooks: [{ type: PreToolUse, tool: bash, match: '.*' }]", "always-true-regex 2:48"],
    ["hooks: [{ type: PreToolUse, tool: bash, match: command }]", "always-true-regex 2:48"],
    ["hooks: [{ type: PreToolUse, tool: 'bash|grep', match: command }]", ""],
    ["hooks: [{ type: PreToolUse, tool: webfetch, match: command }]", ""],
    ["hooks: { type: PreToolUse, block: true, match: { command: '.*' } }", ""],
    ["hooks: [{ type: PreToolUse, tool: bash, match: { command: '.*' } }]", "always-true-regex 2:59"],
    ["hooks: [{ type: PreToolUse, tool: bash, match: { command: '.*', workdir: '.*' } }]", ""],
    ["hooks: { type: PreToolUse, block: true }", "always-true-regex 2:8"],
    ["hooks: { type: PreToolUse, tool: bash, block: true }", ""],
  ],
}

for (const [name, rows] of Object.entries(table)) {
  describe(name, () => {
    for (const [frontmatter, expected] of rows) {
      test(JSON.stringify(frontmatter), () => expect(codes(frontmatter)).toBe(expected))
    }
  })
}

test("a global rule is for many projects: their files and tags say nothing against it", () => {
  expect(codes('globs: "**/*.rs"', "global")).toBe("")
  expect(codes("project: [node]\nkeywords: [deploy]", "global")).toBe("")
})

test("in a monorepo's folders other tags may hold", () => {
  const subject = lintedRule(ruleText("project: [node]\nkeywords: [deploy]"))
  expect(lint(subject, { tags: new Set(["node", "monorepo"]) })).toEqual([])
})

test("a global rule is for many projects, and another plugin may add any name", () => {
  expect(codes("agent: reviewer2", "global")).toBe("")
  expect(codes("agent: Build", "global")).toBe("name-case 2:8")
  const around = { names: { ...surroundings.names, isWhole: false } }
  expect(lint(lintedRule(ruleText("tools: terminal")), around)).toEqual([])
})

test("what a pattern that no file matches is meant as", () => {
  const remedies = (globs: string) => lint(lintedRule(ruleText(`globs: ${globs}`))).map(({ remedy }) => remedy)
  expect(remedies("src")).toEqual(["Write `src/**`"])
  expect(remedies("./src")).toEqual(["Write `src/**`"])
  expect(remedies(".ts")).toEqual(["Write `*.ts`"])
  expect(remedies("components/*.tsx")).toEqual(["Write `**/components/*.tsx`"])
  expect(remedies("components")).toEqual(["Write `**/components/**`"])
  expect(remedies("src/components")).toEqual(["Write `**/src/components/**`"])
  expect(remedies("'*.rs'")).toEqual([expect.stringContaining("keep it if the files will be added later")])
})

test("what is meant by a name that nothing has", () => {
  const remedy = (frontmatter: string) => lint(lintedRule(ruleText(frontmatter))).map((finding) => finding.remedy)
  expect(remedy("agent: bulid")).toEqual(["Write `build`"])
  expect(remedy("hooks: { type: PreToolUse, tool: run_terminal_cmd }")).toEqual(["Write `bash`"])
  expect(remedy("hooks: { type: PreToolUse, tool: bash, match: ^git push }")).toEqual([
    "Name the argument: `match: { command: '^git push' }`",
  ])
  for (const [tool, argument, meant] of [
    ["bash", "cmd", "command"],
    ["shell", "cwd", "workdir"],
    ["edit", "file_path", "filePath"],
    ["write", "filepath", "filePath"],
    ["edit", "old_str", "oldString"],
    ["edit", "newStrng", "newString"],
    ["apply_patch", "diff", "patchText"],
  ] as const) {
    const [written] = remedy(`hooks: { type: PreToolUse, tool: ${tool}, match: { ${argument}: x } }`)
    expect(written).toBe(`Write \`${meant}\``)
  }
  expect(remedy("agent: deployer")).toEqual(["Correct the name, or add .opencode/agent/deployer.md"])
})

test("without git no glob is missed", () => {
  expect(lint(lintedRule(ruleText('globs: "**/*.rs"')), { files: undefined })).toEqual([])
})

test("two rules that were given one name", () => {
  const [a, b] = [lintedRule(ruleText("name: Style"), "a.md"), lintedRule(ruleText("name: Style"), "b.md")]
  const c = lintedRule("Be careful.\n", "Style.md")
  const rules = [a, b, c]
  expect(rules.map((rule) => lint(rule, { rules }).map(({ code }) => code))).toEqual([[], ["duplicate-name"], []])
  // One whose name is that of its file, ahead of them, is clear by its path.
  const behind = [c, a, b]
  expect(behind.map((rule) => lint(rule, { rules: behind }).map(({ code }) => code))).toEqual([
    [],
    [],
    ["duplicate-name"],
  ])
  expect(said("name: Style", undefined, { rules })).toEqual([
    "duplicate-name 2:7 name: is the name of .opencode/rules/a.md too. Give one of them another name, or merge the two.",
  ])
  expect(said("name: Other", undefined, { rules })).toEqual([])
})

test("a large text is reported where it begins, with about how much it costs", () => {
  const found = (frontmatter: string, tokens: number) =>
    lint(lintedRule(ruleText(frontmatter, `\n${"word ".repeat(tokens)}`))).map(
      ({ code, line, column, field, reason, remedy }) => `${code} ${line}:${column} ${field}: ${reason}. ${remedy}.`,
    )
  const every = "which every request of every session carries. Add conditions, or split it into rules that have some."
  const later = "which every request after its delivery carries. Split it into rules with narrower conditions."
  expect(found("name: x", 4001)).toEqual([`large-body 5:1 undefined: the text has about 4001 tokens, ${every}`])
  expect(found("name: x", 4000)).toEqual([])
  for (const frontmatter of ["keywords: deploy", "hooks: { type: PreToolUse, tool: bash }"]) {
    expect(found(frontmatter, 8001)).toEqual([`large-body 5:1 undefined: the text has about 8001 tokens, ${later}`])
    expect(found(frontmatter, 8000)).toEqual([])
  }
  expect(found("description: x\ninclusion: auto", 9000)).toEqual([])
})

test("no lint throws, whatever a rule's text is", () => {
  const value = fc.oneof(
    fc.string(),
    fc.constantFrom("[a, b]", "'*'", '" x "', "!**", "{a: 1}", "|\n  x\n", "[x, !x]", "true", "false", "C:/x", "all"),
    fc.constantFrom("[{type: PreToolUse, match: '(a|b)*c'}]", "{type: PostToolUse, match: '[', tool: '*'}"),
  )
  const line = fc.tuple(fc.constantFrom(...FIELDS.map(({ key }) => key), "alwaysApply", "glob"), value)
  const text = fc.array(line, { maxLength: 5 }).map((lines) => {
    return ruleText(lines.map(([key, written]) => `${key}: ${written}`).join("\n"))
  })
  const check = fc.property(fc.oneof(text, text, fc.string()), (source) => {
    const path = `${ROOT}/.opencode/rules/rule.md`
    const parsed = parseRule({ directory: DIRECTORY, path, text: source })
    const lines = source.split(/\r\n|\n|\r/).length
    if (parsed.kind === "broken") return
    for (const finding of lint({ rule: parsed.rule, source: readRuleSource(path, source) })) {
      expect(finding.line).toBeWithin(1, lines + 1)
      expect(finding.reason).not.toBe("")
    }
  })
  fc.assert(check, { numRuns: 500 })
})

/** What an example needs beside it: `hold` holds for a file's sake, a `reminder` is one of `remind`. */
const BESIDE: Readonly<Record<string, string>> = {
  description: "",
  hold: "globs: '*.ts'\n",
  reminder: "remind: 20000\n",
}

test("the examples of the reference have no findings", () => {
  for (const { key, example } of FIELDS) {
    const frontmatter = `${BESIDE[key] ?? "description: Deploys\n"}${key}: ${example}`
    const subject = lintedRule(ruleText(frontmatter, "Be careful with all that is sharp, and with all that is hot.\n"))
    expect([
      key,
      lint(subject, { files: undefined, names: { ...surroundings.names, isWhole: false } }).map(({ code }) => code),
    ]).toEqual([key, []])
  }
})

test("the list of broad keywords: no word twice, and each example is really met", () => {
  expect(new Set(EVERYDAY_WORDS).size).toBe(EVERYDAY_WORDS.length)
  for (const [word, examples] of Object.entries(PREFIX_WORDS)) {
    expect(EVERYDAY_WORDS).not.toContain(word)
    for (const example of examples) expect(keywordPattern(word).test(`an ${example} here`)).toBe(true)
  }
})

test("each lint has a code of its own and says what it is about", () => {
  expect(new Set(LINTS.map(({ code }) => code)).size).toBe(LINTS.length)
  for (const { code, about } of LINTS) {
    expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/)
    expect(about).toMatch(/\.$/)
  }
})
