import { expect, test } from "bun:test"
import type { RuleId } from "@opencode-rulebook/rule-schema"
import { ruleOf } from "../../test/support/rules.ts"
import { againId, deliveryOfId, ruleAgain } from "./again.ts"

test.each<[string, string, number]>([
  ["project:a.md", "project:a.md", 1],
  ["again:2:project:a.md", "project:a.md", 2],
  ["again:17:pack:@acme/rules:a\nb.md", "pack:@acme/rules:a\nb.md", 17],
  ["project:again:2:a.md", "project:again:2:a.md", 1],
  ["again:x:project:a.md", "again:x:project:a.md", 1],
  ["again:2:", "again:2:", 1],
  // No rule is delivered so often.
  ["again:1234567890:project:a.md", "again:1234567890:project:a.md", 1],
])("%j is delivery of %j, number %d", (id, rule, count) => {
  expect(deliveryOfId(id as RuleId)).toEqual({ rule: rule as RuleId, count })
  if (count > 1) expect(againId({ rule: rule as RuleId, count })).toBe(id as RuleId)
})

test("a rule that is delivered again has its name, and an identity and a text of its own", () => {
  const rule = ruleOf("---\nname: Rust\nglobs: '*.rs'\n---\nThe whole text.")
  const { id, name, body } = ruleAgain(rule, 3, "In short.")
  expect({ id, name, body }).toEqual({ id: "again:3:project:a.md" as RuleId, name: "Rust", body: "In short." })
})
