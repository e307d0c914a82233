import { isWithin } from "@opencode-rulebook/rule-schema"
import type { Io } from "../io.ts"
import type { SessionHistory } from "../receipts/history.ts"
import { receiptsFiles } from "../receipts/sessions.ts"
import { createAggregate } from "./aggregate.ts"
import type { Figures } from "./figures.ts"

/** Which of a project's sessions are taken. */
export interface Selection {
  /** The project's root, absolute. */
  readonly root: string
  /** Those that ended before are left out. In milliseconds since 1970. */
  readonly since: number | undefined
  /** How many at most, the newest ones. */
  readonly limit: number | undefined
}

/**
 * Adds up the sessions of a project, the newest first, of which one at a time is in memory.
 *
 * @param keep gets each of them.
 */
export async function readSessions(
  { root, since = 0, limit = Number.POSITIVE_INFINITY }: Selection,
  io: Io,
  keep: (session: SessionHistory) => void,
): Promise<Figures> {
  const aggregate = createAggregate(root)
  let count = 0
  for await (const { history, skipped, modified } of receiptsFiles(io)) {
    // The newest are first, and nothing is written after the last receipt.
    if (count >= limit || modified < since) break
    if (history === undefined) aggregate.skip()
    else if (history.endedAt >= since && isWithin(history.directory, root, io.platform)) {
      count += 1
      aggregate.add(history, skipped)
      keep(history)
    }
  }
  return aggregate.end()
}
