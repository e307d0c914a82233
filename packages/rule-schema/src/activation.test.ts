import { describe, expect, test } from "bun:test"
import { parseWith } from "../test/rule.ts"
import { NO_FACTS } from "./facts.ts"
import { describeConditions, matchLifetime, summariseConditions } from "./index.ts"

/** `activation, conditions`, or the codes of a broken rule; then the codes of warnings. */
function outcome(frontmatter: string): string {
  const parsed = parseWith(frontmatter)
  const problems = parsed.kind === "rule" ? parsed.problems : parsed.rule.problems
  const codes = problems.map(({ severity, code, field }) => `${severity} ${code} ${field}`)
  if (parsed.kind === "broken") return codes.join("; ")
  return [parsed.rule.activation, ...parsed.rule.conditions.map(({ family }) => family), ...codes].join("; ")
}

describe("how a rule comes to the model", () => {
  for (const [frontmatter, expected] of [
    ["name: x", "always"],
    ["description: x", "always"],
    ["globs: a", "conditions; file"],
    ["hooks: { type: PreToolUse }", "hooks"],
    // What says "always" wins over patterns.
    ["alwaysApply: true", "always"],
    ["alwaysApply: true\nglobs: a", "always"],
    ["alwaysApply: 'TRUE'\npaths: a", "always"],
    ["alwaysApply: true\nglobs:", "always"],
    ["alwaysApply: true\nhooks: { type: PreToolUse }", "always"],
    ["inclusion: always\nfileMatchPattern: a", "always"],
    ["trigger: always_on\nglobs: a", "always"],
    ["trigger: always-on", "always"],
    ["trigger: always", "always"],
    ["alwaysApply: yes", "always"],
    ["alwaysApply: 'no'", "onRequest"],
    ["alwaysApply: true\nkeywords: [a]", "always; warning ignored-condition alwaysApply"],
    ["alwaysApply: true\nglobs: a\nfileContains: b", "always; warning ignored-condition alwaysApply"],
    ["alwaysApply: true\nglobs: a\nagent: build\nmatch: all", "conditions; agent"],
    ["alwaysApply: true\nglobs: a\nforbid: b", "always; warning ignored-condition alwaysApply"],
    ["alwaysApply: true\nforbid: b", "always"],
    ["alwaysApply: true\nglobs: '{1..1000000}'", "error bad-glob globs"],
    // Left to the model's judgement.
    ["alwaysApply: false", "onRequest"],
    ["alwaysApply: False\ndescription: x", "onRequest"],
    ["alwaysApply: false\ndescription: x\nglobs:", "onRequest"],
    ["description: x\nglobs:", "onRequest"],
    ["description: x\nglobs: ''", "onRequest"],
    ["description: x\npaths: []", "onRequest"],
    ["description:\nglobs:", "onRequest"],
    ["inclusion: manual", "onRequest"],
    ["inclusion: auto\nname: a\ndescription: b", "onRequest"],
    ["inclusion: manual\nfileMatchPattern: a", "onRequest"],
    ["trigger: manual\nglobs: a", "onRequest"],
    ["trigger: model_decision", "onRequest"],
    ["trigger: manual\nhooks: { type: PreToolUse }", "onRequest"],
    ["trigger: manual\nkeywords: [a]", "onRequest; warning ignored-condition trigger"],
    // Conditions decide.
    ["alwaysApply: false\nglobs: a", "conditions; file"],
    ["alwaysApply: false\nkeywords: [a]\nglobs:", "conditions; keywords"],
    ["alwaysApply: false\nhooks: { type: PreToolUse }", "hooks"],
    ["description: x\nglobs:\nkeywords: [a]", "conditions; keywords"],
    ["inclusion: fileMatch\nfileMatchPattern: a", "conditions; file"],
    ["trigger: glob\nglobs: a", "conditions; file"],
    ["alwaysApply: false\ntrigger: glob\nglobs: a", "conditions; file"],
    ["alwaysApply:\nglobs: a", "conditions; file"],
    // What can't be meant so.
    ["globs:", "error empty-value globs"],
    ["trigger: glob", "error no-patterns trigger"],
    ["inclusion: fileMatch\nfileMatchPattern:", "error no-patterns inclusion"],
    ["alwaysApply: maybe", "error unknown-value alwaysApply"],
    ["trigger: [deploy]", "error unknown-value trigger"],
    ["trigger: on_save\nglobs: a", "conditions; file; warning unknown-value trigger"],
    ["alwaysApply: true\ntrigger: manual", "error contradiction trigger"],
    ["alwaysApply: false\ninclusion: always", "error contradiction inclusion"],
  ] as const) {
    test(JSON.stringify(frontmatter), () => expect(outcome(frontmatter)).toBe(expected))
  }
})

test("a rule on request never matches, and says what it is", () => {
  const parsed = parseWith("description: '  How we\n  release '\nglobs:")
  if (parsed.kind === "broken") throw new Error(JSON.stringify(parsed.rule.problems))
  const { rule } = parsed
  expect(rule.description).toBe("How we release")
  expect(matchLifetime(rule, NO_FACTS)).toBeUndefined()
  expect(summariseConditions(rule)).toBe("on request")
  expect(describeConditions(rule)).toEqual(["on request"])
})
