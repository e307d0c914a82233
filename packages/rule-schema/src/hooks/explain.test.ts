import { expect, test } from "bun:test"
import { ruleWith } from "../../test/rule.ts"
import { explainHook } from "./explain.ts"

const LONG = "x".repeat(300)

test.each<[hook: string, tool: string, args: unknown, met: boolean, why: string]>([
  ["tool: bash", "bash", { command: "ls" }, true, "the tool is bash"],
  ["tool: bash", "shell", {}, true, "the tool is shell"],
  ["tool: Bash", "edit", {}, false, "the tool is edit, not Bash"],
  ["tool: '*'", "any\n", {}, true, "the tool is any\\n"],
  ["tool: bash, match: '^git'", "edit", { command: "git push" }, false, "the tool is edit, not bash"],
  [
    "tool: bash, match: git push",
    "bash",
    { command: "git push" },
    true,
    'the tool is bash, and its arguments "{"command":"git push"}" match',
  ],
  [
    "match: { command: ^git }",
    "bash",
    { command: "ls" },
    false,
    'the tool is bash, and its arguments "{"command":"ls"}" do not match',
  ],
  ["match: x$", "bash", LONG, false, `the tool is bash, and its arguments ""${LONG.slice(0, 198)}…" do not match`],
])("a hook with %s at %s with %j", (hook, tool, args, met, why) => {
  for (const type of ["PreToolUse", "PostToolUse"]) {
    const [read] = ruleWith(`hooks: { type: ${type}, ${hook} }`).hooks
    expect(read && explainHook(read, { tool, args })).toEqual({ met, why })
  }
})
