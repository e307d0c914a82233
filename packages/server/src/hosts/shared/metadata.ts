import type { RuleId } from "@opencode-rulebook/rule-schema"
import type { HistoryPlace } from "../../engine/port.ts"
import { field, text } from "./untyped.ts"

/** The key under which a delivered part carries its delivery identities. */
const METADATA_KEY = "opencode-rulebook"

/** What a delivered part says of itself. */
export interface PartIdentity {
  /** The attempt that stored it; undefined when the part carries none. */
  readonly id: string | undefined
  readonly rules: readonly RuleId[]
  /** Where requests show it; undefined: where it is stored. */
  readonly place?: HistoryPlace | undefined
}

/** The metadata of a delivered part in the stored history. */
export function deliveryMetadata({ id, rules, place }: PartIdentity): Record<string, unknown> {
  return { [METADATA_KEY]: { delivery: id, rules: [...rules], ...(place ? { [KEYS[place.kind]]: place.id } : {}) } }
}

const KEYS = { message: "after", call: "call" } as const

/**
 * The delivery that a stored part carries, or undefined when the part is none of ours.
 * Only the metadata counts: text that quotes a rule, as a compaction summary may, is no evidence.
 */
export function deliveryOfMetadata(metadata: unknown): (PartIdentity & { readonly rules: RuleId[] }) | undefined {
  const own = field(metadata, METADATA_KEY)
  const rules = field(own, "rules")
  if (!Array.isArray(rules)) return undefined
  const place = placeOf(own)
  return {
    id: text(own, "delivery"),
    rules: rules.filter((rule): rule is RuleId => typeof rule === "string"),
    ...(place ? { place } : {}),
  }
}

function placeOf(own: unknown): HistoryPlace | undefined {
  const message = text(own, KEYS.message)
  if (message !== undefined) return { kind: "message", id: message }
  const call = text(own, KEYS.call)
  return call === undefined ? undefined : { kind: "call", id: call }
}
