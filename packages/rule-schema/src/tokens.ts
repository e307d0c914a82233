import { estimateTokenCount } from "tokenx"

/**
 * About how many tokens a text has, by the heuristics of tokenx: no tokenizer of any one model. English prose and code are within some
 * 10 % of what GPT and Claude models count; other languages can be off by a third.
 */
export function estimateTokens(text: string): number {
  return estimateTokenCount(text)
}
