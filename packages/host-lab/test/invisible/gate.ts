import { rm, writeFile } from "node:fs/promises"
import type { Project } from "../../src/index.ts"

/** A shell loop that lasts until the test opens the gate. It says when it has begun. */
export const AT_GATE = "touch begun; while [ ! -e gate ]; do sleep 0.05; done"

/** Makes the gate one that nobody stands at. */
export async function closeGate(project: Project): Promise<void> {
  for (const name of ["gate", "begun"]) await rm(project.path(name), { force: true })
}

/** Waits for somebody to stand at the gate: an abort before that can end a call that has not begun. */
export async function reachGate(project: Project): Promise<void> {
  await until(() => Bun.file(project.path("begun")).exists())
}

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
