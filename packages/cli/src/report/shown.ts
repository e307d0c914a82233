import type { SessionHistory } from "../receipts/history.ts"

/** How many sessions are shown in full at most. */
export const MOST_SHOWN = 50
/** How many things happened in all of them together at most. The newest session is always shown. */
const MOST_EVENTS = 40_000

/** Keeps the newest sessions, so that the page stays of a size that a browser likes. */
export function createShown(): { readonly sessions: readonly SessionHistory[]; keep(session: SessionHistory): void } {
  const sessions: SessionHistory[] = []
  let events = 0
  let isFull = false
  return {
    sessions,
    keep(session) {
      events += eventsIn(session)
      isFull ||= sessions.length >= MOST_SHOWN || (sessions.length > 0 && events > MOST_EVENTS)
      if (!isFull) sessions.push(session)
    },
  }
}

function eventsIn({ steps, rules }: SessionHistory): number {
  return steps.reduce((sum, { arrived, left, stopped, forbidden, followed }) => {
    return sum + 1 + arrived.length + left.length + stopped.length + forbidden.length + followed.length
  }, rules.size)
}
