import { expect, test } from "bun:test"
import type { RuleId } from "@opencode-rulebook/rule-schema"
import {
  EMPTY_LEDGER,
  type Evidence,
  type Ledger,
  withCompaction,
  withEvidence,
  withoutMessage,
  withPromoted,
  withReverted,
  withStored,
} from "./ledger.ts"

const [A, B, C, D] = ["a", "b", "c", "d"].map((name) => `project:${name}.md` as RuleId) as [
  RuleId,
  RuleId,
  RuleId,
  RuleId,
]
const taken = (messageID: string | undefined): Evidence => ({ kind: "acknowledged", messageID })
const seen = (messageID: string): Evidence => ({ kind: "seen", messageID })
const handed = (messageID: string | undefined): Evidence => ({ kind: "handed", messageID })

const PLACEMENTS = [{ after: "m0", rules: [A] }]
function ledgerOf(evidence: Readonly<Record<RuleId, Evidence>>): Ledger {
  return { known: true, evidence: new Map(Object.entries(evidence) as [RuleId, Evidence][]), placements: PLACEMENTS }
}

test("an attempt's evidence takes the place of what was known of its rules, and of no others", () => {
  const before = ledgerOf({ [A]: seen("m1"), [B]: seen("m1") })
  expect(withEvidence(before, [B, C], taken("m2"))).toEqual(
    ledgerOf({ [A]: seen("m1"), [B]: taken("m2"), [C]: taken("m2") }),
  )
  expect(before).toEqual(ledgerOf({ [A]: seen("m1"), [B]: seen("m1") }))
})

test("what the stored history has is known; what is known of a rule already stays", () => {
  const stored = [
    { id: "d1", messageID: "m1", rules: [A, B] },
    { id: undefined, messageID: "m2", rules: [B, C] },
  ]
  expect(withStored({ ...ledgerOf({ [A]: taken("m9") }), known: false }, stored)).toEqual(
    ledgerOf({ [A]: taken("m9"), [B]: seen("m1"), [C]: seen("m2") }),
  )
  expect(EMPTY_LEDGER).toEqual({ known: false, evidence: new Map(), placements: [] })
})

test("what the host has taken becomes history with its own message alone", () => {
  const before = ledgerOf({ [A]: taken("m1"), [B]: taken("m2"), [C]: handed("m1"), [D]: taken("m1") })
  expect(withPromoted(before, "m1")).toEqual(
    ledgerOf({ [A]: seen("m1"), [B]: taken("m2"), [C]: handed("m1"), [D]: seen("m1") }),
  )
  expect(withPromoted(before, "m3")).toBe(before)
})

test("a message that goes takes the evidence that it carried", () => {
  const before = ledgerOf({ [A]: seen("m1"), [B]: taken("m2"), [C]: handed(undefined) })
  expect(withoutMessage(before, "m1")).toEqual(ledgerOf({ [B]: taken("m2"), [C]: handed(undefined) }))
  expect(withoutMessage(before, "m3")).toBe(before)
})

test("behind a revert, what no request has shown yet is in doubt", () => {
  const before = ledgerOf({ [A]: seen("m1"), [B]: taken("m2"), [C]: handed("m3") })
  expect(withReverted(before)).toEqual(ledgerOf({ [A]: seen("m1"), [B]: handed("m2"), [C]: handed("m3") }))
  const sure = ledgerOf({ [A]: seen("m1") })
  expect(withReverted(sure)).toBe(sure)
})

test("a compaction leaves the places, and nothing that is known of the history", () => {
  expect(withCompaction(ledgerOf({ [A]: taken("m1") }))).toEqual({ ...ledgerOf({}), known: false })
})
