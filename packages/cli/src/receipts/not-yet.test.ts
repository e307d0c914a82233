import { expect, test } from "bun:test"
import type { Change, CompiledRule, ReceiptRule } from "@opencode-rulebook/rule-schema"
import { rule } from "../../test/project.ts"
import { compiled } from "../../test/support/compiled.ts"
import { historyOf } from "../../test/support/history.ts"
import { delivered, matched, receiptRule, ruleId, type SessionScript, script } from "../../test/support/receipts.ts"
import { type ConditionSeen, notYet } from "./not-yet.ts"
import { byId } from "./on-disk.ts"

function missing(session: SessionScript, ...rules: readonly CompiledRule[]) {
  return notYet(historyOf(session), byId(rules))
}

const session = (rest: Partial<ReceiptRule> = {}) =>
  script()
    .begin([receiptRule("a.md", rest)])
    .request()
const verdicts = (...met: readonly boolean[]): Change => ({
  kind: "verdicts",
  rules: { [ruleId("a.md")]: met.map((each, index) => ({ family: index === 0 ? "file" : "agent", met: each })) },
})
const transient = (isOn: boolean): Change => ({
  ...{ kind: "transient", rule: ruleId("a.md"), isOn, reason: isOn ? "matched" : "ended", tokens: 1 },
})

test("why the newest request does not carry a rule", () => {
  const cases: readonly (readonly [SessionScript, string | undefined])[] = [
    [session().add(delivered("a.md")), undefined],
    [session({ activation: "always" }), "it comes with the first request"],
    [session({ activation: "hooks" }), "no call has fired one of its hooks"],
    [session({ activation: "onRequest" }), "on request: the index names it, and the model reads it if it needs it"],
    [session(), "its conditions have not been looked at yet"],
    [session().add(verdicts(false, false)), "none of its conditions is met"],
    [session().add(verdicts(false, true)), "not all of its conditions are met"],
    [session().add(matched("a.md")), "it has matched, and comes with the next request"],
    [session().add(transient(true)).request().add(transient(false)), "ended: its conditions no longer match"],
    [
      session()
        .add(delivered("a.md"))
        .request()
        .add({ kind: "gone", rule: ruleId("a.md"), reason: "compacted" }),
      "compacted: a compaction took it from the conversation",
    ],
    [
      session()
        .add(delivered("a.md", { how: "request" }))
        .begin()
        .request(),
      "it left with the process that ended",
    ],
  ]
  for (const [each, why] of cases) expect(missing(each).map((one) => one.why)).toEqual(why === undefined ? [] : [why])
})

test("what a file on disk adds, where it is the text that the session has", () => {
  const file = compiled(
    "a.md",
    rule('match: all\nglobs: "*.rs"\nbranch: main\nhooks: { type: PreToolUse, tool: bash, block: true }'),
  )
  const own = { digest: file.digest.slice(0, 12) }
  const seen: Change = {
    kind: "verdicts",
    rules: {
      [ruleId("a.md")]: [
        { family: "file", met: false },
        { family: "branch", met: false, seen: "next" },
        { family: "agent", met: false },
      ],
    },
  }
  const conditions: readonly ConditionSeen[] = [
    { family: "file", met: false, seen: undefined, declared: "*.rs" },
    { family: "branch", met: false, seen: "next", declared: "branch main" },
    { family: "agent", met: false, seen: undefined, declared: undefined },
  ]
  const [same] = missing(session(own).add(seen), file)
  expect({ ...same, rule: same?.rule.id }).toEqual({
    rule: ruleId("a.md"),
    // Of "match: all", even none of them is "not all".
    ...{ why: "not all of its conditions are met", conditions, isCurrent: true },
    hooks: ["hook: PreToolUse bash · blocks"],
  })
  const unknown = conditions.map((condition) => ({ ...condition, declared: undefined }))
  for (const digest of ["0123", ""]) {
    const [edited] = missing(session({ digest }).add(seen), file)
    expect({ ...edited, rule: 0 }).toEqual({
      ...{ rule: 0, why: "none of its conditions is met", conditions: unknown, hooks: [], isCurrent: false },
    })
  }
  const [removed] = missing(session(own).add(seen))
  expect({ ...removed, rule: 0 }).toEqual({
    ...{ rule: 0, why: "none of its conditions is met", conditions: unknown, hooks: [], isCurrent: undefined },
  })
})

test("the rules are in the order of the session", () => {
  const rules = ["b.md", "a.md", "c.md"].map((path) => receiptRule(path))
  const all = missing(script().begin(rules).request().add(delivered("a.md")))
  expect(all.map((one) => [one.rule.id, one.conditions])).toEqual([
    [ruleId("b.md"), []],
    [ruleId("c.md"), []],
  ])
})
