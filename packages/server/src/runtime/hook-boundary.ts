/** Makes a hook that reports its failures in place of throwing them into the host. */
export type HookBoundary = <A extends unknown[], R>(
  hook: (...args: A) => Promise<R>,
) => (...args: A) => Promise<R | undefined>

/**
 * @param report told of each failure. Must not throw.
 * @param isActive whether the hook is to run at all.
 */
export function createHookBoundary(report: (message: string) => void, isActive = () => true): HookBoundary {
  return (hook) =>
    async (...args) => {
      try {
        return isActive() ? await hook(...args) : undefined
      } catch (error) {
        report(
          `the plugin failed in a hook: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
        )
        return undefined
      }
    }
}
