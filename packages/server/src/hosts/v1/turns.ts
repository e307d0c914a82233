import { createLruMap } from "../../lru-map.ts"

/** Calls remembered per session: those that failed never report their end. */
const MOST_CALLS = 500

/** Which tool calls belong to a turn that is over: they can end seconds after an abort. */
export interface Turns {
  /** A call is about to run. */
  callStarted(callID: string): void
  /** The user has written a prompt. Of an abort just before it the host may tell later, and a prompt can come into a turn that runs on. */
  prompted(): void
  /** A request of the turn is about to be sent. */
  dispatching(): void
  /** The turn ended: by its last answer, an error or an abort. */
  ended(): void
  /** Whether the call's turn is over. A call whose start was not seen belongs to the turn that runs. */
  isOver(callID: string): boolean
  /** Whether the call's turn is over, or a prompt has come since the call began: what it brings is stored by calls of the newest prompt, or with the next. */
  isEarlier(callID: string): boolean
  /** Whether no turn runs: what a call brings then has no request to be in. */
  isIdle(): boolean
}

/** The turns of one session, as the host's events tell of their ends. */
export function createTurns(): Turns {
  let turn = 0
  let prompt = 0
  let isIdle = false
  const starts = createLruMap({ most: MOST_CALLS, create: () => ({ turn, prompt }) })

  function isOver(callID: string): boolean {
    return (starts.peek(callID)?.turn ?? turn) !== turn
  }

  return {
    callStarted(callID) {
      starts.drop(callID)
      starts.open(callID)
    },
    prompted() {
      prompt += 1
    },
    dispatching() {
      isIdle = false
    },
    ended() {
      turn += 1
      isIdle = true
    },
    isOver,
    isEarlier: (callID) => isOver(callID) || (starts.peek(callID)?.prompt ?? prompt) !== prompt,
    isIdle: () => isIdle,
  }
}
