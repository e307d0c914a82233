import type { CompiledRule, RuleId } from "@opencode-rulebook/rule-schema"
import { type Further, ruleAgain } from "./again.ts"
import type { Placement } from "./delivery/ledger.ts"
import type { VisibleHistory } from "./port.ts"
import type { Deliveries } from "./receipts/deliveries.ts"

interface FurtherSession {
  readonly id: string
  further: readonly Further[]
  readonly deliveries: Deliveries
}

/** Adds a delivery, which the next dispatch has. */
export function deliverAgain(
  session: FurtherSession,
  rule: CompiledRule,
  reason: Further["reason"],
  body: string,
): void {
  const counts = session.further.filter((one) => one.of === rule).map((one) => one.count)
  const count = Math.max(session.deliveries.countOf(rule.id), 1, ...counts) + 1
  const further = { rule: ruleAgain(rule, count, body), of: rule, count, reason }
  session.further = [...session.further, { ...further, isSeen: false, isShown: false, after: undefined }]
}

/** The rules with the further deliveries behind them. One that was in the history and is gone is not stored again. */
export function withFurther(
  session: FurtherSession,
  durable: readonly CompiledRule[],
  isDelivered: (sessionID: string, rule: RuleId) => boolean,
): readonly CompiledRule[] {
  if (session.further.length === 0) return durable
  session.further = session.further.filter(({ isShown, rule }) => !isShown || isDelivered(session.id, rule.id))
  return [...durable, ...session.further.map(({ rule }) => rule)]
}

/** The history is about to be compacted: what of them it has, the rule itself comes again for; the others have not been read yet. */
export function dropSeen(session: FurtherSession): void {
  session.further = session.further.filter(({ isSeen }) => !isSeen)
}

/** A message left the history, and what stands behind it with it. */
export function dropBehind(session: FurtherSession, messageID: string): void {
  session.further = session.further.filter(({ after }) => after !== messageID)
}

/** Drops the further deliveries that a compaction or an undo has taken from the conversation: the rule itself comes again. */
export function dropGone(
  session: FurtherSession,
  history: VisibleHistory,
  isDelivered: (sessionID: string, rule: RuleId) => boolean,
): void {
  if (session.further.length === 0) return
  const shown = shownIn(history)
  const messages = new Set(history.messages)
  session.further = session.further.filter(({ isSeen, isShown, after, rule: { id } }) => {
    const isPlaced = after !== undefined && messages.has(after)
    return !isSeen || isPlaced || shown.has(id) || (!isShown && isDelivered(session.id, id))
  })
}

/** Takes in what a dispatch has. */
export function noteSeen({ further }: FurtherSession, history: VisibleHistory, placements: readonly Placement[]): void {
  if (further.length === 0) return
  const shown = shownIn(history)
  for (const one of further) {
    one.isSeen = true
    one.isShown ||= shown.has(one.rule.id)
    one.after = placements.find(({ rules }) => rules.includes(one.rule.id))?.after
  }
}

function shownIn({ deliveries }: VisibleHistory): ReadonlySet<RuleId> {
  return new Set(deliveries.flatMap(({ rules }) => rules))
}
