import { estimateTokens } from "@opencode-rulebook/rule-schema"

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
  const known = new Map<string, { readonly size: number; readonly tokens: number }>()
  return {
    tokensOf(id, size, text) {
      const before = known.get(id)
      if (before?.size === size) return before.tokens
      const tokens = estimateTokens(text())
      known.delete(id)
      known.set(id, { size, tokens })
      const oldest = known.keys().next()
      if (known.size > MOST_MESSAGES && !oldest.done) known.delete(oldest.value)
      return tokens
    },
  }
}
