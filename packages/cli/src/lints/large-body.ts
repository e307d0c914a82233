import { estimateTokenCount } from "tokenx"
import type { Lint } from "./lint.ts"

/** About what a rule's text may cost. It is in every later request of its session. */
const MAX_TOKENS = 1500

export const largeBody: Lint = {
  code: "large-body",
  about: `A text of more than about ${MAX_TOKENS} tokens: every later request of the session carries it.`,
  check({ source }) {
    const tokens = estimateTokenCount(source.body)
    if (tokens <= MAX_TOKENS) return []
    const reason = `the text has about ${tokens} tokens, more than ${MAX_TOKENS}, in every later request of a session`
    return [
      { offset: source.bodyOffset, reason, remedy: "Split it into rules with narrower conditions, or shorten it" },
    ]
  },
}
