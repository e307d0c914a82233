import { createHash } from "node:crypto"
import {
  type MatchedRuleState,
  makeRoomForState,
  pruneStates,
  removeState,
  writeState,
} from "@opencode-rulebook/rule-schema"
import { createLruMap } from "../lru-map.ts"
import { createRecentSet } from "./recent-set.ts"

const DAY_MS = 86_400_000
/** How long a session's state file is of use to anyone. */
const KEEP = { maxAgeMs: 30 * DAY_MS, maxFiles: 500 }

/** How often the old ones are looked for, in milliseconds. */
const PRUNE_EVERY_MS = 60 * 60 * 1000
/** Sessions whose latest state is remembered; that of another is written again, whether or not it changes anything. */
const MOST_REMEMBERED = 1_000

/** Writes Matched-rule state to disk: the newest state of each session, one write at a time, and none that changes nothing. */
export interface StateWriter {
  publish(state: MatchedRuleState): void
  /** Removes the state of a session that is no more. What is published of it afterwards, by a call that ends late, is not written. */
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
  const published = createLruMap({ most: MOST_REMEMBERED, create: () => ({ content: "" }) })
  const removed = createRecentSet(MOST_REMEMBERED)
  let prunedAt = Number.NEGATIVE_INFINITY
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
        published.drop(sessionID)
        if (!failed)
          warn(`the sidebar's state can't be written to ${directory} (${String(error)}); rules work without it`)
        failed = true
      }
    }
    running = undefined
  }

  async function write(state: MatchedRuleState): Promise<void> {
    if (state.updatedAt - prunedAt >= PRUNE_EVERY_MS) {
      prunedAt = state.updatedAt
      await pruneStates(directory, { ...KEEP, now: state.updatedAt })
    }
    await makeRoomForState(directory, state.sessionID, { ...KEEP, now: state.updatedAt })
    await writeState(directory, state)
  }

  return {
    publish(state) {
      if (removed.has(state.sessionID)) return
      const content = contentOf(state)
      const latest = published.open(state.sessionID)
      if (latest.content === content) return
      latest.content = content
      waiting.set(state.sessionID, state)
      running ??= writeAll()
    },
    remove(sessionID) {
      removed.add(sessionID)
      published.drop(sessionID)
      waiting.set(sessionID, "removed")
      running ??= writeAll()
    },
    settled: async () => running,
  }
}

function contentOf(state: MatchedRuleState): string {
  return createHash("sha1")
    .update(JSON.stringify({ ...state, updatedAt: 0 }))
    .digest("base64")
}
