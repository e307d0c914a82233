/** How many messages the sidebar has room for, and how long one may be, in characters. */
const MOST = 3
const LONGEST = 300

/** The newest of what went wrong, for the sidebar: a log is read by few. */
export interface Notices {
  add(message: string): void
  /** The part of a Matched-rule state that holds them. */
  ofState(): { readonly notices?: readonly string[] }
}

/** @param onChange called when there is a new one. */
export function createNotices(onChange: () => void): Notices {
  const newest = new Set<string>()
  return {
    add(message) {
      const shown = message.length > LONGEST ? `${message.slice(0, LONGEST)}…` : message
      if (newest.has(shown)) return
      newest.add(shown)
      const oldest = newest.values().next()
      if (newest.size > MOST && !oldest.done) newest.delete(oldest.value)
      onChange()
    },
    ofState: () => (newest.size === 0 ? {} : { notices: [...newest] }),
  }
}
