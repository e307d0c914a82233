import { expect, test } from "bun:test"
import { NO_FACTS } from "@opencode-rulebook/rule-schema"
import { ruleOf } from "../../test/support/rules.ts"
import { traceLines } from "./trace.ts"

test("a line for each rule: whether the request has it and why, and each condition's verdict", () => {
  const rule = ruleOf("---\nname: Rust\nglobs: '*.rs'\n---\nText.", "rust.md")
  const verdicts = [
    { family: "file", met: true, why: "a.rs was observed" },
    { family: "agent", met: false, why: "it is plan" },
  ] as const
  const lines = traceLines({
    sessionID: "ses_1",
    number: 3,
    facts: NO_FACTS,
    rules: [
      { rule, appliesAs: "durable", reason: "matched", evaluation: { matched: false, why: "none", verdicts } },
      { rule, appliesAs: "transient", reason: "hook", evaluation: { matched: false, why: "hooks only", verdicts: [] } },
      { rule, appliesAs: undefined, reason: "matched", evaluation: { matched: false, why: "none", verdicts: [] } },
    ],
  })
  const begin = "request 3 of ses_1: project:rust.md (Rust)"
  expect(lines).toEqual([
    `${begin}: matched, durable: file met (a.rs was observed); agent not met (it is plan)`,
    `${begin}: hook, transient: hooks only`,
    `${begin}: not matched: none`,
  ])
})
