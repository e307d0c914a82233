import { expect, test } from "bun:test"
import type { RuleId } from "@opencode-rulebook/rule-schema"
import { shown } from "../../test/support/engine.ts"
import { rulesOf } from "../../test/support/rules.ts"
import type { Further } from "./again.ts"
import { deliverAgain, dropBehind, dropGone, dropSeen, noteSeen, withFurther } from "./further.ts"
import { createDeliveries } from "./receipts/deliveries.ts"

const RULES = rulesOf({ "a.md": "Rule a.", "b.md": "Rule b." })
const [A, B] = RULES as [(typeof RULES)[0], (typeof RULES)[0]]
const id = (of: string, count: number) => `again:${count}:project:${of}.md` as RuleId

/** A session with a reminder of each rule, and two of the first. */
function session() {
  const made = { id: "ses_1", further: [] as readonly Further[], deliveries: createDeliveries() }
  deliverAgain(made, A, "reminded", "A in short.")
  deliverAgain(made, B, "forbidden", "B was broken.")
  deliverAgain(made, A, "forbidden", "A was broken.")
  return made
}
const ids = ({ further }: { readonly further: readonly Further[] }) => further.map(({ rule }) => rule.id)
const ALL = [id("a", 2), id("b", 2), id("a", 3)]

test("each further delivery of a rule has the next number, and is new", () => {
  const { further } = session()
  const state = { isSeen: false, isShown: false, after: undefined }
  expect(further.map(({ rule, of, ...rest }) => ({ id: rule.id, body: rule.body, of: of.id, ...rest }))).toEqual([
    { id: id("a", 2), body: "A in short.", of: A.id, count: 2, reason: "reminded", ...state },
    { id: id("b", 2), body: "B was broken.", of: B.id, count: 2, reason: "forbidden", ...state },
    { id: id("a", 3), body: "A was broken.", of: A.id, count: 3, reason: "forbidden", ...state },
  ])
})

test("the number goes on from what the history has", () => {
  const own = { id: "ses_1", further: [], deliveries: { ...createDeliveries(), countOf: () => 5 } }
  deliverAgain(own, A, "reminded", "")
  expect(ids(own)).toEqual([id("a", 6)])
})

test("what a dispatch shows of them is noted, and where it stands that is not stored", () => {
  const own = session()
  noteSeen(own, shown(["m1", "m2"], { m1: [id("a", 2)] }), [
    { after: "m1", rules: [A.id] },
    { after: "m2", rules: [B.id, id("b", 2)] },
  ])
  expect(own.further.map(({ isSeen, isShown, after }) => [isSeen, isShown, after])).toEqual([
    [true, true, undefined],
    [true, false, "m2"],
    [true, false, undefined],
  ])
  noteSeen(own, shown(["m1", "m2", "m3"], { m3: [id("b", 2)] }), [])
  expect(own.further.map(({ isShown, after }) => [isShown, after])).toEqual([
    [true, undefined],
    [true, undefined],
    [false, undefined],
  ])
})

test("the rules stand before their further deliveries, of which one that the history lost is dropped", () => {
  const own = session()
  const asked: string[] = []
  const isDelivered = (sessionID: string, rule: RuleId) => {
    asked.push(`${sessionID} ${rule}`)
    return rule === id("b", 2)
  }
  const all = () => withFurther(own, [B, A], isDelivered).map((rule) => rule.id)
  expect(all()).toEqual([B.id, A.id, ...ALL])
  noteSeen(own, shown(["m1"], { m1: [id("a", 2), id("b", 2)] }), [])
  expect(all()).toEqual([B.id, A.id, id("b", 2), id("a", 3)])
  expect(asked).toEqual([`ses_1 ${id("a", 2)}`, `ses_1 ${id("b", 2)}`])
})

test("a compaction takes those that a dispatch had, not those that none had yet", () => {
  const own = session()
  for (const one of own.further) one.isSeen = one.of === A
  dropSeen(own)
  expect(ids(own)).toEqual([id("b", 2)])
})

test("a message that goes takes what stands behind it", () => {
  const own = session()
  noteSeen(own, shown(["m1", "m2"]), [
    { after: "m1", rules: [id("a", 2)] },
    { after: "m2", rules: [id("b", 2)] },
  ])
  dropBehind(own, "m1")
  expect(ids(own)).toEqual([id("b", 2), id("a", 3)])
})

test("one that a dispatch had stays as long as its text or its place is there, or it may still become history", () => {
  const own = session()
  const lost = () => false
  dropGone(own, shown([]), lost)
  expect(ids(own)).toEqual(ALL)
  noteSeen(own, shown(["m1", "m2"], { m1: [id("a", 2)] }), [{ after: "m2", rules: [id("b", 2)] }])
  dropGone(own, shown(["m2", "m3"], { m3: [id("a", 2)] }), (_session, rule) => rule === id("a", 3))
  expect(ids(own)).toEqual(ALL)
  dropGone(own, shown(["m2"]), () => true)
  // The first was shown: that it counts as delivered is no evidence any more.
  expect(ids(own)).toEqual([id("b", 2), id("a", 3)])
  dropGone(own, shown(["m1"]), lost)
  expect(ids(own)).toEqual([])
})
