import { estimateTokenCount } from "tokenx"
import type { CompiledRule } from "./rule.ts"

/**
 * About how many tokens a text has, by the heuristics of tokenx: no tokenizer of any one model. English prose and code are within some
 * 10 % of what GPT and Claude models count; other languages can be off by a third.
 */
export function estimateTokens(text: string): number {
  return estimateTokenCount(text)
}

type RuleText = Pick<CompiledRule, "body">

const estimates = new WeakMap<RuleText, number>()

/** The estimate of a rule's text, without the frame around it: about 50 tokens for each delivery. Each rule's text is counted once. */
export function ruleTokens(rule: RuleText): number {
  const known = estimates.get(rule)
  if (known !== undefined) return known
  const tokens = estimateTokens(rule.body.trim())
  estimates.set(rule, tokens)
  return tokens
}
