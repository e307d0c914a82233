import { describe, expect, test } from "bun:test"
import type { RuleId } from "@opencode-rulebook/rule-schema"
import { rulesOf } from "../../../test/support/rules.ts"
import { frameRules } from "../framing.ts"
import type { VisibleDelivery } from "../port.ts"
import type { Evidence, Placement } from "./ledger.ts"
import { planDispatch } from "./plan.ts"

const RULES = rulesOf({ "a.md": "Rule a.", "b.md": "Rule b.", "c.md": "Rule c.", "t.md": "Rule t." })
type Name = "a" | "b" | "c" | "t" | "gone"
const id = (name: Name) => `project:${name}.md` as RuleId
const textOf = (...names: Name[]) => frameRules(RULES.filter((rule) => names.includes(rule.name as Name)))
const stored = (messageID: string, names: readonly Name[], after?: string, part = 0): VisibleDelivery => {
  return { messageID, part, rules: names.map(id), after }
}
const placed = (after: string, ...names: Name[]): Placement => ({ after, rules: names.map(id) })

interface Situation {
  readonly messages: readonly string[]
  readonly deliveries?: readonly VisibleDelivery[]
  readonly durable?: readonly Name[]
  readonly transient?: readonly Name[]
  readonly placements?: readonly Placement[]
  readonly evidence?: Readonly<Record<string, Evidence>>
}

function planned({
  messages,
  deliveries = [],
  durable = [],
  transient = [],
  placements = [],
  evidence = {},
}: Situation) {
  const named = (names: readonly Name[]) => RULES.filter(({ name }) => names.includes(name as Name))
  const known = new Map(Object.entries(evidence) as [RuleId, Evidence][])
  const { ledger, edits } = planDispatch(
    { known: false, evidence: known, placements },
    { messages, deliveries },
    { durable: named(durable), transient: named(transient) },
  )
  return { ...edits, ...ledger, evidence: Object.fromEntries(ledger.evidence) }
}
const NOTHING = { known: true, insertions: [], rewrites: [], moves: [], placements: [], evidence: {} }
const seen = (messageID: string) => ({ kind: "seen", messageID }) as const

describe("a request that shows", () => {
  test("nothing that applies: nothing is added", () => {
    expect(planned({ messages: ["m1"] })).toEqual(NOTHING)
  })

  test("no message: there is no place for a rule", () => {
    expect(planned({ messages: [], durable: ["a"] })).toEqual(NOTHING)
  })

  test("not what applies: it is added behind the newest message, durable rules first", () => {
    expect(planned({ messages: ["m1", "m2"], durable: ["b", "c"], transient: ["a"] })).toEqual({
      ...NOTHING,
      insertions: [{ after: "m2", text: frameRules([RULES[1], RULES[2], RULES[0]] as typeof RULES) }],
      placements: [placed("m2", "b", "c", "a")],
    })
  })

  test("a stored rule, as it is: that is evidence", () => {
    const deliveries = [stored("m1", ["a"])]
    expect(planned({ messages: ["m1", "m2"], deliveries, durable: ["a"] })).toEqual({
      ...NOTHING,
      evidence: { [id("a")]: seen("m1") },
    })
  })

  test("an added rule once more: it keeps its place, also where it is stored since", () => {
    const placements = [placed("m1", "a", "b"), placed("m2", "c")]
    const deliveries = [stored("m3", ["a", "c"]), stored("m4", ["b"], undefined, 2)]
    const messages = ["m1", "m2", "m3", "m4"]
    expect(planned({ messages, placements, deliveries, durable: ["a", "b", "c"] })).toEqual({
      ...NOTHING,
      insertions: [
        { after: "m1", text: textOf("a", "b") },
        { after: "m2", text: textOf("c") },
      ],
      rewrites: [
        { messageID: "m3", part: 0, text: undefined },
        { messageID: "m4", part: 2, text: undefined },
      ],
      placements,
      evidence: { [id("a")]: seen("m3"), [id("c")]: seen("m3"), [id("b")]: seen("m4") },
    })
  })

  test("an added rule that applies no more, or whose place is gone: it is taken out, or added anew", () => {
    const placements = [placed("m1", "t", "a"), placed("m2", "b"), placed("m3", "gone")]
    expect(planned({ messages: ["m1", "m3"], placements, durable: ["a", "b"] })).toEqual({
      ...NOTHING,
      insertions: [
        { after: "m1", text: textOf("a") },
        { after: "m3", text: textOf("b") },
      ],
      placements: [placed("m1", "a"), placed("m3", "b")],
    })
  })

  test("several stored copies: the first stands, a part of which the rest is new is written anew", () => {
    const deliveries = [stored("m1", ["a"]), stored("m2", ["a", "b", "gone"]), stored("m3", ["a", "gone"])]
    expect(planned({ messages: ["m1", "m2", "m3"], deliveries, durable: ["a", "b", "c"] })).toEqual({
      ...NOTHING,
      insertions: [{ after: "m3", text: textOf("c") }],
      rewrites: [
        { messageID: "m2", part: 0, text: textOf("b") },
        { messageID: "m3", part: 0, text: undefined },
      ],
      placements: [placed("m3", "c")],
      evidence: { [id("a")]: seen("m1"), [id("b")]: seen("m2"), [id("gone")]: seen("m2") },
    })
  })

  test("a part of which what is left is a rule of no file any more: it is left out", () => {
    const deliveries = [stored("m1", ["a"]), stored("m2", ["a", "gone"])]
    expect(planned({ messages: ["m1", "m2"], deliveries, durable: ["a"] })).toMatchObject({
      rewrites: [{ messageID: "m2", part: 0, text: undefined }],
    })
  })

  test("a part with a place of its own: it is moved there, unless nothing of it is left", () => {
    const deliveries = [stored("m1", ["a"], "m2", 3), stored("m1", ["a"], "m3", 4), stored("m3", ["a", "b"], "m2", 5)]
    expect(planned({ messages: ["m1", "m2", "m3"], deliveries, durable: ["a", "b"] })).toEqual({
      ...NOTHING,
      rewrites: [
        { messageID: "m1", part: 4, text: undefined },
        { messageID: "m3", part: 5, text: textOf("b") },
      ],
      moves: [
        { messageID: "m1", part: 3, after: "m2" },
        { messageID: "m3", part: 5, after: "m2" },
      ],
      evidence: { [id("a")]: seen("m1"), [id("b")]: seen("m3") },
    })
  })

  test("not what was seen or handed over: that is gone; what the host has taken may still come", () => {
    const evidence = {
      [id("a")]: seen("m1"),
      [id("b")]: { kind: "handed", messageID: undefined },
      [id("c")]: { kind: "acknowledged", messageID: "m9" },
      [id("t")]: { kind: "acknowledged", messageID: "m8" },
    } as const
    expect(planned({ messages: ["m2"], deliveries: [stored("m2", ["t"])], evidence })).toEqual({
      ...NOTHING,
      evidence: { [id("c")]: { kind: "acknowledged", messageID: "m9" }, [id("t")]: seen("m2") },
    })
  })
})
