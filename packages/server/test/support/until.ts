/** How often something is looked at before it is given up: several seconds at least. */
const MOST_LOOKS = 4_000

/**
 * Waits for something that another process, a timer or the file system does. It lets the event loop go on between two looks, so that the
 * test's own time limit holds too.
 *
 * @throws when it does not come to hold.
 */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    if (await holds()) return
    await Bun.sleep(1)
  }
  throw new Error(`never came to hold: ${holds}`)
}
