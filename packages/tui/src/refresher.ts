/** Work that is done once for a burst of reasons to do it, and never twice at a time. */
export interface Refresher {
  /** Begins now. For the first time only. */
  begin(): void
  /** Asks for the work: it begins in a moment, or when the one under way has ended. */
  trigger(): void
  /** Ends it. Nothing begins afterwards. */
  stop(): void
}

/**
 * @param work must not reject.
 * @param delayMs how long a burst is waited for, in milliseconds, from its first trigger on.
 */
export function createRefresher(work: () => Promise<void>, delayMs: number): Refresher {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isRunning = false
  let isWanted = false
  let isStopped = false

  async function run(): Promise<void> {
    timer = undefined
    isRunning = true
    await work()
    isRunning = false
    // What triggered meanwhile may have come too late for the work.
    if (isWanted) arm()
  }

  function arm(): void {
    isWanted = false
    if (!isStopped) timer = setTimeout(run, delayMs)
  }

  return {
    begin: () => void run(),
    trigger() {
      if (timer !== undefined) return
      if (isRunning) isWanted = true
      else arm()
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
