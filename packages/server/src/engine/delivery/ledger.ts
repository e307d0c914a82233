import type { RuleId } from "@opencode-rulebook/rule-schema"
import type { StoredDelivery } from "../port.ts"

/**
 * Why a rule counts as delivered, and by which message where that is known.
 * - `acknowledged`: the host confirmed that it took the delivery; no dispatch has shown it yet.
 * - `handed`: it is part of a message that the host is about to store, may have stored without confirming it, or may have taken back.
 * - `seen`: a dispatch or the stored history showed it.
 * What is `handed` or `seen` is gone when the next dispatch doesn't show it.
 */
export interface Evidence {
  readonly kind: "acknowledged" | "handed" | "seen"
  readonly messageID: string | undefined
}

/** Rules whose text stands in the dispatches right after a message, without being stored at that place. */
export interface Placement {
  readonly after: string
  readonly rules: readonly RuleId[]
}

/** The delivery state of one session. Changed only by the functions of this folder. */
export interface Ledger {
  /** Whether the history has been looked at since it began or was compacted: by a dispatch, or by reading it. */
  readonly known: boolean
  readonly evidence: ReadonlyMap<RuleId, Evidence>
  readonly placements: readonly Placement[]
}

export const EMPTY_LEDGER: Ledger = { known: false, evidence: new Map(), placements: [] }

/** Adds evidence for rules. */
export function withEvidence(ledger: Ledger, rules: Iterable<RuleId>, evidence: Evidence): Ledger {
  const next = new Map(ledger.evidence)
  for (const rule of rules) next.set(rule, evidence)
  return { ...ledger, evidence: next }
}

/** Takes in what the stored history delivers, as far as it can be told without a dispatch: the next one corrects it. */
export function withStored(ledger: Ledger, stored: readonly StoredDelivery[]): Ledger {
  const next = new Map(ledger.evidence)
  for (const { rules, messageID } of stored) {
    for (const rule of rules) if (!next.has(rule)) next.set(rule, { kind: "seen", messageID })
  }
  return { ...ledger, known: true, evidence: next }
}

/** An acknowledged delivery has become history: from now on it is there only as long as dispatches show it. */
export function withPromoted(ledger: Ledger, messageID: string): Ledger {
  const promoted = [...ledger.evidence].filter(
    ([, evidence]) => evidence.kind === "acknowledged" && evidence.messageID === messageID,
  )
  return promoted.length === 0
    ? ledger
    : withEvidence(
        ledger,
        promoted.map(([rule]) => rule),
        { kind: "seen", messageID },
      )
}

/** A message left the history (a revert): evidence that it carried is gone. */
export function withoutMessage(ledger: Ledger, messageID: string): Ledger {
  const next = new Map([...ledger.evidence].filter(([, evidence]) => evidence.messageID !== messageID))
  return next.size === ledger.evidence.size ? ledger : { ...ledger, evidence: next }
}

/** The host took back what is newer than some message, inputs that wait for their step among it: the next dispatch tells what is left. */
export function withReverted(ledger: Ledger): Ledger {
  const doubtful = [...ledger.evidence].filter(([, { kind }]) => kind === "acknowledged")
  if (doubtful.length === 0) return ledger
  const next = new Map(ledger.evidence)
  for (const [rule, { messageID }] of doubtful) next.set(rule, { kind: "handed", messageID })
  return { ...ledger, evidence: next }
}

/** The history was compacted: what is visible of it, a dispatch or the stored history must tell anew. */
export function withCompaction(ledger: Ledger): Ledger {
  return { ...ledger, known: false, evidence: new Map() }
}
