/** Calls remembered per session: those that failed never report their end. */
const MOST_CALLS = 500

/** Which tool calls belong to a turn that is over: they can end seconds after an abort. */
export interface Turns {
  /** A call is about to run. */
  callStarted(callID: string): void
  /** The turn ended: by its last answer, an error or an abort. */
  ended(): void
  /** Whether the call's turn is over. A call whose start was not seen belongs to the turn that runs. */
  isOver(callID: string): boolean
}

/** The turns of one session, as the host's events tell of their ends. */
export function createTurns(): Turns {
  const turnOf = new Map<string, number>()
  let turn = 0
  return {
    callStarted(callID) {
      turnOf.delete(callID)
      turnOf.set(callID, turn)
      const [oldest] = turnOf.keys()
      if (turnOf.size > MOST_CALLS && oldest !== undefined) turnOf.delete(oldest)
    },
    ended() {
      turn += 1
    },
    isOver: (callID) => (turnOf.get(callID) ?? turn) !== turn,
  }
}
