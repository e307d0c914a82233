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
  executionStarted(): void
  /** Returns whether this plugin has seen a dispatch of the execution: one that it hasn't is another instance's affair. */
  executionEnded(): boolean
  isIdle(): boolean
}

export function createSteps(): Steps {
  const calls = new Set<string>()
  let anySucceeded = false
  let state: "unseen" | "running" | "idle" = "unseen"
  return {
    dispatching() {
      // What was interrupted has no end.
      calls.clear()
      anySucceeded = false
      state = "running"
    },
    callStarting: (id) => void calls.add(id),
    callEnded(id, succeeded) {
      calls.delete(id)
      anySucceeded ||= succeeded
      return calls.size === 0 && anySucceeded
    },
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
