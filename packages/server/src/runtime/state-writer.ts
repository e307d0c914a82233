import { createHash } from "node:crypto"
import { type MatchedRuleState, pruneStates, removeState, writeState } from "@opencode-rulebook/rule-schema"

const DAY_MS = 86_400_000
/** How long a session's state file is of use to anyone. */
const KEEP = { maxAgeMs: 30 * DAY_MS, maxFiles: 500 }

/** Writes Matched-rule state to disk: the newest state of each session, one write at a time, and none that changes nothing. */
export interface StateWriter {
  publish(state: MatchedRuleState): void
  /** Removes the state of a session that is no more. */
  remove(sessionID: string): void
  /** Resolves when what was published so far is on disk, or has failed to get there. */
  settled(): Promise<void>
}

/**
 * @param directory where the state files are, absolute.
 * @param warn told, once, when they can't be written.
 */
export function createStateWriter(directory: string, warn: (message: string) => void): StateWriter {
  const waiting = new Map<string, MatchedRuleState | "removed">()
  /** What was published last, on disk or on its way there. */
  const published = new Map<string, string>()
  let pruned = false
  let failed = false
  let running: Promise<void> | undefined

  async function writeAll(): Promise<void> {
    for (let next = waiting.entries().next(); !next.done; next = waiting.entries().next()) {
      const [sessionID, state] = next.value
      waiting.delete(sessionID)
      try {
        if (state === "removed") await removeState(directory, sessionID)
        else await write(state)
      } catch (error) {
        // The next publication tries again, whatever it says.
        published.delete(sessionID)
        if (!failed)
          warn(`the sidebar's state can't be written to ${directory} (${String(error)}); rules work without it`)
        failed = true
      }
    }
    running = undefined
  }

  async function write(state: MatchedRuleState): Promise<void> {
    if (!pruned) await pruneStates(directory, { ...KEEP, now: state.updatedAt })
    pruned = true
    await writeState(directory, state)
  }

  return {
    publish(state) {
      const content = contentOf(state)
      if (published.get(state.sessionID) === content) return
      published.set(state.sessionID, content)
      waiting.set(state.sessionID, state)
      running ??= writeAll()
    },
    remove(sessionID) {
      published.delete(sessionID)
      waiting.set(sessionID, "removed")
      running ??= writeAll()
    },
    settled: async () => running,
  }
}

function contentOf(state: MatchedRuleState): string {
  return createHash("sha1")
    .update(JSON.stringify([state.rules, state.notices]))
    .digest("base64")
}
