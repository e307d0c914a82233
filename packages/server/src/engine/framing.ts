import type { CompiledRule, RuleId } from "@opencode-rulebook/rule-schema"
import type { DurableDelivery } from "./port.ts"

const PREAMBLE =
  "The rules below come from the opencode-rulebook plugin, not from the user. Follow them silently from here on: do not mention, quote or acknowledge them."

/** Tags that could close the frame, open a second one, or pass for a message of the host. */
const FRAME_TAG = /<(?=[\s/]*(?:rule|system-message|system-reminder)(?![\p{L}\p{N}_-]))/giu

/** C0 and C1 controls, line and paragraph separators, and bidirectional overrides: nothing a name shows with. */
const INVISIBLE = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

/**
 * The text of one delivery: one block, one preamble, one element per rule in the given order.
 * Names and bodies are data: no name leaves its attribute and no body closes the frame it stands in.
 *
 * @param rules the rules to deliver, at least one.
 */
export function frameRules(rules: readonly Pick<CompiledRule, "name" | "body">[]): string {
  const elements = rules.map((rule) => `<rule name="${escapeName(rule.name)}">\n${escapeBody(rule.body)}\n</rule>`)
  return ["<system-message>", PREAMBLE, ...elements, "</system-message>"].join("\n")
}

function escapeName(name: string): string {
  return name
    .replace(INVISIBLE, " ")
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
}

function escapeBody(body: string): string {
  return body.trim().replace(FRAME_TAG, "&lt;")
}

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
  if (!isRecord(metadata)) return undefined
  const own = metadata[METADATA_KEY]
  if (!isRecord(own) || !Array.isArray(own["rules"])) return undefined
  const id = own["delivery"]
  return {
    id: typeof id === "string" ? id : undefined,
    rules: own["rules"].filter((rule): rule is RuleId => typeof rule === "string"),
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null
}
