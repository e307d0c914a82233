import { expect, test } from "bun:test"
import type { RuleId } from "@opencode-rulebook/rule-schema"
import fc from "fast-check"
import { againId, deliveryOfId } from "../../engine/again.ts"
import { createIDReader, createMessageIDs, isOwnID, MOST_RULES } from "./ids.ts"

const rule = fc.string({ minLength: 1 }).map((text) => `project:${text}` as RuleId)

test("an id says which rules it delivers, in their order, to who knows the rules", () => {
  fc.assert(
    fc.property(fc.uniqueArray(rule, { maxLength: 30 }), fc.array(rule), fc.nat(), (rules, others, now) => {
      const id = createMessageIDs(() => now)(rules)
      expect(createIDReader([...others, ...rules])(id)).toEqual(rules)
      expect(createIDReader([])(id)).toEqual([])
    }),
  )
})

test("a further delivery of a rule is told from the first by who knows the rule", () => {
  const delivery = fc.record({ rule, count: fc.integer({ min: 1, max: 10_000 }) })
  fc.assert(
    fc.property(fc.array(delivery, { minLength: 1, maxLength: 12 }), fc.array(rule), (deliveries, others) => {
      const ids = deliveries.map(({ rule, count }) => (count === 1 ? rule : againId({ rule, count })))
      const id = createMessageIDs(() => 1)(ids)
      expect(id).toHaveLength(24 + 6 * ids.length)
      expect(createIDReader([...others, ...deliveries.map(({ rule }) => rule)])(id)).toEqual(ids)
      expect(ids.map(deliveryOfId)).toEqual(deliveries)
    }),
  )
})

test("a rule whose path looks like a further delivery of another is one of its own", () => {
  const rules = ["project:a.md", "project:a.md#2", "project:again:2:project:a.md"] as RuleId[]
  expect(rules.map(deliveryOfId)).toEqual(rules.map((rule) => ({ rule, count: 1 })))
  expect(createIDReader(rules)(createMessageIDs(() => 1)(rules))).toEqual(rules)
})

test("an id for one rule is as long as the host's, and begins with its time", () => {
  // The recorded host's clock, as its own ids have it.
  const id = createMessageIDs(() => 0x1a2_2c3e_0f42)(["project:a.md" as RuleId])
  expect(id).toStartWith("msg_22c3e0f42000")
  expect(id).toHaveLength("msg_22c3e0f42001UO36zul8Aaa4qw".length)
})

test("ids only grow, also when the clock does not", () => {
  const times = [5, 5, 4, 6]
  const next = createMessageIDs(() => times.shift() ?? 6)
  const ids = [next([]), next([]), next([]), next([])]
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(4)
})

test.each([
  "msg_22c3e0f42001UO36zul8Aaa4qw",
  "msg_rulebook",
  "msg_22c3e0f42001rulebook-",
  "msg_22c3e0f42001rulebookabc",
  "prt_22c3e0f42001rulebookabcdef",
  "xmsg_22c3e0f42001rulebookabcdef",
  "msg_22c3e0f42001rulebookabcdef-",
  "",
])("%p is not ours", (id) => {
  expect(isOwnID(id)).toBe(false)
  expect(createIDReader(["project:a.md" as RuleId])(id)).toBeUndefined()
})

test("an id that an earlier version has stored is read: marks and their order stay", () => {
  const rules = ["project:a.md", "global:css/b.md"] as RuleId[]
  const [first = "", second = ""] = rules.map((rule) => createMessageIDs(() => 1)([rule]))
  expect([first, second]).toEqual(["msg_000000001000rulebookXdmy99", "msg_000000001000rulebookqJcD7X"])
  const again = createMessageIDs(() => 1)([againId({ rule: "project:a.md" as RuleId, count: 2 })])
  expect(again).toBe("msg_000000001000rulebookwB3TEA")
  const read = createIDReader(rules)
  expect(read("msg_22c3e0f42001rulebookqJcD7XXdmy99")).toEqual(rules.toReversed())
  expect(read("msg_22c3e0f42001rulebookwB3TEA")).toEqual([againId({ rule: "project:a.md" as RuleId, count: 2 })])
})

test("10,000 deliveries of one rule are told apart; a mark of none of them is ignored", () => {
  const read = createIDReader(["project:a.md" as RuleId])
  expect(read("msg_22c3e0f42001rulebookOzeGz5")).toEqual([againId({ rule: "project:a.md" as RuleId, count: 10_000 })])
  expect(read("msg_22c3e0f42001rulebooknXvk37Xdmy99")).toEqual(["project:a.md" as RuleId])
})

test("an id holds the low 48 bits of its time, and the next one is one more", () => {
  const next = createMessageIDs(() => 2 ** 36 + 1)
  expect([next([]), next([]), next([])]).toEqual(
    ["000000001000", "000000001001", "000000001002"].map((time) => `msg_${time}rulebook`),
  )
})

test("an id has room for twelve rules", () => {
  const rules = Array.from({ length: MOST_RULES }, (_, index) => `project:${index}.md` as RuleId)
  expect([rules.length, createMessageIDs(() => 1)(rules).length]).toEqual([12, 96])
})
