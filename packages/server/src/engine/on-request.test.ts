import { expect, test } from "bun:test"
import type { RuleId } from "@opencode-rulebook/rule-schema"
import { ROOT, rulesOf } from "../../test/support/rules.ts"
import { onRequestIndex } from "./on-request.ts"

const INTRODUCTION =
  "These rules are not in the conversation. Before you work on what one of them describes, read its file and follow it."
const asking = (description: string) => `---\nalwaysApply: false\ndescription: ${description}\n---\nText.`

test("the index names each rule on request that has a description, in their order, as a durable rule of its own", () => {
  const rules = rulesOf({
    "release.md": asking("How we release").replace("---\n", "---\nname: Releases\n"),
    "silent.md": "---\nalwaysApply: false\n---\nText.",
    "always.md": "---\ndescription: Not on request\n---\nText.",
    "exact.md": asking("é".repeat(300)),
    "long.md": asking("𝒳".repeat(301)),
  })
  expect(onRequestIndex(rules, "packages/api", ROOT)).toEqual({
    id: "index:packages/api" as RuleId,
    scope: "project",
    file: "",
    root: ROOT,
    name: "Rules on request",
    body: [
      INTRODUCTION,
      "- Releases: How we release (.opencode/rules/release.md)",
      `- exact: ${"é".repeat(300)} (.opencode/rules/exact.md)`,
      `- long: ${"𝒳".repeat(299)}… (.opencode/rules/long.md)`,
    ].join("\n"),
    digest: "",
    match: "any",
    activation: "always",
    description: undefined,
    conditions: [],
    hooks: [],
    hold: false,
    remind: undefined,
    forbid: undefined,
    reminder: undefined,
  })
})

test("without a description to name there is no index", () => {
  expect(
    onRequestIndex(rulesOf({ "a.md": "---\nalwaysApply: false\n---\nText.", "b.md": "Text." }), "", ROOT),
  ).toBeUndefined()
})
