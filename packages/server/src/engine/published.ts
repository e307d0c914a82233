import {
  type CompiledRule,
  type MatchedRuleState,
  type RuleId,
  type RuleStatus,
  ruleTokens,
  snapshotOf,
} from "@opencode-rulebook/rule-schema"
import { causeText } from "./cause.ts"
import { publishedPartlyMet } from "./partly-met.ts"
import type { Session } from "./session.ts"

/**
 * The session's Matched-rule state when it says something new; else undefined.
 *
 * @param isDelivered whether a durable rule counts as delivered.
 * @param directory the session's folder, absolute.
 * @param now the time in milliseconds since 1970.
 */
export function newState(
  session: Session,
  isDelivered: (rule: RuleId) => boolean,
  directory: string,
  now: number,
): MatchedRuleState | undefined {
  const { id, nested } = session
  const statuses = statusesOf(session, isDelivered)
  if (session.published && isSameMap(session.published, statuses)) return undefined
  session.published = statuses
  const rules = session.rules.flatMap((rule) => {
    const status = statuses.get(rule.id)
    return status === undefined ? [] : [{ id: rule.id, digest: rule.digest, status, ...noted(session, rule) }]
  })
  session.snapshot ??= snapshotOf(session.rules)
  const { snapshot } = session
  const state = { version: 2, sessionID: id, directory, updatedAt: now, snapshot, rules } as const
  return { ...state, ...publishedPartlyMet(session, statuses), ...(nested.length > 0 && { nested }) }
}

/** What else is known of a rule. */
function noted({ causes, blocked: blocks, deliveries, transient }: Session, rule: CompiledRule) {
  const cause = causes.get(rule.id)
  const by = cause && causeText(cause.by)
  const blocked = blocks.get(rule.id)
  const delivered = deliveries.known.get(rule.id)
  const request = delivered?.request ?? transient.get(rule.id)
  return {
    ...(cause && by !== undefined && { by, at: cause.at }),
    ...(blocked !== undefined && { blocked }),
    ...(request !== undefined && { tokens: ruleTokens(rule) }),
    ...(request !== undefined && request > 0 && { request }),
    ...(delivered && { count: delivered.count }),
  }
}

/** Of the rules that are not unmatched. */
function statusesOf(session: Session, isDelivered: (rule: RuleId) => boolean): Map<RuleId, RuleStatus> {
  const statuses = new Map<RuleId, RuleStatus>()
  for (const rule of session.transient.keys()) statuses.set(rule, "transient")
  for (const rule of session.matched) statuses.set(rule, isDelivered(rule) ? "delivered" : "pending")
  return statuses
}

function isSameMap<K, V>(one: ReadonlyMap<K, V>, other: ReadonlyMap<K, V>): boolean {
  if (one.size !== other.size) return false
  for (const [key, value] of one) if (other.get(key) !== value) return false
  return true
}
