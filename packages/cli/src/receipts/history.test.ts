import { expect, test } from "bun:test"
import { historyOf } from "../../test/support/history.ts"
import { delivered, receiptRule, ruleId, type SessionScript, script } from "../../test/support/receipts.ts"
import { carriedBy, isThere, newestRequest, type RuleHistory, spansOf } from "./history.ts"

type Span = readonly [request: number, until?: number, tokens?: number]

/** A rule that came and left so. */
function ruleWith(spans: readonly Span[]): RuleHistory {
  const id = ruleId("a.md")
  const arrivals = spans.map(([request, until, tokens = 10]) => ({
    ...{ rule: id, request, reason: "matched", lifetime: "durable", isStored: true, tokens, by: [], until },
    leftBy: undefined,
  })) satisfies RuleHistory["arrivals"]
  return { ...receiptRule("a.md"), matchedAfter: 0, arrivals, verdicts: undefined, retries: 0 }
}

test("the requests that carry a rule, how many they are, and its tokens in all of them", () => {
  const NEWEST = 9
  const cases: readonly (readonly [came: readonly Span[], spans: string, requests: number, tokens: number])[] = [
    [[], "", 0, 0],
    [[[3]], "3-9", 7, 70],
    [[[3, 5]], "3-4", 2, 20],
    [[[3, 4]], "3-3", 1, 10],
    // It came and left ahead of the same request.
    [[[3, 3]], "", 0, 0],
    [[[9]], "9-9", 1, 10],
    [[[1, 3, 5], [6]], "1-2 6-9", 6, 50],
    [
      [
        [1, 3],
        [4, 6],
      ],
      "1-2 4-5",
      4,
      40,
    ],
    // Another one took its place, without a gap.
    [
      [
        [1, 4],
        [4, 6, 100],
      ],
      "1-5",
      5,
      230,
    ],
    // One beside the other: both are carried.
    [[[1], [4]], "1-9", 9, 150],
    [
      [
        [1, 8],
        [2, 4],
        [8, 9],
      ],
      "1-8",
      8,
      100,
    ],
  ]
  for (const [came, expected, requests, tokens] of cases) {
    const rule = ruleWith(came)
    const spans = spansOf(rule, NEWEST).map(({ from, to }) => `${from}-${to}`)
    expect([came, spans.join(" "), carriedBy(rule, NEWEST)]).toEqual([came, expected, { requests, tokens }])
    const there = Array.from({ length: NEWEST }, (_, index) => index + 1).filter((request) => isThere(rule, request))
    expect(there).toHaveLength(requests)
  }
})

test("a request carries a rule from the one with which it came to the one before it left", () => {
  const rule = ruleWith([[2, 4], [6]])
  expect([1, 2, 3, 4, 5, 6, 7].map((request) => isThere(rule, request))).toEqual([
    false,
    true,
    true,
    false,
    false,
    true,
    true,
  ])
})

test("the newest request is the last one that was sent", () => {
  const newest = (session: SessionScript) => newestRequest(historyOf(session))
  const after = { kind: "followed", rule: ruleId("a.md"), path: "x" } as const
  expect(newest(script().begin())).toBe(0)
  expect(newest(script().begin().add(after))).toBe(0)
  expect(newest(script().begin().request().request().add(after))).toBe(2)
  // Its own line is lost.
  expect(newest(script().begin().add(delivered("a.md")))).toBe(0)
})
