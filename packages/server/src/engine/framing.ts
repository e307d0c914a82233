import type { CompiledRule } from "@opencode-rulebook/rule-schema"

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
