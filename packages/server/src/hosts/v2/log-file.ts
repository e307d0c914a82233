import { appendFile, mkdir, rename, stat } from "node:fs/promises"
import { dirname } from "node:path"
import type { HostPort } from "../../engine/port.ts"

/** A log that has grown beyond this many bytes is set aside, and the one that was set aside before it is gone. */
const LARGEST = 1024 * 1024

export interface Log {
  /** Fire and forget. Never throws. */
  readonly write: HostPort["log"]
  /** Resolves when what was written so far is in the file, or has failed to get there. */
  settled(): Promise<void>
}

/**
 * Opens the plugin's own log: OpenCode v2 gives a plugin none, and where a background service's error output goes is not known.
 *
 * @param path the file, absolute; its folder need not be there.
 * @param now the time in milliseconds.
 */
export function openLogFile(path: string, now: () => number): Log {
  let writing = Promise.resolve()

  async function append(line: string): Promise<void> {
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const size = await stat(path).then(
        (stats) => stats.size,
        () => 0,
      )
      // Windows refuses while another process has the file open: it grows then, and no line is lost.
      if (size > LARGEST) await rename(path, `${path}.old`).catch(() => undefined)
      await appendFile(path, line, { mode: 0o600 })
    } catch {
      // There is no other place to tell it.
    }
  }

  return {
    write(level, message) {
      const line = `${new Date(now()).toISOString()} ${level.toUpperCase()} ${message.replace(/\s*\n\s*/g, " ")}\n`
      writing = writing.then(() => append(line))
    },
    settled: () => writing,
  }
}
