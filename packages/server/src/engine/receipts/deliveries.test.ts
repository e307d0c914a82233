import { describe, expect, test } from "bun:test"
import type { RuleId } from "@opencode-rulebook/rule-schema"
import { shown } from "../../../test/support/engine.ts"
import { rulesOf } from "../../../test/support/rules.ts"
import { type Further, ruleAgain } from "../again.ts"
import { createDeliveries, type DeliveryNews } from "./deliveries.ts"

const RULES = rulesOf({ "a.md": "Rule a.", "b.md": "Rule b." })
const [A, B] = RULES as [(typeof RULES)[0], (typeof RULES)[0]]
const id = (name: "a" | "b", times = 1) => `${times === 1 ? "" : `again:${times}:`}project:${name}.md`

interface Request {
  readonly messages: readonly string[]
  /** By message, the rules that it delivers. */
  readonly stored?: Readonly<Record<string, readonly string[]>>
  /** By message, the rules that stand behind it. */
  readonly placed?: Readonly<Record<string, readonly string[]>>
  readonly further?: readonly Further[]
}

/** Requests of one session, in turn. */
function noting(attempted: readonly RuleId[] = []) {
  const deliveries = createDeliveries()
  let number = 0
  return {
    deliveries,
    request({ messages, stored = {}, placed = {}, further = [] }: Request): readonly string[] {
      number += 1
      const placements = Object.entries(placed).map(([after, rules]) => ({ after, rules: rules as readonly RuleId[] }))
      const history = shown(messages, stored)
      const request = { number, durable: RULES, further, history, placements, attempted: new Set(attempted) }
      return deliveries.note(request).map(told)
    },
    known: () =>
      Object.fromEntries(
        Array.from(deliveries.known, ([rule, { count, request, messages }]) => [
          rule.replace(/.*:|\.md/g, ""),
          `${count} since ${request} in ${messages.join(" ")}`,
        ]),
      ),
  }
}

function told(news: DeliveryNews): string {
  const { kind, rule } = news
  if (kind === "found") return `found ${rule.name}`
  if (kind === "first") return `first ${rule.name} ${news.how} ${news.count}`
  if (kind === "again") return `again ${rule.name} ${news.how} ${news.count} ${news.reason}`
  return `further ${rule.id} of ${news.of.name} ${news.how} ${news.count} ${news.reason}`
}

function further(rule: (typeof RULES)[0], count: number, isSeen = false): Further {
  const state = { isSeen, isShown: false, after: undefined }
  return { rule: ruleAgain(rule, count, "In short."), of: rule, count, reason: "reminded", ...state }
}

test("the first request that carries a rule, and where it stands since; what carries it on is no news", () => {
  const { request, known, deliveries } = noting([A.id])
  expect(request({ messages: ["m1"] })).toEqual([])
  expect(request({ messages: ["m1", "m2"], stored: { m1: [id("a")] }, placed: { m2: [id("b")] } })).toEqual([
    "first a stored 1",
    "first b request 1",
  ])
  expect(known()).toEqual({ a: "1 since 2 in m1", b: "1 since 2 in m2" })
  // The second is stored since, and stands where it stood.
  const stored = { m1: [id("a")], m3: [id("b")] }
  expect(request({ messages: ["m1", "m2", "m3"], stored, placed: { m2: [id("b")] } })).toEqual([])
  expect(request({ messages: ["m1", "m2", "m3"], stored })).toEqual([])
  expect(known()).toEqual({ a: "1 since 2 in m1", b: "1 since 2 in m3" })
  expect([deliveries.countOf(A.id), deliveries.countOf("project:none.md" as RuleId)]).toEqual([1, 0])
})

test("what this process did not hand over was there before; it comes again as any other", () => {
  const { request, known } = noting([B.id])
  const stored = { m1: [id("a"), id("b")] }
  expect(request({ messages: ["m1"], stored, placed: { m1: [id("b")] } })).toEqual(["found a", "first b stored 1"])
  expect(known()).toEqual({ a: "1 since 0 in m1", b: "1 since 1 in m1 m1" })
  expect(request({ messages: ["s"], placed: { s: [id("a")] } })).toEqual(["again a request 2 compacted"])
  expect(known()["a"]).toBe("2 since 2 in s")
})

describe("why a rule had to come again", () => {
  const messages = ["host", "m1", "m2", "m3", "m4"]
  function again(now: Request, isReverted = false, first: Request = { messages, stored: { m3: [id("a")] } }) {
    const { request, deliveries } = noting([A.id])
    expect(request(first)).toEqual(["first a stored 1"])
    if (isReverted) deliveries.reverted()
    return request(now)
  }
  const placed = (...left: string[]) => ({ messages: left, placed: { [left.at(-1) ?? ""]: [id("a")] } })

  test.each<[string, Request, string]>([
    ["what stood before it is there", placed("host", "m2", "m9"), "reverted"],
    ["all before it", placed("host", "m1", "m2"), "reverted"],
    ["what stood behind it is there", placed("host", "s", "m4"), "compacted"],
    ["nothing is there", placed("s"), "compacted"],
    // It can be one of the host's own, which is always there.
    ["the first message alone is", placed("host", "s"), "compacted"],
  ])("%s: %s", (_name, now, reason) => {
    expect(again(now)).toEqual([`again a request 2 ${reason}`])
  })

  test("the host said that it took something back, since the request before", () => {
    expect(again(placed("s"), true)).toEqual(["again a request 2 reverted"])
    const { request, deliveries } = noting([A.id])
    deliveries.reverted()
    request({ messages, stored: { m3: [id("a")] } })
    expect(request(placed("s"))).toEqual(["again a request 2 compacted"])
  })

  test("it stood in the first message: nothing was before it", () => {
    expect(again(placed("s", "m1"), false, { messages: ["m0", "m1"], stored: { m0: [id("a")] } })).toEqual([
      "again a request 2 compacted",
    ])
  })

  test("the copy that comes instead is stored already", () => {
    expect(again({ messages: ["m9"], stored: { m9: [id("a")] } })).toEqual(["again a stored 2 compacted"])
  })

  test("one that is not there while its rule is not carried, and then as it was, is no news", () => {
    const { request } = noting([A.id])
    request({ messages, stored: { m3: [id("a")] } })
    expect(request({ messages: ["m1"] })).toEqual([])
    expect(request({ messages, stored: { m3: [id("a")] } })).toEqual([])
  })
})

describe("a further delivery", () => {
  test("is news with the first request that has it, and counts for its rule", () => {
    const { request, known, deliveries } = noting([A.id])
    const messages = ["m1", "m2"]
    request({ messages, stored: { m1: [id("a")] } })
    const own = { messages, stored: { m1: [id("a")] }, placed: { m2: [id("a", 2)] } }
    // It is not there yet.
    expect(request({ ...own, placed: {}, further: [further(A, 2)] })).toEqual([])
    expect(request({ ...own, further: [further(A, 2)] })).toEqual([
      "further again:2:project:a.md of a request 2 reminded",
    ])
    expect([known()["a"], deliveries.countOf(A.id)]).toEqual(["2 since 3 in m1", 2])
    expect(request({ ...own, further: [further(A, 2, true)] })).toEqual([])
    const stored = { m1: [id("a")], m2: [id("a", 2), id("a", 3)] }
    expect(request({ messages, stored, further: [further(A, 2, true), further(A, 3)] })).toEqual([
      "further again:3:project:a.md of a stored 3 reminded",
    ])
    expect(known()["a"]).toBe("3 since 5 in m1")
    // The rule itself, once it is gone, is the next one.
    expect(request({ messages: ["s"], placed: { s: [id("a")] } })).toEqual(["again a request 4 compacted"])
  })

  test("of an earlier process is counted, since the rule's own request", () => {
    const { request, known, deliveries } = noting([B.id])
    const stored = { m1: [id("a"), id("b")], m2: [id("a", 4), id("a", 2)] }
    expect(request({ messages: ["m1", "m2"], stored })).toEqual(["found a", "first b stored 1"])
    expect(known()).toEqual({ a: "4 since 0 in m1", b: "1 since 1 in m1" })
    expect(deliveries.countOf(A.id)).toBe(4)
  })

  test("of a rule that the conversation lost is counted too", () => {
    const { request, known, deliveries } = noting()
    const stored = { m2: [id("a", 3)] }
    expect(request({ messages: ["m2"], stored })).toEqual([])
    expect([known(), deliveries.countOf(A.id)]).toEqual([{}, 3])
    expect(request({ messages: ["m2", "m3"], stored, placed: { m3: [id("a")] } })).toEqual(["first a request 4"])
    expect(known()).toEqual({ a: "4 since 2 in m3" })
  })
})
