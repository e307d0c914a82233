import {
  type Change,
  type CompiledRule,
  type DidCall,
  type Facts,
  type MatchedBy,
  type RuleId,
  ruleTokens,
} from "@opencode-rulebook/rule-schema"
import type { Cause } from "../cause.ts"
import type { VisibleHistory } from "../port.ts"
import type { DeliveryNews } from "./deliveries.ts"

/** What is looked up in the session. */
export interface RecordedSession {
  readonly id: string
  /** The number of its newest request. */
  readonly dispatches: number
  readonly causes: ReadonlyMap<RuleId, Cause>
  /** The rules that have held a call, and in the step of which request. */
  readonly heldAt: ReadonlyMap<RuleId, { readonly dispatch: number }>
}

/** A rule, and what made it match. */
export interface MatchedRule {
  readonly rule: CompiledRule
  readonly by: readonly MatchedBy[]
}

/** What of a request is noted. */
export interface RecordedRequest {
  /** Whether the host sends the request before once more. */
  readonly isRepeated: boolean
  /** Whether a prompt of the user came since the request before. */
  readonly isPrompted: boolean
  readonly facts: Facts
  readonly history: VisibleHistory
  /** Of all rules that it carries. */
  readonly tokens: number
  readonly deliveries: readonly DeliveryNews[]
  /** Transient rules that came, with what made them match; and that went, with whether they are durable from here on. */
  readonly came: readonly MatchedRule[]
  readonly went: readonly { readonly rule: CompiledRule; readonly isDurable: boolean }[]
}

/**
 * What one request changes, in the order in which a reader follows it.
 *
 * @param waiting what prompts have matched since the request before.
 * @param did the calls since the request before; undefined where the host sends that one once more.
 */
export function requestChanges(
  session: RecordedSession,
  { isPrompted, facts: { agent, model }, tokens, deliveries, came, went }: RecordedRequest,
  waiting: readonly MatchedRule[],
  did: readonly DidCall[] | undefined,
): readonly Change[] {
  const settings = {
    ...(agent !== undefined && { agent }),
    ...(model !== undefined && { model: `${model.providerID}/${model.modelID}` }),
  }
  const found = deliveries.flatMap((news) => (news.kind === "found" ? [news.rule] : []))
  return [
    ...(did ? [{ kind: "request", ...settings, prompted: isPrompted, did, tokens } as const] : []),
    ...(found.length > 0 ? [{ kind: "found", rules: found.map(({ id }) => id) } as const] : []),
    ...waiting.filter(({ rule }) => !found.includes(rule)).map(matched),
    ...deliveries.flatMap((news) => deliveryChanges(session, news)),
    ...went.map(({ rule, isDurable }) => transient(rule, false, isDurable ? "matched" : "ended")),
    ...came.flatMap((one) => [matched(one), transient(one.rule, true, reasonOf(session, one.rule.id, one.by))]),
  ]
}

function deliveryChanges(session: RecordedSession, news: DeliveryNews): readonly Change[] {
  if (news.kind === "found") return []
  const { kind, rule, how, count } = news
  const own = { how, count, tokens: ruleTokens(rule) }
  switch (kind) {
    case "further":
      return [{ kind: "delivered", rule: news.of.id, reason: news.reason, ...own }]
    case "again":
      return [
        { kind: "gone", rule: rule.id, reason: news.reason },
        { kind: "delivered", rule: rule.id, reason: news.reason, ...own },
      ]
    case "first":
      return [{ kind: "delivered", rule: rule.id, reason: reasonOf(session, rule.id), ...own }]
    default:
      return kind satisfies never
  }
}

function matched({ rule, by }: MatchedRule): Change {
  return { kind: "matched", rule: rule.id, by }
}

function transient(rule: CompiledRule, isOn: boolean, reason: "ended" | "held" | "hook" | "matched"): Change {
  return { kind: "transient", rule: rule.id, isOn, reason, tokens: ruleTokens(rule) }
}

/** Why a rule came that was not there before. */
function reasonOf(
  { causes, heldAt, dispatches }: RecordedSession,
  rule: RuleId,
  by = causes.get(rule)?.by ?? [],
): "held" | "hook" | "matched" {
  const held = heldAt.get(rule)?.dispatch
  if (held !== undefined && held >= dispatches - 1) return "held"
  return by.some(({ kind }) => kind === "hook") ? "hook" : "matched"
}
