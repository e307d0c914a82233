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
    ["alwaysApply: on", "always"],
    ["alwaysApply: OFF", "onRequest"],
    ["alwaysApply: constructor", "error unknown-value alwaysApply"],
    ["inclusion: always", "always"],
    ["inclusion: Manual", "onRequest"],
    ["inclusion: file_match\nglobs: a", "conditions; file"],
    ["inclusion: false", "error unknown-value inclusion"],
    ["trigger: Model Decision", "onRequest"],
    ["trigger: [always_on]", "error unknown-value trigger"],
    ["trigger: manual\nalwaysApply: false", "onRequest"],
    ["trigger: glob\nalwaysApply: false", "error no-patterns trigger"],
    ["inclusion: fileMatch\ntrigger: glob\nglobs: a", "conditions; file"],
    ["inclusion: manual\ntrigger: model_decision", "onRequest"],
    ["inclusion: fileMatch\ntrigger: manual\nglobs: a", "error contradiction trigger"],
    ["inclusion: always\ntrigger: glob\nglobs: a", "error contradiction trigger"],
    ["alwaysApply: true\ninclusion: always\ntrigger: manual", "error contradiction trigger"],
    ["alwaysApply: false\ninclusion: manual\ntrigger: glob\nglobs: a", "error contradiction trigger"],
    ["alwaysApply: false\ninclusion: manual\ntrigger: model_decision\nglobs: a", "onRequest"],
    ["alwaysApply: true\ninclusion: manual\ntrigger: glob\nglobs: a", "error contradiction inclusion"],
    ["inclusion: auto\nglobs: a\nkeywords: b", "onRequest; warning ignored-condition inclusion"],
    ["trigger: manual\nglobs:", "onRequest"],
    ["trigger: always_on\ninclusion: always\nkeywords: [a]", "always; warning ignored-condition inclusion"],
    ["alwaysApply: false\ntrigger: glob\ninclusion: fileMatch", "error no-patterns inclusion"],
    ["inclusion: always\nglobs: ''\nos: linux", "always; warning ignored-condition inclusion"],
    ["trigger: glob\nhooks: { type: PreToolUse }", "hooks"],
    ["trigger: glob\nkeywords: [a]", "conditions; keywords"],
    ["alwaysApply: true\nglobs: a\nkeywords: [b]\nmatch: all", "conditions; keywords"],
    ["alwaysApply: true\nglobs: a\nmatch: all", "always"],
    ["trigger: manual\nglobs: a\nagent: b\nmatch: all", "onRequest; warning ignored-condition trigger"],
    ["regex: ^a", "error unsupported-key regex"],
    ["regex:", "always"],
    ["regex: ^a\nhooks: { type: PreToolUse }", "hooks; warning unsupported-key regex"],
    ["description: x\nglobs:\npaths: a", "error empty-value globs"],
    ["globs:\npaths: a", "error empty-value globs"],
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

test("what can't be honoured is said with what follows, at the key", () => {
  const always = "and without it the rule would always apply"
  const words = "or `keywords` for words of the prompt"
  const meant = (key: string) => `Remove \`${key}\` if the conditions are meant`
  for (const [frontmatter, ...expected] of [
    [
      "alwaysApply: maybe",
      `error 2:1 alwaysApply: "maybe" is not known here, ${always}. Write \`true\` or \`false\`, ${words}`,
    ],
    [
      "globs: a\ntrigger: ' on save '",
      `warning 3:1 trigger: "on save" is not known here and is ignored. Write \`always_on\`, \`glob\`, \`model_decision\` or \`manual\`, ${words}`,
    ],
    [
      "inclusion: [a]",
      `error 2:1 inclusion: the value is not known here, ${always}. Write \`always\`, \`fileMatch\`, \`auto\` or \`manual\`, ${words}`,
    ],
    ["trigger: glob", "error 2:1 trigger: waits for a file, but the rule has no patterns. Add `globs`"],
    ["trigger: manual\nalwaysApply: true", "error 2:1 trigger: contradicts `alwaysApply`. Keep one of the two"],
    [
      "alwaysApply: false\ninclusion: auto\ntrigger: always_on",
      "error 4:1 trigger: contradicts `alwaysApply`. Keep one of the two",
    ],
    [
      "alwaysApply: false\ninclusion: auto\ntrigger: glob\nglobs: a",
      "error 4:1 trigger: contradicts `inclusion`. Keep one of the two",
    ],
    ["regex: a", `error 2:1 regex: is not supported, ${always}. Write \`fileContains\` with literal texts instead`],
    [
      "regex: a\nos: linux",
      "warning 2:1 regex: is not supported and is ignored. Write `fileContains` with literal texts instead",
    ],
    [
      "globs: a\nalwaysApply: true\nkeywords: [b]",
      `warning 3:1 alwaysApply: makes the rule always apply, so \`keywords\` has no effect. ${meant("alwaysApply")}`,
    ],
    [
      "trigger: manual\nkeywords: [b]\nfileContains: c\nglobs: a\nagent: d\nos: linux",
      `warning 2:1 trigger: leaves the rule to the model's judgement, so \`fileContains\`, \`keywords\`, \`os\` +1 have no effect. ${meant("trigger")}`,
    ],
    [
      "inclusion: always\nglobs: a\nfileContains: c\nforbid: d",
      `warning 2:1 inclusion: makes the rule always apply, so \`globs\`, \`fileContains\` have no effect, and \`forbid\` counts in every file. ${meant("inclusion")}`,
    ],
    [
      "trigger: manual\npaths: a\nforbid: d",
      `warning 2:1 trigger: leaves the rule to the model's judgement, so \`paths\` has no effect. ${meant("trigger")}`,
      "warning 4:1 forbid: has no effect, because the rule is left to the model's judgement. Add a condition such as `globs`, or remove `forbid`",
    ],
    [
      "alwaysApply: true\nmatch: all\nglobs: a\nkeywords: [b]\nfileContains: c",
      `warning 2:1 alwaysApply: makes the rule always apply, so \`fileContains\` has no effect. ${meant("alwaysApply")}`,
    ],
  ] as const) {
    const parsed = parseWith(frontmatter)
    const problems = parsed.kind === "rule" ? parsed.problems : parsed.rule.problems
    const said = problems.map(({ severity, line, column, field, reason, remedy }) => {
      return `${severity} ${line}:${column} ${field}: ${reason}. ${remedy}`
    })
    expect([frontmatter, ...said]).toEqual([frontmatter, ...expected])
  }
})
