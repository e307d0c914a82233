import { expect, test } from "bun:test"
import { type Facts, type MatchedBy, NO_FACTS } from "@opencode-rulebook/rule-schema"
import { ruleOf } from "../../test/support/rules.ts"
import { causeText, conditionCauses, hookCause } from "./cause.ts"

const RULE = ruleOf('---\nglobs: "*.rs"\nkeywords: [ffi]\nagent: [build]\nbranch: ["*"]\n---\nText.')
const pathOf = (path: string) => `noted ${path}`
const causes = (facts: Partial<Facts>) => conditionCauses(RULE, { ...NO_FACTS, ...facts }, pathOf)

test("a rule is matched by those of its conditions that are met, each with the one name that it saw", () => {
  const observed = new Map([[RULE.id, "src/a.rs"]])
  expect(causes({ observed, prompt: "use ffi", agent: "build", branch: `b${"x".repeat(300)}` })).toEqual([
    { kind: "condition", family: "file", seen: "noted src/a.rs" },
    { kind: "condition", family: "keywords" },
    { kind: "condition", family: "agent", seen: "build" },
    { kind: "condition", family: "branch", seen: `b${"x".repeat(199)}` },
  ])
  expect(causes({ prompt: "hello", agent: "plan", branch: "main" })).toEqual([
    { kind: "condition", family: "branch", seen: "main" },
  ])
  expect(causes({})).toEqual([])
  expect(conditionCauses(ruleOf("Text."), NO_FACTS, pathOf)).toEqual([{ kind: "always" }])
})

test.each<[readonly MatchedBy[], string | undefined]>([
  [[{ kind: "always" }], undefined],
  [[hookCause("bash")], "bash call"],
  [[{ kind: "condition", family: "keywords", seen: "never shown" }], "prompt"],
  [[{ kind: "condition", family: "file", seen: "src/a.rs" }], "src/a.rs"],
  [[{ kind: "condition", family: "file" }], "file"],
  [[{ kind: "condition", family: "agent", seen: "build" }], "agent"],
  [
    [
      { kind: "condition", family: "file", seen: "a.rs" },
      { kind: "condition", family: "keywords" },
      { kind: "condition", family: "os" },
    ],
    "a.rs and prompt and os",
  ],
  // A model has written the tool's name.
  [[hookCause("x".repeat(5_000))], `${"x".repeat(100)} call`],
  [["a", "b"].map((one) => hookCause(one.repeat(150))), `${"a".repeat(100)} call and ${"b".repeat(90)}`],
])("%j in words: %p", (by, words) => {
  expect(causeText(by)).toBe(words as string)
})
