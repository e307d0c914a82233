import type { FamilyName, Receipt, ReceiptVerdict, RuleId } from "@opencode-rulebook/rule-schema"
import type { StoredEvent } from "@opencode-rulebook/server/dry-run"

/** What a condition of a rule came to at the end of a turn. */
export interface PastVerdict extends Omit<ReceiptVerdict, "family"> {
  readonly rule: RuleId
  readonly turn: number
}

/** The verdicts of a session's receipts. */
export interface PastVerdicts {
  /** The families of which there are any. */
  readonly families: ReadonlySet<FamilyName>
  /**
   * The verdicts of a family in the turn that runs at a time, one for each rule: receipts note them at the end of a turn, and only what
   * has changed. Before a rule has one, its first one counts.
   *
   * @param at in milliseconds since 1970.
   */
  at(family: FamilyName, at: number): readonly PastVerdict[]
}

/** @param events the session's: a turn lasts from a prompt to the next one. */
export function pastVerdicts(receipts: readonly Receipt[], events: readonly StoredEvent[]): PastVerdicts {
  const turns = events.flatMap((event) => (event.kind === "prompt" ? [event.at] : []))
  const turnAt = (at: number) => turns.findLastIndex((begins) => begins <= at)
  const byFamily = new Map<FamilyName, Map<RuleId, PastVerdict[]>>()
  /** When the newest request was sent: a turn's verdicts can be noted when the next one has begun. */
  let requested = 0
  for (const receipt of receipts) {
    if (receipt.kind === "request") requested = receipt.at
    if (receipt.kind !== "verdicts") continue
    const turn = turnAt(requested)
    for (const [id, verdicts] of Object.entries(receipt.rules)) {
      const rule = id as RuleId
      for (const { family, ...verdict } of verdicts) {
        const byRule = byFamily.get(family) ?? new Map<RuleId, PastVerdict[]>()
        byFamily.set(family, byRule)
        byRule.set(rule, [...(byRule.get(rule) ?? []), { ...verdict, rule, turn }])
      }
    }
  }
  return {
    families: new Set(byFamily.keys()),
    at(family, at) {
      const turn = turnAt(at)
      const all = Array.from(byFamily.get(family)?.values() ?? [])
      return all.flatMap((own) => own.findLast((verdict) => verdict.turn <= turn) ?? own[0] ?? [])
    },
  }
}
