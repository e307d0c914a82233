import { expect, test } from "bun:test"
import type { MatchedBy } from "@opencode-rulebook/rule-schema"
import { ruleId } from "../../test/support/receipts.ts"
import { callLines } from "./calls.ts"
import type { Arrival, Step } from "./history.ts"
import { counted, dayOf, isoTime, leftForGood, matcherOf, placeOf, ranges, shownTime, whyOf } from "./words.ts"

test("what matched a rule", () => {
  const cases: readonly (readonly [MatchedBy, string])[] = [
    [{ kind: "always" }, "always"],
    [{ kind: "hook", tool: "bash" }, "a bash call"],
    [{ kind: "condition", family: "file", seen: "src/a.rs" }, "file src/a.rs"],
    [{ kind: "condition", family: "keywords" }, "keywords"],
  ]
  expect(cases.map(([by]) => matcherOf(by))).toEqual(cases.map(([, text]) => text))
})

test("why a rule came: what matched it is said where that is the reason", () => {
  const by: readonly MatchedBy[] = [{ kind: "always" }, { kind: "hook", tool: "bash" }]
  const why = (reason: Arrival["reason"]) => [whyOf({ reason, by }), whyOf({ reason, by: [] })]
  expect(why("matched")).toEqual(["matched: always, a bash call", "matched"])
  expect(why("hook")).toEqual(["hook: always, a bash call", "hook"])
  expect(why("compacted")).toEqual(["again: compacted", "again: compacted"])
  expect(why("reverted")).toEqual(["again: reverted", "again: reverted"])
  for (const reason of ["found", "reminded", "forbidden", "held"] as const)
    expect(why(reason)).toEqual([reason, reason])
})

test("what is there again with the same request has not left for good", () => {
  const [a, b, c] = ["a.md", "b.md", "c.md"].map((path) => ruleId(path)) as [
    Arrival["rule"],
    Arrival["rule"],
    Arrival["rule"],
  ]
  const came = (rule: Arrival["rule"], reason: Arrival["reason"]) => ({ rule, reason }) as Arrival
  const step: Pick<Step, "left" | "arrived"> = {
    left: [
      { rule: a, reason: "compacted" },
      { rule: b, reason: "reverted" },
      { rule: c, reason: "ended" },
    ],
    arrived: [came(a, "compacted"), came(c, "matched")],
  }
  expect(leftForGood(step as Step).map(({ rule }) => rule)).toEqual([b, c])
})

test("numbers, places and times", () => {
  expect([0, 1, 2, 1234].map((number) => counted(number, "rule"))).toEqual([
    "0 rules",
    "1 rule",
    "2 rules",
    "1,234 rules",
  ])
  expect([placeOf({ path: "a.ts", line: 3 }), placeOf({ path: "a.ts" })]).toEqual(["a.ts:3", "a.ts"])
  const spans = [
    { from: 1, to: 7 },
    { from: 9, to: 9 },
  ]
  expect([ranges(spans), ranges([])]).toEqual(["1–7, 9", ""])
  const at = new Date(2026, 0, 5, 7, 3, 9).getTime()
  expect([dayOf(at), shownTime(at)]).toEqual(["2026-01-05", "2026-01-05 07:03"])
  const later = new Date(2026, 11, 30, 23, 59).getTime()
  expect([dayOf(later), shownTime(later)]).toEqual(["2026-12-30", "2026-12-30 23:59"])
  expect(isoTime(Date.UTC(2026, 0, 5, 7, 3, 9))).toBe("2026-01-05T07:03:09.000Z")
})

test("what the agent did: a line for each tool, with its files once", () => {
  const read = (...paths: readonly string[]) => ({ tool: "read", paths })
  expect(
    callLines([
      read("a.ts"),
      { tool: "bash", paths: [] },
      read("b.ts", "a.ts"),
      { tool: "bash", paths: [], stopped: true },
      { tool: "bash", paths: [] },
      { tool: "edit\n", paths: ["1", "2", "3", "4\n", "5", "6"], stopped: true },
      { tool: "grep", paths: [] },
    ]),
  ).toEqual([
    { text: "read a.ts, b.ts", isStopped: false },
    { text: "bash ×2", isStopped: false },
    { text: "✗ bash", isStopped: true },
    { text: "✗ edit\\n 1, 2, 3, 4\\n +2", isStopped: true },
    { text: "grep", isStopped: false },
  ])
  expect(callLines([])).toEqual([])
})
