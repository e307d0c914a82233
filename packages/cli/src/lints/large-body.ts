import { estimateTokens } from "@opencode-rulebook/rule-schema"
import type { Lint } from "./lint.ts"

/** Tokens above which a text is worth splitting: of a rule that every session carries, and of one that waits for its conditions. */
const MAX_ALWAYS = 4000
const MAX_CONDITIONAL = 8000

export const largeBody: Lint = {
  code: "large-body",
  about: `A text of more than about ${MAX_ALWAYS} tokens in a rule that always applies, or ${MAX_CONDITIONAL} in one with conditions: every later request carries it.`,
  check({ rule, source }) {
    if (rule.activation === "onRequest") return []
    const isAlways = rule.activation === "always"
    const tokens = estimateTokens(source.body)
    if (tokens <= (isAlways ? MAX_ALWAYS : MAX_CONDITIONAL)) return []
    const carriers = isAlways ? "every request of every session" : "every request after its delivery"
    const reason = `the text has about ${tokens} tokens, which ${carriers} carries`
    const remedy = isAlways
      ? "Add conditions, or split it into rules that have some"
      : "Split it into rules with narrower conditions"
    return [{ offset: source.bodyOffset, reason, remedy }]
  },
}
