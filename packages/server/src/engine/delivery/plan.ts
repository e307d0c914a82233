import type { CompiledRule, RuleId } from "@opencode-rulebook/rule-schema"
import { frameRules } from "../framing.ts"
import type { DispatchEdits, VisibleHistory } from "../port.ts"
import type { Evidence, Ledger, Placement } from "./ledger.ts"

/** The rules that apply at one dispatch, each list in the rulebook's order. */
export interface DispatchMatches {
  readonly durable: readonly CompiledRule[]
  readonly transient: readonly CompiledRule[]
}

export interface DispatchPlan {
  readonly ledger: Ledger
  readonly edits: DispatchEdits
}

/**
 * Decides what one dispatch carries beside its stored history. Pure: the same inputs give the same plan.
 *
 * A text that once stood at a place keeps it as long as its rule applies and the place is visible, so that each
 * dispatch extends the one before it (providers' prompt caches live on that). A stored copy of a rule that stands
 * elsewhere already is left out, so that no dispatch holds a rule twice.
 *
 * @param ledger the session's delivery state.
 * @param history what this dispatch shows.
 * @param matches the rules that apply now.
 */
export function planDispatch(ledger: Ledger, history: VisibleHistory, matches: DispatchMatches): DispatchPlan {
  const applying = new Map<RuleId, CompiledRule>()
  for (const rule of [...matches.durable, ...matches.transient]) applying.set(rule.id, rule)

  const placements = standingPlacements(ledger.placements, history, applying)
  const standing = new Set(placements.flatMap((placement) => placement.rules))
  const shown = new Map<RuleId, string>()
  const rewrites: DispatchEdits["rewrites"][number][] = []
  const moves: DispatchEdits["moves"][number][] = []
  for (const { messageID, part, rules, after } of history.deliveries) {
    const kept = rules.filter((id) => !standing.has(id))
    for (const id of rules) if (!shown.has(id)) shown.set(id, messageID)
    for (const id of kept) standing.add(id)
    if (after !== undefined && kept.length > 0) moves.push({ messageID, part, after })
    if (kept.length === rules.length) continue
    const known = kept.flatMap((id) => applying.get(id) ?? [])
    rewrites.push({ messageID, part, text: known.length > 0 ? frameRules(known) : undefined })
  }

  const last = history.messages.at(-1)
  const missing = [...applying.values()].filter((rule) => !standing.has(rule.id))
  if (last !== undefined && missing.length > 0) placements.push({ after: last, rules: missing.map((rule) => rule.id) })

  return {
    ledger: { known: true, evidence: visibleEvidence(ledger.evidence, shown), placements },
    edits: { insertions: placements.map((placement) => insertionOf(placement, applying)), rewrites, moves },
  }
}

function standingPlacements(
  placements: readonly Placement[],
  history: VisibleHistory,
  applying: ReadonlyMap<RuleId, CompiledRule>,
): Placement[] {
  const visible = new Set(history.messages)
  return placements
    .filter((placement) => visible.has(placement.after))
    .map((placement) => ({ after: placement.after, rules: placement.rules.filter((id) => applying.has(id)) }))
    .filter((placement) => placement.rules.length > 0)
}

/** What a dispatch shows is evidence; what it should show and doesn't is gone; what is only acknowledged may still come. */
function visibleEvidence(
  before: ReadonlyMap<RuleId, Evidence>,
  shown: ReadonlyMap<RuleId, string>,
): Map<RuleId, Evidence> {
  const evidence = new Map([...before].filter(([, { kind }]) => kind === "acknowledged"))
  for (const [rule, messageID] of shown) evidence.set(rule, { kind: "seen", messageID })
  return evidence
}

function insertionOf(placement: Placement, applying: ReadonlyMap<RuleId, CompiledRule>) {
  return { after: placement.after, text: frameRules(placement.rules.flatMap((id) => applying.get(id) ?? [])) }
}
