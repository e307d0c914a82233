const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const

/**
 * Runs the cleanup when this process ends before it has cleaned up itself: at exit, and on the signals that end it.
 * Returns the function that takes the cleanup off again.
 */
export function onProcessEnd(cleanup: () => void): () => void {
  const handlers = SIGNALS.map((signal) => {
    const handler = () => {
      off()
      cleanup()
      process.kill(process.pid, signal)
    }
    return { signal, handler }
  })

  function off(): void {
    process.off("exit", cleanup)
    for (const { signal, handler } of handlers) process.off(signal, handler)
  }

  process.on("exit", cleanup)
  for (const { signal, handler } of handlers) process.on(signal, handler)
  return off
}
