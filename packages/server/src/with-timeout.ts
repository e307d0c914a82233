/** What became of work that was waited for: its result, or that it had none in time. */
export type Timed<T> = { readonly kind: "done"; readonly value: T } | { readonly kind: "slow" }

/**
 * Waits for work, but not for ever. The work itself goes on. Rejects as the work does.
 *
 * @param ms how long to wait, in milliseconds.
 */
export async function withTimeout<T>(work: Promise<T>, ms: number): Promise<Timed<T>> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<Timed<T>>((resolve) => {
    timer = setTimeout(resolve, ms, { kind: "slow" })
  })
  try {
    return await Promise.race([work.then((value): Timed<T> => ({ kind: "done", value })), late])
  } finally {
    clearTimeout(timer)
  }
}
