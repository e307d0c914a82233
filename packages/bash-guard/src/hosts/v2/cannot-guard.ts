import type { HostContext } from "./host.ts"
import { cannotGuard } from "./messages.ts"

/** Says that the guard is off: in the log, and by refusing the first shell call with a text that the model passes on. */
export async function sayThatItCannotGuard(
  tool: NonNullable<HostContext["tool"]>,
  warn: (message: string) => void,
): Promise<void> {
  warn(cannotGuard)
  let isSaid = false
  await tool.hook("execute.before", (event) => {
    if (event.tool !== "shell" || isSaid) return
    isSaid = true
    throw new Error(`Not run, this once: ${cannotGuard} Tell the user. The same call runs when you send it again.`)
  })
}
