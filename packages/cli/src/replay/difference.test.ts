import { expect, test } from "bun:test"
import type { Change } from "@opencode-rulebook/rule-schema"
import { historyOf } from "../../test/support/history.ts"
import { delivered, matched, receiptRule, ruleId, type SessionScript, script } from "../../test/support/receipts.ts"
import { type Difference, differenceOf, type PastArrival } from "./difference.ts"

/** A session with these changes behind each of its requests; its rules are in another order than they come. */
function session(...requests: readonly (readonly Change[])[]): SessionScript {
  const made = script().begin(["late", "again", "early", "brief", "same"].map((path) => receiptRule(path)))
  for (const changes of requests) made.request().add(...changes)
  return made
}

function transient(path: string): Change {
  return { kind: "transient", rule: ruleId(path), isOn: true, reason: "matched", tokens: 5 }
}

/** In short: the rule, its request, its reason and its lifetime, as far as they are known. */
function shown({ rule, request, reason, lifetime }: PastArrival): string {
  return `${rule.replace("project:", "")} ${request} ${reason ?? "?"} ${lifetime ?? "?"}`
}

function inShort({ against, knowsWhen, gained, lost, moved }: Difference): object {
  return {
    ...{ against, knowsWhen, gained: gained.map(shown), lost: lost.map(shown) },
    moved: moved.map(({ now, before }) => `${shown(now)} <- ${shown(before)}`),
  }
}

const REPLAYED = session(
  [delivered("same"), transient("brief")],
  [delivered("early", { reason: "hook" }), delivered("again")],
  [delivered("late"), delivered("again", { reason: "compacted" })],
)

function difference(stored: Parameters<typeof differenceOf>[1], recorded?: SessionScript): object {
  return inShort(differenceOf(historyOf(REPLAYED), stored, recorded && historyOf(recorded)))
}

test("without receipts, durable rules are compared with those that messages deliver, and nothing has moved", () => {
  const stored = [
    { rule: ruleId("same"), request: 3 },
    { rule: ruleId("gone"), request: 1 },
    { rule: ruleId("gone"), request: 2 },
    { rule: ruleId("late"), request: 1 },
  ]
  expect(difference(stored)).toEqual({
    against: "metadata",
    knowsWhen: false,
    gained: ["again 2 matched durable", "early 2 hook durable"],
    lost: ["gone 1 ? ?"],
    moved: [],
  })
})

test("receipts of the same requests say when each rule came: at another request, for another reason, for another time", () => {
  const recorded = session(
    [delivered("late"), transient("same")],
    [delivered("gone"), delivered("early"), delivered("again")],
    [delivered("gone", { reason: "compacted" }), delivered("again", { reason: "compacted" })],
  )
  expect(difference([], recorded)).toEqual({
    against: "receipts",
    knowsWhen: true,
    gained: ["brief 1 matched transient"],
    lost: ["gone 2 matched durable"],
    moved: [
      "same 1 matched durable <- same 1 matched transient",
      "early 2 hook durable <- early 2 matched durable",
      "late 3 matched durable <- late 1 matched durable",
    ],
  })
})

test.each<[what: string, before: readonly (readonly Change[])[], moved: readonly string[]]>([
  [
    "comes again now, and did not then",
    [
      [delivered("same"), transient("brief")],
      [delivered("early", { reason: "hook" }), delivered("again")],
    ],
    ["again 3 compacted durable <- again 2 matched durable"],
  ],
  [
    "came again then, and does not now",
    [
      [delivered("same"), transient("brief")],
      [delivered("early", { reason: "hook" }), delivered("again"), delivered("same", { reason: "reverted" })],
      [delivered("again", { reason: "compacted" })],
    ],
    ["same 1 matched durable <- same 2 reverted durable"],
  ],
  [
    "comes again at another request",
    [
      [delivered("again"), delivered("same"), transient("brief")],
      [delivered("early", { reason: "hook" }), delivered("again", { reason: "compacted" })],
    ],
    ["again 2 matched durable <- again 1 matched durable"],
  ],
])("the first change of a rule counts: it %s", (_what, before, moved) => {
  const [first = [], second = [], third = []] = before
  expect(difference([], session(first, second, [delivered("late"), ...third]))).toEqual({
    ...{ against: "receipts", knowsWhen: true, gained: [], lost: [], moved },
  })
})

test.each<[what: string, recorded: SessionScript]>([
  ["other requests", session([delivered("same"), delivered("gone")], [delivered("late")])],
  [
    "two processes",
    session([delivered("same"), delivered("gone")], [])
      .begin()
      .request()
      .add(delivered("late")),
  ],
  ["a full file", session([delivered("same"), delivered("gone")], [], [delivered("late"), { kind: "full" }])],
])("receipts of %s say with the messages which rules came, not when", (_what, recorded) => {
  const stored = [
    { rule: ruleId("early"), request: 1 },
    { rule: ruleId("gone"), request: 3 },
    { rule: ruleId("stored"), request: 1 },
  ]
  expect(difference(stored, recorded)).toEqual({
    against: "receipts",
    knowsWhen: false,
    gained: ["brief 1 matched transient", "again 2 matched durable"],
    lost: ["gone 1 matched durable", "stored 1 ? ?"],
    moved: [],
  })
})

test("what brought a rule goes along", () => {
  const recorded = historyOf(session([matched("gone", "keywords"), delivered("gone")]))
  const { lost } = differenceOf(historyOf(session([])), [], recorded)
  expect(lost.map(({ by }) => by)).toEqual([[{ kind: "condition", family: "keywords" }]])
})
