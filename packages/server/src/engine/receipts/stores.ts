import type { Change, RuleId } from "@opencode-rulebook/rule-schema"
import { deliveryOfId } from "../again.ts"
import type { VisibleHistory } from "../port.ts"

/** Remembers the rules of attempts to store that were not confirmed. */
export interface Stores {
  /** What became of an attempt. */
  ended(rules: readonly RuleId[], outcome: "stored" | "retry"): readonly Change[]
  /** A request shows what was stored all the same. */
  shown(history: VisibleHistory): readonly Change[]
}

export function createStores(): Stores {
  const retried = new Set<RuleId>()

  function ended(rules: readonly RuleId[], outcome: "stored" | "retry"): readonly Change[] {
    for (const rule of rules) {
      if (outcome === "retry") retried.add(rule)
      else retried.delete(rule)
    }
    return [{ kind: "store", rules: [...new Set(rules.map((id) => deliveryOfId(id).rule))], outcome }]
  }

  return {
    ended,
    shown(history) {
      // Most sessions have none, and long histories.
      if (retried.size === 0) return []
      const all = new Set(history.deliveries.flatMap(({ rules }) => rules))
      const found = [...retried].filter((rule) => all.has(rule))
      return found.length === 0 ? [] : ended(found, "stored")
    },
  }
}
