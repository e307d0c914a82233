import { expect, test } from "bun:test"
import { type CompiledRule, NO_FACTS, type RuleId, ruleTokens } from "@opencode-rulebook/rule-schema"
import { shown } from "../../../test/support/engine.ts"
import { rulesOf } from "../../../test/support/rules.ts"
import { ruleAgain } from "../again.ts"
import { hookCause } from "../cause.ts"
import { type RecordedRequest, type RecordedSession, requestChanges } from "./request-changes.ts"

const RULES = rulesOf({
  "a.md": "Rule a.",
  "b.md": "Rule b is as long as this.",
  "c.md": "Rule c, which is longer.",
  "d.md": "Rule d, the longest of all four of them, by far.",
})
const [A, B, C, D] = RULES as [CompiledRule, CompiledRule, CompiledRule, CompiledRule]
const BY_PROMPT = [{ kind: "condition", family: "keywords" }] as const
const BY_HOOK = [hookCause("bash")]

const SESSION: RecordedSession = { id: "ses_1", dispatches: 4, causes: new Map(), heldAt: new Map() }
const REQUEST: RecordedRequest = {
  isRepeated: false,
  isPrompted: false,
  facts: NO_FACTS,
  history: shown(["m1"]),
  tokens: 12,
  deliveries: [],
  came: [],
  went: [],
}
const BARE = { kind: "request", prompted: false, did: [], tokens: 12 } as const

test("a request has its agent and model, where they are known, and what was done before it", () => {
  const did = [{ tool: "read", paths: ["a.rs"] }]
  const facts = { ...NO_FACTS, agent: "build", model: { providerID: "anthropic", modelID: "claude" } }
  expect(requestChanges(SESSION, { ...REQUEST, isPrompted: true, facts }, [], did)).toStrictEqual([
    { ...BARE, prompted: true, did, agent: "build", model: "anthropic/claude" },
  ])
  expect(requestChanges(SESSION, REQUEST, [], [])).toStrictEqual([BARE])
})

test("one that the host sends once more is no other request, and may have news all the same", () => {
  const deliveries = [{ kind: "first", rule: A, how: "request", count: 1 }] as const
  expect(requestChanges(SESSION, { ...REQUEST, deliveries }, [], undefined)).toStrictEqual([
    { kind: "delivered", rule: A.id, how: "request", reason: "matched", count: 1, tokens: ruleTokens(A) },
  ])
})

test("the order: what was found, what the prompt has matched, what was delivered, what went, what came", () => {
  const reminder = ruleAgain(C, 3, "In short.")
  const deliveries = [
    { kind: "first", rule: B, how: "request", count: 1 },
    { kind: "found", rule: A },
    { kind: "again", rule: C, how: "stored", count: 2, reason: "compacted" },
    { kind: "further", rule: reminder, of: C, how: "request", count: 3, reason: "reminded" },
    { kind: "found", rule: D },
  ] as const
  const waiting = [
    { rule: A, by: BY_PROMPT },
    { rule: B, by: BY_PROMPT },
  ]
  const went = [
    { rule: A, isDurable: true },
    { rule: B, isDurable: false },
  ]
  const came = [{ rule: D, by: BY_HOOK }]
  expect(requestChanges(SESSION, { ...REQUEST, deliveries, came, went }, waiting, [])).toStrictEqual([
    BARE,
    { kind: "found", rules: [A.id, D.id] },
    { kind: "matched", rule: B.id, by: BY_PROMPT },
    { kind: "delivered", rule: B.id, how: "request", reason: "matched", count: 1, tokens: ruleTokens(B) },
    { kind: "gone", rule: C.id, reason: "compacted" },
    { kind: "delivered", rule: C.id, how: "stored", reason: "compacted", count: 2, tokens: ruleTokens(C) },
    { kind: "delivered", rule: C.id, how: "request", reason: "reminded", count: 3, tokens: ruleTokens(reminder) },
    { kind: "transient", rule: A.id, isOn: false, reason: "matched", tokens: ruleTokens(A) },
    { kind: "transient", rule: B.id, isOn: false, reason: "ended", tokens: ruleTokens(B) },
    { kind: "matched", rule: D.id, by: BY_HOOK },
    { kind: "transient", rule: D.id, isOn: true, reason: "hook", tokens: ruleTokens(D) },
  ])
})

test("a rule that came was held, fired or matched: a held one in the step of the request before, at the most", () => {
  const heldAt = (dispatch: number) => new Map([[A.id, { dispatch }]])
  const causes = new Map([[A.id, { by: [...BY_PROMPT, ...BY_HOOK], at: 1 }]])
  const reasonIn = (session: Partial<RecordedSession>) =>
    requestChanges(
      { ...SESSION, ...session },
      {
        ...REQUEST,
        deliveries: [{ kind: "first", rule: A, how: "stored", count: 1 }],
        came: [{ rule: A, by: BY_PROMPT }],
      },
      [],
      undefined,
    ).flatMap((change) => (change.kind === "delivered" || change.kind === "transient" ? change.reason : []))
  expect(reasonIn({})).toEqual(["matched", "matched"])
  expect(reasonIn({ causes })).toEqual(["hook", "matched"])
  expect(reasonIn({ causes, heldAt: heldAt(3) })).toEqual(["held", "held"])
  expect(reasonIn({ causes, heldAt: heldAt(4) })).toEqual(["held", "held"])
  expect(reasonIn({ causes, heldAt: heldAt(2) })).toEqual(["hook", "matched"])
  expect(reasonIn({ heldAt: new Map([[B.id as RuleId, { dispatch: 4 }]]) })).toEqual(["matched", "matched"])
})
