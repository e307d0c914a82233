/**
 * Waits for work, but not for ever; the work itself goes on.
 *
 * @param ms how long to wait, in milliseconds.
 */
export async function within<T>(work: Promise<T>, ms: number): Promise<T | "slow"> {
  const { promise: late, resolve } = Promise.withResolvers<"slow">()
  const timer = setTimeout(resolve, ms, "slow")
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
