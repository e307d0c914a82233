import { rename } from "node:fs/promises"

/** How long each further try waits, in milliseconds. */
const PAUSES_MS = [10, 20, 40, 80, 160]
/** What Windows answers while another process has the file open: a reader, a virus scanner, an indexer. */
const BUSY: readonly unknown[] = ["EPERM", "EACCES", "EBUSY"]

interface System {
  readonly platform: string
  readonly move: (from: string, to: string) => Promise<void>
  readonly pause: (ms: number) => Promise<unknown>
}

const SYSTEM: System = {
  platform: process.platform,
  move: rename,
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}

/**
 * Puts a file in the place of another, in one step. Windows refuses that while anyone has the other open: there it is tried again, for
 * a third of a second at most. Rejects with the last refusal.
 */
export async function replaceFile(from: string, to: string, { platform, move, pause }: System = SYSTEM): Promise<void> {
  for (const ms of platform === "win32" ? PAUSES_MS : []) {
    try {
      return await move(from, to)
    } catch (error) {
      if (!(error instanceof Error && "code" in error && BUSY.includes(error.code))) throw error
    }
    await pause(ms)
  }
  await move(from, to)
}
