import {
  type CompiledRule,
  type Evaluation,
  evaluateRule,
  type Facts,
  type Lifetime,
  type Reason,
} from "@opencode-rulebook/rule-schema"
import type { Session } from "./session.ts"

/** What one dispatch came to, rule by rule. */
export interface DispatchTrace {
  readonly sessionID: string
  /** The dispatch's number in its session, from 1. */
  readonly number: number
  readonly facts: Facts
  readonly rules: readonly RuleTrace[]
}

export interface RuleTrace {
  readonly rule: CompiledRule
  /** The lifetime with which the dispatch has the rule; undefined when it does not have it. */
  readonly appliesAs: Lifetime | undefined
  /** What brought it into the session's requests. */
  readonly reason: Extract<Reason, "hook" | "matched">
  /** What its conditions say now. A durable rule that matched before stays matched whatever they say. */
  readonly evaluation: Evaluation
}

export function traceDispatch(session: Session, facts: Facts): DispatchTrace {
  const rules = session.rules.map((rule): RuleTrace => {
    const isByHook = session.causes.get(rule.id)?.by.some(({ kind }) => kind === "hook")
    const reason = isByHook ? "hook" : "matched"
    return { rule, appliesAs: appliesAs(session, rule), reason, evaluation: evaluateRule(rule, facts) }
  })
  return { sessionID: session.id, number: session.dispatches, facts, rules }
}

/** One line for each rule: what it came to, and each family's verdict with the reason. */
export function traceLines({ sessionID, number, rules }: DispatchTrace): readonly string[] {
  return rules.map(({ rule, appliesAs: lifetime, reason, evaluation }) => {
    const reasons = evaluation.verdicts.map(({ family, met, why }) => `${family} ${met ? "met" : "not met"} (${why})`)
    const told = reasons.length > 0 ? reasons.join("; ") : evaluation.why
    const verdict = lifetime === undefined ? "not matched" : `${reason}, ${lifetime}`
    return `request ${number} of ${sessionID}: ${rule.id} (${rule.name}): ${verdict}: ${told}`
  })
}

function appliesAs(session: Session, rule: CompiledRule): Lifetime | undefined {
  if (session.matched.has(rule.id)) return "durable"
  return session.transient.has(rule.id) ? "transient" : undefined
}
