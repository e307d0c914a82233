import { describe, expect, test } from "bun:test"
import { parseWith } from "../../test/rule.ts"

/** The hook as it is read, or "broken"; then problems as `severity code field: reason`. */
function outcome(hook: string): readonly string[] {
  const parsed = parseWith(`hooks:\n  - ${hook}`)
  const problems = parsed.kind === "rule" ? parsed.problems : parsed.rule.problems
  const hooks = parsed.kind === "rule" ? parsed.rule.hooks : undefined
  const read = hooks?.map(({ type, tool, block, run }) =>
    [type, tool, block === "once" ? "blocks once" : block ? "blocks" : "", run ?? ""].join(" ").trim(),
  )
  return [read?.join(", ") ?? "broken", ...problems.map(({ severity, code, field }) => `${severity} ${code} ${field}`)]
}

describe("a hook's keys", () => {
  for (const [hook, ...expected] of [
    ["{ type: PreToolUse, tool: bash, block: true }", "PreToolUse bash blocks"],
    ["{ type: PreToolUse, tool: bash, block: Once }", "PreToolUse bash blocks once"],
    ["{ type: PreToolUse, tool: bash, block: yes }", "PreToolUse bash blocks"],
    ["{ type: PreToolUse, tool: bash, block: twice }", "broken", "error wrong-type hooks[0].block"],
    ["{ type: PostToolUse, block: once }", "PostToolUse * blocks once", "warning useless-block hooks[0].block"],
    ["{ type: posttooluse, run: x }", "PostToolUse *  x"],
    ["{ type: PreToolUse, tool: 'edit|write' }", "PreToolUse edit, PreToolUse write"],
    ["{ type: PreToolUse, tool: [edit, write, edit] }", "PreToolUse edit, PreToolUse write"],
    [
      "{ Type: PreToolUse, tools: bash }",
      "PreToolUse bash",
      "warning key-form hooks[0].Type",
      "warning key-form hooks[0].tools",
    ],
    ["{ type: PreToolUse, name: x }", "PreToolUse *", "warning unknown-key hooks[0].name"],
    ["{ type: PostToolUse, block: true }", "PostToolUse * blocks", "warning useless-block hooks[0].block"],
    ["{ tool: bash }", "broken", "error wrong-type hooks[0].type"],
    ["{ type: Before }", "broken", "error wrong-type hooks[0].type"],
    ["{ type: PreToolUse, matcher: Bash }", "broken", "error unknown-key hooks[0].matcher"],
    ["{ type: PreToolUse, command: ./x.sh }", "broken", "error unknown-key hooks[0].command"],
    ["{ type: PreToolUse, mtach: x }", "broken", "error unknown-key hooks[0].mtach"],
    ["{ type: PreToolUse, tool: bash, Tool: edit }", "broken", "error duplicate-key hooks[0].Tool"],
    ["{ type: PreToolUse, tool: [] }", "broken", "error wrong-type hooks[0].tool"],
    [
      "{ type: PreToolUse, block: 3, run: '' }",
      "broken",
      "error wrong-type hooks[0].block",
      "error wrong-type hooks[0].run",
    ],
    ["text", "broken", "error wrong-type hooks[0]"],
    ...["event", "pattern", "regex"].map((key) => {
      return [`{ type: PreToolUse, ${key}: x }`, "broken", `error unknown-key hooks[0].${key}`] as const
    }),
    ["{ type: PreToolUse, constructor: x }", "PreToolUse *", "warning unknown-key hooks[0].constructor"],
    ["{ type: PreToolUse, tool: 'edit | write, Edit,' }", "PreToolUse edit, PreToolUse write, PreToolUse Edit"],
    ["{ type: PreToolUse, tool: [edit, [write]] }", "broken", "error wrong-type hooks[0].tool"],
    ["{ type: PreToolUse, tool: ' , ' }", "broken", "error wrong-type hooks[0].tool"],
    ["{ type: PreToolUse, block: false }", "PreToolUse *"],
    ["{ type: PostToolUse, block: false }", "PostToolUse *"],
    ["{ type: PreToolUse, block: ' ON ' }", "PreToolUse * blocks"],
    ["{ type: PreToolUse, run: 5 }", "PreToolUse *  5"],
    ["{ type: PreToolUse, run: }", "broken", "error wrong-type hooks[0].run"],
    ["{ type: PreToolUse, run: [a] }", "broken", "error wrong-type hooks[0].run"],
    ["{ type: }", "broken", "error wrong-type hooks[0].type"],
    ["{}", "broken", "error wrong-type hooks[0].type"],
    ["{ type: PostToolUse, matcher: x }", "broken", "error unknown-key hooks[0].matcher"],
    ["{ type: PreToolUse, match: [a] }", "broken", "error wrong-type hooks[0].match"],
    ["{ type: PreToolUse, match: }", "broken", "error wrong-type hooks[0].match"],
    ["{ type: PreToolUse, match: null }", "broken", "error wrong-type hooks[0].match"],
    ["{ type: PreToolUse, match: ' ' }", "broken", "error wrong-type hooks[0].match"],
    ["{ type: PreToolUse, match: '(' }", "broken", "error bad-regex hooks[0].match"],
    ["{ type: PreToolUse, match: { command: a, 'p\\n': [b] } }", "broken", "error wrong-type hooks[0].match.p\\n"],
    ["{ type: PreToolUse, match: { command: (a)\\1 } }", "PreToolUse *", "warning short-reach hooks[0].match.command"],
    ["{ type: PreToolUse, match: a }\n  - { type: PostToolUse }", "PreToolUse *, PostToolUse *"],
  ] as const) {
    test(hook, () => expect(outcome(hook)).toEqual(expected))
  }
})

test("no hooks are an error, and a rule without the key has none", () => {
  for (const written of ["", "[]", "null"]) {
    expect([written, ...problemsOf(`hooks: ${written}`)]).toEqual([
      written,
      expect.stringMatching(/^error 2:1 hooks is empty \|/),
    ])
  }
  expect(parseWith("keywords: a")).toMatchObject({ rule: { hooks: [] } })
})

test("a hook is read whole: its tool by all its names, and its expressions trimmed", () => {
  const parsed = parseWith(
    "hooks: { type: PreToolUse, tool: [Bash, edit], match: { command: ' ^git ', path: 5 }, run: ' x ' }",
  )
  const hook = { type: "PreToolUse", block: false, run: "x" }
  const sources = [
    ["command", "^git"],
    ["path", "5"],
  ]
  const hooks = parsed.kind === "rule" ? parsed.rule.hooks : []
  expect(
    hooks.map(({ match, ...rest }) => {
      const patterns = match?.kind === "arguments" ? [...match.patterns] : []
      return { ...rest, sources: patterns.map(([name, { source }]) => [name, source]) }
    }),
  ).toEqual([
    { ...hook, tool: "Bash", names: ["bash", "shell"], sources },
    { ...hook, tool: "edit", names: ["edit"], sources },
  ] as never)
})

/** A rule's problems as `severity line:column message`. */
function problemsOf(frontmatter: string): readonly string[] {
  const parsed = parseWith(frontmatter)
  const problems = parsed.kind === "rule" ? parsed.problems : parsed.rule.problems
  return problems.map(({ severity, line, column, field, reason, remedy }) =>
    [severity, `${line}:${column}`, field, reason, "|", remedy].join(" "),
  )
}

test("each problem of a hook is at its key or value, and says what to write", () => {
  const keys = "A hook has `type`, `tool`, `match`, `block`, `run`"
  const example = "Write for example `hooks: [{ type: PreToolUse, tool: bash, block: true }]`"
  const expression = "Write a JavaScript regular expression, in single quotes"
  for (const [lines, ...expected] of [
    [["hooks:"], `error 2:1 hooks is empty | ${example}, or remove the key`],
    [["hooks: x"], `error 2:8 hooks[0] a hook is a list item with \`type\`, \`tool\` … | ${example}`],
    [["hooks:", "  - x"], `error 3:5 hooks[0] a hook is a list item with \`type\`, \`tool\` … | ${example}`],
    [
      ["hooks:", "  - type: PreToolUse", "  - matcher: Bash", "    tool: bash"],
      `error 4:5 hooks[1].matcher unknown key of a hook | Did you mean \`tool\` for a tool's name or \`match\` for an expression? ${keys}`,
      "error 4:5 hooks[1].type `type` is missing | Add `type: PreToolUse` or `type: PostToolUse`",
    ],
    [
      ["hooks:", "  type: PreToolUse", "  mtach: x"],
      `error 4:3 hooks[0].mtach unknown key of a hook | Did you mean \`match\`? ${keys}`,
    ],
    [
      ["hooks:", "  type: PreToolUse", "  timeout: 5"],
      `warning 4:3 hooks[0].timeout unknown key of a hook, which is ignored | ${keys}`,
    ],
    [
      ["hooks:", "  Type: PostToolUse", "  tool: bash", "  block: once"],
      "warning 3:3 hooks[0].Type is read as `type` | Write `type`",
      "warning 5:3 hooks[0].block can't block: the tool has already run | Use `type: PreToolUse`",
    ],
    [
      ["hooks:", "  type: PreToolUse", "  match:", "    command: '('", "    path: ''", "    limit: 5"],
      `error 5:14 hooks[0].match.command "(" does not compile: Invalid regular expression: missing ) | ${expression}`,
      `error 6:11 hooks[0].match.path is not a regular expression | ${expression}`,
    ],
    [
      ["hooks:", "  type: PreToolUse", "  match: '(a)\\1'"],
      "warning 4:10 hooks[0].match needs backtracking, so it looks only at the first 65536 characters of the arguments, and of each argument by itself | Write it without back references, and without lookahead beside lookbehind",
    ],
    [
      ["hooks:", "  type: PreToolUse", "  match: {}"],
      "error 4:10 hooks[0].match is empty | Write an argument's name and an expression under it, or leave it out",
    ],
  ] as const) {
    expect(problemsOf(lines.join("\n"))).toEqual([...expected])
  }
})
