import { writeFile } from "node:fs/promises"
import type { Project } from "../../src/index.ts"

/** A shell loop that lasts until the test opens the gate. */
export const AT_GATE = "while [ ! -e gate ]; do sleep 0.05; done"

/** Lets what stands at the gate go on. */
export async function openGate(project: Project): Promise<void> {
  await writeFile(project.path("gate"), "")
}

/** Waits, within the test's own limit, until there is an answer. */
export async function until<T>(ask: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    await Bun.sleep(5)
  }
}
