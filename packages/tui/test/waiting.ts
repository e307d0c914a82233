/** Waits for what watchers and followers tell: `wake` says that something was told, `until` waits for more as long as it does not hold. */
export interface Waiting {
  wake(): void
  until(holds: () => boolean): Promise<void>
}

export function createWaiting(): Waiting {
  let resume: () => void = () => undefined
  return {
    wake: () => resume(),
    async until(holds) {
      while (!holds()) {
        const { promise, resolve } = Promise.withResolvers<void>()
        resume = resolve
        await promise
      }
    },
  }
}
