import { type CompiledRule, listed, ruleTokens, visible } from "@opencode-rulebook/rule-schema"

/** About how many tokens a rule's text has. */
export interface RuleSize {
  readonly id: string
  readonly name: string
  /** Absolute. */
  readonly file: string
  readonly tokens: number
}

/** How many rules the line names. */
const MOST_NAMED = 10

/** The sizes of the rules that work, the largest first. */
export function sizesOf(rules: readonly CompiledRule[]): readonly RuleSize[] {
  return rules
    .map((rule) => ({ id: rule.id, name: rule.name, file: rule.file, tokens: ruleTokens(rule) }))
    .toSorted((a, b) => b.tokens - a.tokens)
}

/** All in one line; nothing for no rules. */
export function formatSizes(sizes: readonly RuleSize[]): string {
  if (sizes.length === 0) return ""
  const sum = sizes.reduce((all, { tokens }) => all + tokens, 0)
  const named = sizes.map(({ name, tokens }) => `${visible(name)} ${tokens}`)
  return `sizes: about ${sum} tokens: ${listed(named, MOST_NAMED)}.\n`
}
