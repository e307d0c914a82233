import { expect, test } from "bun:test"
import { rulesOf } from "../../test/support/rules.ts"
import { blockMessage, fireHooks, type ToolEvent } from "./hooks.ts"

const hooks = (...lines: string[]) => `---\nhooks:\n${lines.map((line) => `  - { ${line} }\n`).join("")}---\n Text. \n`
const RULES = rulesOf({
  "block.md": hooks("type: PreToolUse, tool: bash, block: true", 'type: PreToolUse, tool: "*", block: true, run: ls'),
  "once.md": hooks("type: PreToolUse, tool: bash, block: once", "type: PostToolUse, tool: bash, run: pwd, match: push"),
  "after.md": hooks("type: PostToolUse, tool: bash"),
  "late.md": hooks("type: PostToolUse, tool: bash, block: true", "type: PostToolUse, tool: bash, block: once"),
  "other.md": hooks("type: PreToolUse, tool: edit, block: true"),
  "free.md": hooks("type: PreToolUse, tool: bash, block: false"),
})

function fired(type: ToolEvent["type"], command = "git push") {
  const event = { type, sessionID: "ses_1", tool: "bash", args: { command } }
  const { activated, blocking, blockingOnce, commands } = fireHooks(RULES, event)
  const names = (rules: typeof activated) => rules.map(({ name }) => name)
  return [
    names(activated),
    names(blocking),
    names(blockingOnce),
    commands.map(({ rule, command: run }) => `${rule.name}: ${run}`),
  ]
}

test("an event fires the hooks of its type and tool whose match its arguments meet, each rule once", () => {
  expect(fired("PreToolUse")).toEqual([["block", "once", "free"], ["block"], ["once"], ["block: ls"]])
  expect(fired("PostToolUse")).toEqual([["once", "after", "late"], [], [], ["once: pwd"]])
  expect(fired("PostToolUse", "ls")).toEqual([["after", "late"], [], [], []])
})

test("a blocked call's answer is each rule's name and text", () => {
  expect(blockMessage(RULES.slice(0, 2))).toBe(
    'This call was blocked by the rule "block".\n\nText.\n\nThis call was blocked by the rule "once".\n\nText.',
  )
})
