import { expect, test } from "bun:test"
import { ruleWith } from "../test/rule.ts"
import { describeConditions, describeHooks, summariseConditions } from "./summary.ts"

test("what a rule's text has in it can't paint over a line", () => {
  const rule = ruleWith('hooks: { type: PreToolUse, tool: "a\\e", match: { "b\\e": c, d: "e\\e" }, run: "f\\e" }')
  expect(summariseConditions(rule)).toBe("PreToolUse a\\u001b")
  expect(describeConditions(rule)).toEqual([
    'hook: PreToolUse a\\u001b · b\\u001b matches "c" and d matches "e\\u001b" · runs "f\\u001b" (only with projectCommands)',
  ])
})

test("long expressions and commands are cut at 200 characters", () => {
  for (const [length, shown] of [
    [200, "x".repeat(200)],
    [201, `${"x".repeat(199)}…`],
  ] as const) {
    const long = "x".repeat(length)
    const hooks = `hooks: [{ type: PreToolUse, match: ${long}, run: ${long} }, { type: PreToolUse, match: { a: ${long} } }]`
    expect(describeHooks(ruleWith(hooks))).toEqual([
      `hook: PreToolUse * · arguments match "${shown}" · runs "${shown}" (only with projectCommands)`,
      `hook: PreToolUse * · a matches "${shown}"`,
    ])
  }
})

test("each activation with hooks and what is met of it", () => {
  const hook = "hooks: { type: PostToolUse, tool: bash, block: false }"
  const line = "hook: PostToolUse bash"
  for (const [frontmatter, summary, ...described] of [
    [hook, "PostToolUse bash", line],
    [`alwaysApply: true\n${hook}`, "always", "always", line],
    [`alwaysApply: true\nhold: true\n${hook}`, "always · hold", "always", line, "hold: holds the first write"],
    [`alwaysApply: false\ninclusion: manual\n${hook}`, "on request", "on request", line],
    [
      `os: linux\nagent: a\n${hook}`,
      "• os linux or ✓ agent a",
      "• os: os is one of linux",
      "✓ agent: agent is one of a",
      line,
    ],
  ] as const) {
    const rule = ruleWith(frontmatter)
    const options = { met: new Set(["agent"]) }
    expect([summariseConditions(rule, options), ...describeConditions(rule, options)]).toEqual([summary, ...described])
  }
})
