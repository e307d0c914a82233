/** Calls remembered per session: those that failed never report their end. */
const MOST_CALLS = 500

/** Which tool calls belong to a turn that is over: they can end seconds after an abort. */
export interface Turns {
  /** A call is about to run. */
  callStarted(callID: string): void
  /** A request of the turn is about to be sent. */
  dispatching(): void
  /** The turn ended: by its last answer, an error or an abort. */
  ended(): void
  /** Whether the call's turn is over. A call whose start was not seen belongs to the turn that runs. */
  isOver(callID: string): boolean
  /** Whether no turn runs: what a call brings then has no request to be in. */
  isIdle(): boolean
}

/** The turns of one session, as the host's events tell of their ends. */
export function createTurns(): Turns {
  const turnOf = new Map<string, number>()
  let turn = 0
  let isIdle = false
  return {
    callStarted(callID) {
      turnOf.delete(callID)
      turnOf.set(callID, turn)
      const [oldest] = turnOf.keys()
      if (turnOf.size > MOST_CALLS && oldest !== undefined) turnOf.delete(oldest)
    },
    dispatching() {
      isIdle = false
    },
    ended() {
      turn += 1
      isIdle = true
    },
    isOver: (callID) => (turnOf.get(callID) ?? turn) !== turn,
    isIdle: () => isIdle,
  }
}
