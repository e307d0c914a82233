import { estimateTokens } from "@opencode-rulebook/rule-schema"
import { createLruMap } from "../../lru-map.ts"

/** Estimates the tokens of one session's messages, each once as long as it is of the same size. */
export interface MessageTokens {
  /**
   * @param id the message's.
   * @param size changes when the text does: how long it is, say, in any unit.
   * @param text makes the text.
   */
  tokensOf(id: string, size: number, text: () => string): number
}

/** Messages remembered: more than a request shows. */
const MOST_MESSAGES = 5_000

export function createMessageTokens(): MessageTokens {
  const known = createLruMap({ most: MOST_MESSAGES, create: () => ({ size: -1, tokens: 0 }) })
  return {
    tokensOf(id, size, text) {
      const estimate = known.open(id)
      if (estimate.size !== size) Object.assign(estimate, { size, tokens: estimateTokens(text()) })
      return estimate.tokens
    },
  }
}
