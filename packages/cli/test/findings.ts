import { join } from "node:path"
import { parseRule } from "@opencode-rulebook/rule-schema"
import { readRuleSource } from "@opencode-rulebook/rule-schema/authoring"
import { DIRECTORY, lint, ROOT } from "./linted.ts"

/** Rules with what the lints look at, each of which is changed in many small ways. */
const rules: readonly string[] = [
  "keywords: [deploy, The, go, x, go module]\nmatch: all\nagent: build",
  "globs: ['**/*.rs', src/*.ts, scr/*.ts, ./src/deep/*.test.ts]",
  "globs: [src, .ts, components/*.tsx, dist/**/*.js, '!src/**/*.ts']",
  "globs: web/[id]/*.tsx, /src/**, ../other/**, /etc/**",
  "fileContains: [TODO|FIXME, '/unsafe\\s+/', '^import .*', 'v[0-9]+', ' trimmed ']",
  "keywords: ['/deploy|release/i', 'roll back|undo it', '^deploy', c++, 'deploy ']",
  "match: all\nglobs: ['*.ts', '!**/*.ts', C:/code/**]\nos: [linux, darwin]\nkeywords: [deploy]",
  "match: all\nbranch: [main, '!*', my branch]\nmodel: [claude-*, gpt-5]\ncommand: '/review all'",
  "hooks: [{ type: PreToolUse, tool: bash, match: '^git push', block: true }, { type: PreToolUse, tool: 'edit|write', match: { file_path: secrets } }]",
  "hooks: [{ type: PreToolUse, tool: terminal }, { type: PostToolUse, tool: [Bash, shell_exec, github_x], match: '.*', run: x }]",
  "hooks: { type: PreToolUse, block: true, match: { command: '.*', workdir: 'a|' } }",
  "hooks: { type: PreToolUse, tool: bash, match: { cmd: '^git' }, block: once }\nalwaysApply: true",
  "tools: [mcp_gitlab, LSP, mcp_GitHub, mcp_*, bash]\nagent: [Build, reviewer2, bulid]\ncommand: [/Review, deploy]",
  "model: [Claude-Sonnet-4-5, anthropic/claude-sonnet-4-5]\nbranch: [main, '!main']",
  "os: [linux, darwin, win32]\nmatch: any\nkeywords: [deploy]",
  "os: linux\nci: false\nproject: [node, go]\nglobs: '**/*'\nbranch: '*'",
  "alwaysApply: false\nglobs:\ndescription:\ninclusion: manual",
  "hold: true\nkeywords: deploy\nremind: 20000\nagent: build\nreminder: Keep it.",
  "match: all\nhold: true\nglobs: src/*.ts\nbranch: main\nremind: 20\nreminder: This reminder is longer than the text of its rule.",
  "globs: src/*.ts\nfileContains: console.log(\nforbid: [console.log(, console., var, any, foo, TBD, ';', 'Be careful']",
  "globs: 'src/a.ts'\nforbid: careful\nfileContains: [careful, with]\nhold: true",
]

const TOKENS = [
  "*",
  "!",
  "**/",
  "x",
  "-",
  ",",
  " ",
  "'",
  "/",
  "|",
  "$",
  "^",
  ".",
  "a",
  "A",
  "[a]",
  "all",
  "any",
  "main",
  "go",
]

/** The same texts for everybody: each rule with one or two small changes, by a linear congruential generator. */
function changed(texts: readonly string[], each: number): readonly string[] {
  let state = 1
  const below = (most: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff
    return Math.floor((state / 2 ** 31) * most)
  }
  function change(text: string): string {
    const lines = text.split("\n")
    if (lines.length > 1 && below(4) === 0) return lines.filter((_, index) => index !== below(lines.length)).join("\n")
    const at = below(text.length + 1)
    const token = TOKENS[below(TOKENS.length)] ?? ""
    const way = below(3)
    return text.slice(0, at) + (way === 0 ? "" : token) + text.slice(way === 1 ? at : at + 1 + below(4))
  }
  return texts.flatMap((text) => [
    text,
    ...Array.from({ length: each }, () => change(below(2) === 0 ? text : change(text))),
  ])
}

export const lintedTexts: readonly string[] = [...new Set(changed(rules, 50))]
export const recordFile = join(import.meta.dir, "findings.jsonl")

/** What the lints find in a rule: code, place and what to do about it; nothing in one that is broken. */
export function findingsIn(frontmatter: string): readonly string[] {
  const text = `---\n${frontmatter}\n---\nBe careful with it.\n`
  const path = `${ROOT}/.opencode/rules/rule.md`
  const parsed = parseRule({ directory: DIRECTORY, path, text })
  if (parsed.kind === "broken") return ["broken"]
  const subject = { rule: parsed.rule, source: readRuleSource(path, text) }
  return lint(subject).map(
    ({ code, line, column, field, remedy }) => `${code} ${line}:${column} ${field ?? ""}: ${remedy}`,
  )
}

/** `bun test/findings.ts` records the findings anew, after a change that is meant. */
if (import.meta.main) {
  const lines = lintedTexts.map((text) => JSON.stringify([text, ...findingsIn(text)]))
  await Bun.write(recordFile, `${lines.join("\n")}\n`)
}
