import { createHash } from "node:crypto"
import { type MatchedRuleState, pruneStates, writeState } from "@opencode-rulebook/rule-schema"

const DAY_MS = 86_400_000
/** How long a session's state file is of use to anyone. */
const KEEP = { maxAgeMs: 30 * DAY_MS, maxFiles: 500 }

/** Writes Matched-rule state to disk: the newest state of each session, one write at a time, and none that changes nothing. */
export interface StateWriter {
  publish(state: MatchedRuleState): void
  /** Resolves when what was published so far is on disk, or has failed to get there. */
  settled(): Promise<void>
}

/**
 * @param directory where the state files are, absolute.
 * @param warn told, once, when they can't be written.
 */
export function createStateWriter(directory: string, warn: (message: string) => void): StateWriter {
  const waiting = new Map<string, MatchedRuleState>()
  const written = new Map<string, string>()
  let pruned = false
  let failed = false
  let running: Promise<void> | undefined

  async function writeAll(): Promise<void> {
    for (let next = waiting.values().next(); !next.done; next = waiting.values().next()) {
      const state = next.value
      waiting.delete(state.sessionID)
      try {
        if (!pruned) await pruneStates(directory, { ...KEEP, now: state.updatedAt })
        pruned = true
        await writeState(directory, state)
      } catch (error) {
        if (!failed)
          warn(`the sidebar's state can't be written to ${directory} (${String(error)}); rules work without it`)
        failed = true
      }
      written.set(state.sessionID, contentOf(state))
    }
    running = undefined
  }

  return {
    publish(state) {
      if (!waiting.has(state.sessionID) && written.get(state.sessionID) === contentOf(state)) return
      waiting.set(state.sessionID, state)
      running ??= writeAll()
    },
    settled: async () => running,
  }
}

function contentOf(state: MatchedRuleState): string {
  return createHash("sha1").update(JSON.stringify(state.rules)).digest("base64")
}
