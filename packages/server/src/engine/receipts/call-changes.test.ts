import { expect, test } from "bun:test"
import { ruleOf } from "../../../test/support/rules.ts"
import { judgedChanges, stoppedChanges } from "./call-changes.ts"

const RULE = ruleOf("---\nforbid: [log(, debugger]\n---\nText.")
const { id } = RULE

test("each rule that stopped a call is noted, with the entry and the line for which it refused it", () => {
  const own = { kind: "stopped", rule: id, tool: "write", paths: ["a.rs"] } as const
  const rules = [
    { id, reason: "blocked" },
    { id, reason: "refused", literal: 0, line: 1 },
    { id, reason: "refused", literal: 1, line: undefined },
  ] as const
  expect(stoppedChanges(rules, "write", ["a.rs"])).toStrictEqual([
    { ...own, reason: "blocked" },
    { ...own, reason: "refused", literal: 0, line: 1 },
    { ...own, reason: "refused", literal: 1 },
  ])
  expect(stoppedChanges(rules.slice(0, 1), "x".repeat(5_000), [])[0]?.tool).toBe("x".repeat(100))
})

test("a call broke a rule once for each literal, or kept to it", () => {
  const added = [
    { literal: 0, line: 7 },
    { literal: 1, line: undefined },
  ]
  const pathOf = (path: string) => `noted ${path}`
  expect(judgedChanges({ rule: RULE, path: "a.ts", added }, pathOf)).toStrictEqual([
    { kind: "forbidden", rule: id, path: "noted a.ts", literal: 0, line: 7 },
    { kind: "forbidden", rule: id, path: "noted a.ts", literal: 1 },
  ])
  expect(judgedChanges({ rule: RULE, path: "a.ts", added: [] }, pathOf)).toStrictEqual([
    { kind: "followed", rule: id, path: "noted a.ts" },
  ])
})
