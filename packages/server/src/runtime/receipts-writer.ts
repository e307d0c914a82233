import {
  appendReceipts,
  makeRoomForReceipts,
  pruneReceipts,
  type Receipt,
  removeReceipts,
} from "@opencode-rulebook/rule-schema"
import { createRecentSet } from "./recent-set.ts"

const DAY_MS = 86_400_000
/** How long receipts are of use to anyone, and how much of the disk they may take. */
const KEEP = { maxAgeMs: 30 * DAY_MS, maxFiles: 2_000, maxBytes: 256 * 1024 * 1024 }

/** How often the old ones are looked for, in milliseconds. */
const PRUNE_EVERY_MS = 60 * 60 * 1000
/** Deleted and full sessions that are remembered. */
const MOST_REMEMBERED = 1_000
/** Receipts that wait for a disk that doesn't answer. Those above that are lost. */
const MOST_WAITING = 10_000

/** Writes receipts to disk behind the events that they are of: what has come up meanwhile for a session is one write. */
export interface ReceiptsWriter {
  add(sessionID: string, receipt: Receipt): void
  /** Removes the receipts of a session that is no more. What comes of it afterwards, by a call that ends late, is not written. */
  remove(sessionID: string): void
  /** Resolves when what was added so far is on disk, or has failed to get there. */
  settled(): Promise<void>
}

/**
 * @param directory where the Matched-rule states are, absolute.
 * @param warn told, once, when receipts can't be written.
 */
export function createReceiptsWriter(directory: string, warn: (message: string) => void): ReceiptsWriter {
  const waiting = new Map<string, Receipt[] | "removed">()
  let count = 0
  const removed = createRecentSet(MOST_REMEMBERED)
  const full = createRecentSet(MOST_REMEMBERED)
  /** Sessions that have a file. */
  const begun = createRecentSet(MOST_REMEMBERED)
  let prunedAt = Number.NEGATIVE_INFINITY
  let failed = false
  let running: Promise<void> | undefined

  async function writeAll(): Promise<void> {
    // The event that they are of goes on first: to begin a write takes longer than to note a receipt.
    await new Promise((resolve) => setImmediate(resolve))
    for (let next = waiting.entries().next(); !next.done; next = waiting.entries().next()) {
      const [sessionID, receipts] = next.value
      waiting.delete(sessionID)
      try {
        if (receipts === "removed") await removeReceipts(directory, sessionID)
        else await write(sessionID, receipts)
      } catch (error) {
        report(`can't be written to ${directory} (${String(error)})`)
      }
    }
    running = undefined
  }

  async function write(sessionID: string, receipts: readonly Receipt[]): Promise<void> {
    count -= receipts.length
    const now = receipts[0]?.at ?? 0
    if (now - prunedAt >= PRUNE_EVERY_MS) {
      prunedAt = now
      await pruneReceipts(directory, { ...KEEP, now })
    }
    if (!begun.has(sessionID)) await makeRoomForReceipts(directory, sessionID, { ...KEEP, now })
    begun.add(sessionID)
    if ((await appendReceipts(directory, sessionID, receipts)) === "full") full.add(sessionID)
  }

  function report(what: string): void {
    if (!failed) warn(`receipts ${what}; rules work without them`)
    failed = true
  }

  return {
    add(sessionID, receipt) {
      if (removed.has(sessionID) || full.has(sessionID)) return
      if (count >= MOST_WAITING) return report(`are not taken by ${directory} as fast as they come, and some are lost`)
      count += 1
      const open = waiting.get(sessionID)
      if (Array.isArray(open)) open.push(receipt)
      else waiting.set(sessionID, [receipt])
      running ??= writeAll()
    },
    remove(sessionID) {
      removed.add(sessionID)
      const open = waiting.get(sessionID)
      if (Array.isArray(open)) count -= open.length
      waiting.set(sessionID, "removed")
      running ??= writeAll()
    },
    async settled() {
      // What an event leads to is noted some microtasks later.
      await Promise.resolve()
      await running
    },
  }
}
