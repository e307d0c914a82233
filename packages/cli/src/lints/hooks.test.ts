import { expect, test } from "bun:test"
import { said } from "../../test/linted.ts"

const hooks = (...written: readonly string[]) =>
  `hooks:\n${written.map((hook) => `  - { type: PreToolUse, ${hook} }`).join("\n")}`

const json = (place: string, source: string, end: string, name: string, written = source) =>
  `${place}: "${source}" is tested on the JSON of all arguments, which ${end}, so the hook never fires. Name the argument: \`match: { ${name}: '${written}' }\`.`
const unknown = (place: string, tools: string, argument: string, meant: string) =>
  `${place}: ${tools} no argument "${argument}", so the hook never fires. Write \`${meant}\`.`

test.each<[frontmatter: string, ...findings: string[]]>([
  [
    hooks("tool: bash, match: '^git'", "tool: 'Shell , BASH', match: ' push$ '"),
    json("3:44 hooks[0].match", "^git", "begins with `{`", "command"),
    json("4:54 hooks[1].match", "push$", "ends with `}`", "command"),
  ],
  [
    hooks("tool: [bash, read], match: '^it''s'"),
    json("3:52 hooks[0].match", "^it's", "begins with `{`", "<argument>", "^it''s"),
  ],
  [hooks("match: '^x$'"), json("3:32 hooks[0].match", "^x$", "begins with `{`", "<argument>")],
  [hooks("Tools: bash, Match: '^git'"), json("3:45 hooks[0].match", "^git", "begins with `{`", "command")],
  [
    "hooks: { type: PreToolUse, tool: bash, match: { command: '^git$', cmd: '^x' } }",
    unknown("2:72 hooks[0].match.cmd", "bash has", "cmd", "command"),
  ],
  [
    hooks("tool: 'edit|write', match: { filePath: a, File: b, text: c, oldstring: d, oldSring: e }"),
    unknown("3:73 hooks[0].match.File", "edit and write have", "File", "filePath"),
    unknown("3:82 hooks[0].match.text", "edit and write have", "text", "content"),
    unknown("3:96 hooks[0].match.oldstring", "edit and write have", "oldstring", "oldString"),
    unknown("3:109 hooks[0].match.oldSring", "edit and write have", "oldSring", "oldString"),
  ],
  [hooks("tool: read, match: { text: x, cmd: y, nonsense: z }")],
  [hooks("tool: [bash, github_push], match: { cmd: x }", "match: { cmd: x }")],
  [hooks("tool: bash, match: 'git'", "tool: bash")],
])("%j: expressions that no call matches", (frontmatter, ...findings) => {
  expect(said(frontmatter, "impossible-hook")).toEqual(findings)
})

test.each<[tool: string, argument: string, meant: string]>([
  ["bash", "script", "command"],
  ["shell", "CWD", "workdir"],
  ["read", "file", "filePath"],
  ["edit", "old_str", "oldString"],
  ["edit", "replacement", "newString"],
  ["edit", "replace_all", "replaceAll"],
  ["write", "body", "content"],
  ["apply_patch", "input", "patchText"],
  ["patch", "diff", "patchText"],
])("%s has no argument %s, but %s", (tool, argument, meant) => {
  const [found] = said(hooks(`tool: ${tool}, match: { ${argument}: x }`), "impossible-hook")
  expect(found).toEndWith(`: ${tool} has no argument "${argument}", so the hook never fires. Write \`${meant}\`.`)
})

const EVERY = "matches every call"
const special = "Name what is special about the call, or leave `match` out."
const onJson = `It is tested on the arguments as JSON, keys included. ${special}`
const all = "blocks every call of every tool. Name the tool, or add a `match`."

test.each<[frontmatter: string, ...findings: string[]]>([
  [
    hooks("tool: bash, match: 'git'", "tool: bash, match: '.*'", "tool: bash, match: { command: '.*' }"),
    `4:44 hooks[1].match: ".*" ${EVERY}. ${onJson}`,
    `5:55 hooks[2].match.command: ".*" ${EVERY}. ${special}`,
  ],
  [hooks("tool: ', | bash', match: command"), `3:50 hooks[0].match: "command" ${EVERY}. ${onJson}`],
  [
    hooks("tool: [bash, read], match: command", "tool: [Bash, shell], match: command"),
    `4:53 hooks[1].match: "command" ${EVERY}. ${onJson}`,
  ],
  [hooks("tool: [bash, apply_patch], match: { command: '.*' }", "tool: bash, match: { command: '.*', workdir: x }")],
  [hooks("tool: Apply_Patch, match: { patchText: '.*' }"), `3:64 hooks[0].match.patchText: ".*" ${EVERY}. ${special}`],
  [hooks("block: true"), `3:5 hooks[0]: ${all}`],
  ["hooks: { type: PreToolUse, tool: [bash, '*'], block: True }", `2:8 hooks[0]: ${all}`],
  [hooks("block: once", "block: false", "run: notify", "tool: bash, block: true", "block: true, match: git")],
  [hooks("tools: bash, block: true")],
  [hooks("Block: true"), `3:5 hooks[0]: ${all}`],
])("%j: hooks for every call", (frontmatter, ...findings) => {
  expect(said(frontmatter, "always-true-regex")).toEqual(findings)
})

test("`block: once` of a rule that is in every request holds nothing", () => {
  const once =
    "`block: once` holds nothing: the rule is in the first request. Leave `block` out, or what makes the rule always apply."
  const two = hooks("tool: bash, block: Once", "tool: bash, block: true", "tool: edit, block: once")
  expect(said(`alwaysApply: true\n${two}`, "idle-hold")).toEqual([`4:5 hooks[0]: ${once}`, `6:5 hooks[2]: ${once}`])
  expect(said(two, "idle-hold")).toEqual([])
})
