import type { StoredSession } from "@opencode-rulebook/server/dry-run"
import { UsageError } from "../usage-error.ts"
import { isSessionID, type SessionEntry, type SessionSource } from "./entry.ts"

/** How many sessions are read at once. OpenCode takes a second or two for each. */
const AT_ONCE = 3

/** A session, or why it could not be read; and how many are left, this one among them, as far as is known. */
export type ReadSession = { readonly left: number } & (
  | { readonly kind: "read"; readonly session: StoredSession }
  | { readonly kind: "failed"; readonly error: UsageError }
)

/**
 * Reads sessions, a few at a time and in their order, each with those of its subagents behind it.
 *
 * @param source knows subagents' sessions that are not among the entries, and the commands of subtasks.
 */
export async function* readAhead(
  entries: readonly SessionEntry[],
  { commands, subagent }: Pick<SessionSource, "commands" | "subagent">,
): AsyncGenerator<ReadSession, void, undefined> {
  const waiting = entries.map((entry) => ({ entry, command: commands.get(entry.id) }))
  const known = new Set(entries.map(({ id }) => id))
  const reading: Promise<StoredSession | UsageError>[] = []

  function start(): void {
    const next = waiting.shift()
    if (next) reading.push(next.entry.read(next.command).catch(asUsageError))
  }

  for (;;) {
    while (reading.length < AT_ONCE && waiting.length > 0) start()
    const session = await reading.shift()
    if (session === undefined) return
    if (session instanceof Error) {
      yield { kind: "failed", error: session, left: waiting.length + reading.length + 1 }
      continue
    }
    if (subagent) {
      const fresh = session.subagents.filter(({ id }) => !known.has(id) && isSessionID(id))
      for (const { id } of fresh) known.add(id)
      waiting.unshift(...fresh.map(({ id, command }) => ({ entry: subagent(id), command })))
    }
    yield { kind: "read", session, left: waiting.length + reading.length + 1 }
  }
}

function asUsageError(error: unknown): UsageError {
  return error instanceof UsageError ? error : new UsageError(error instanceof Error ? error.message : String(error))
}
