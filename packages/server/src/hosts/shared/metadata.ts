import type { RuleId } from "@opencode-rulebook/rule-schema"
import type { DurableDelivery } from "../../engine/port.ts"
import { field, text } from "./untyped.ts"

/** The key under which a delivered part carries its delivery identities. */
const METADATA_KEY = "opencode-rulebook"

/** What a delivered part says of itself in the stored history: the attempt that stored it and the identities it delivers. */
export function deliveryMetadata(delivery: Pick<DurableDelivery, "id" | "rules">): Record<string, unknown> {
  return { [METADATA_KEY]: { delivery: delivery.id, rules: [...delivery.rules] } }
}

/**
 * The delivery that a stored part carries, or undefined when the part is none of ours.
 * Only the metadata counts: text that quotes a rule, as a compaction summary may, is no evidence.
 */
export function deliveryOfMetadata(metadata: unknown): { id: string | undefined; rules: RuleId[] } | undefined {
  const own = field(metadata, METADATA_KEY)
  const rules = field(own, "rules")
  if (!Array.isArray(rules)) return undefined
  return { id: text(own, "delivery"), rules: rules.filter((rule): rule is RuleId => typeof rule === "string") }
}
