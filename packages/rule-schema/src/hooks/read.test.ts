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
  ] as const) {
    test(hook, () => expect(outcome(hook)).toEqual(expected))
  }
})
