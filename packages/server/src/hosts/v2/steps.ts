/**
 * Knows when one session's host takes a message for free: after the last call of a step, as a further step follows anyway,
 * and while no execution is under way. Anything else would cost a provider request (measured). After a step whose calls
 * all failed no further one is certain: the user may have turned them down.
 */
export interface Steps {
  /** A provider request is about to be sent. */
  dispatching(): void
  callStarting(id: string): void
  /** Returns whether it was the last call under way, in a step of which one succeeded. */
  callEnded(id: string, succeeded: boolean): boolean
  /** A call that holds others of the same id has ended (`execute`), and they with it: not each of them has an end of its own. */
  outerCallEnded(id: string, succeeded: boolean): boolean
  executionStarted(): void
  /** Returns whether this plugin has seen a dispatch of the execution: one that it hasn't is another instance's affair. */
  executionEnded(): boolean
  isIdle(): boolean
}

export function createSteps(): Steps {
  /** How many calls of each id are under way. */
  const calls = new Map<string, number>()
  let anySucceeded = false
  let state: "unseen" | "running" | "idle" = "unseen"

  function ended(id: string, left: number, succeeded: boolean): boolean {
    if (left > 0) calls.set(id, left)
    else calls.delete(id)
    anySucceeded ||= succeeded
    // What ends behind its execution, as a call that was cut off may, is followed by no step.
    return calls.size === 0 && anySucceeded && state !== "idle"
  }

  return {
    dispatching() {
      // What was interrupted has no end.
      calls.clear()
      anySucceeded = false
      state = "running"
    },
    callStarting: (id) => void calls.set(id, (calls.get(id) ?? 0) + 1),
    callEnded: (id, succeeded) => ended(id, (calls.get(id) ?? 1) - 1, succeeded),
    outerCallEnded: (id, succeeded) => ended(id, 0, succeeded),
    executionStarted() {
      if (state === "idle") state = "unseen"
    },
    executionEnded() {
      if (state !== "running") return false
      state = "idle"
      return true
    },
    isIdle: () => state === "idle",
  }
}
