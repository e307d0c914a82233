import type { CompiledRule, Facts, ReceiptVerdict, RuleId } from "@opencode-rulebook/rule-schema"
import { seenBy } from "../cause.ts"

/** Remembers the last verdicts of a session's rules. */
export interface Verdicts {
  /**
   * What each condition comes to, of those rules of which one comes to something else than before.
   *
   * @param rules the session's rules: those that were there before keep their places.
   */
  changed(rules: readonly CompiledRule[], facts: Facts): Readonly<Record<RuleId, readonly ReceiptVerdict[]>>
}

/** @param pathOf how paths are noted. */
export function createVerdicts(pathOf: (path: string) => string): Verdicts {
  /** By the rule's place. */
  const last: string[] = []
  return {
    changed(rules, facts) {
      const news: Record<RuleId, readonly ReceiptVerdict[]> = {}
      for (const [place, rule] of rules.entries()) {
        if (rule.conditions.length === 0) continue
        const verdicts = rule.conditions.map((condition) => ({
          family: condition.family,
          met: condition.isMet(facts, rule.id),
          ...seenBy(condition, rule, facts, pathOf),
        }))
        const key = verdicts.map(({ met, seen = "" }) => `${met ? "+" : "-"}${seen}`).join("\n")
        if (last[place] === key) continue
        last[place] = key
        news[rule.id] = verdicts
      }
      return news
    },
  }
}
