import { type CompiledRule, evaluateRule, type Facts } from "@opencode-rulebook/rule-schema"
import type { Session } from "./session.ts"

/**
 * Writes, for one dispatch, what each rule came to and each of its families' verdict with the reason.
 *
 * @param number the dispatch's number in its session, from 1.
 */
export function traceDispatch(session: Session, number: number, facts: Facts, write: (line: string) => void): void {
  for (const rule of session.rulebook.rules) {
    const { verdicts } = evaluateRule(rule, facts)
    const reasons = verdicts.map(({ family, met, why }) => `${family} ${met ? "met" : "not met"} (${why})`)
    const told = reasons.length > 0 ? reasons.join("; ") : rule.hooks.length > 0 ? "hooks only" : "no conditions"
    write(`dispatch ${number} of ${session.id}: ${rule.id} (${rule.name}): ${appliesAs(session, rule)}: ${told}`)
  }
}

function appliesAs(session: Session, rule: CompiledRule): string {
  if (session.matched.has(rule.id)) return "matched, durable"
  return session.transient.has(rule.id) ? "matched, transient" : "not matched"
}
