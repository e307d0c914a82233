import { type Receipt, type Rulebook, readReceipts, type SessionReceipts } from "@opencode-rulebook/rule-schema"
import type { StoredSession } from "@opencode-rulebook/server/dry-run"
import type { Io } from "../io.ts"
import { play } from "../play/play.ts"
import { relocated } from "../play/relocate.ts"
import { createHistoryBuilder } from "../receipts/fold.ts"
import { newestRequest, type SessionHistory } from "../receipts/history.ts"
import { stateFolder } from "../receipts/sessions.ts"
import { withCommands } from "./commands.ts"
import { type Difference, differenceOf } from "./difference.ts"
import type { Place } from "./places.ts"
import { type AssumedFact, assumedFacts, factsThen } from "./then.ts"

/** What a stored session comes to with other rules. */
export interface ReplayedSession {
  readonly stored: Omit<StoredSession, "events">
  /** The folder that it was played in, absolute. */
  readonly directory: string
  readonly rulebook: Rulebook
  readonly history: SessionHistory
  readonly requests: number
  /** What its export and its receipts do not tell, and rules ask for: it is as now, or unknown. */
  readonly assumed: readonly AssumedFact[]
  /** How it compares with what was delivered, where that is wanted. */
  readonly difference: Difference | undefined
}

/** Plays a stored session in its place, with the facts of its time as far as anything tells them. */
export async function replaySession(
  session: StoredSession,
  place: Place,
  compares: boolean,
  io: Io,
): Promise<ReplayedSession> {
  const recorded = await readReceipts(stateFolder(io), session.id)
  const { directory, rulebook, around, commandOf } = place
  const then = factsThen(recorded?.receipts ?? [], session.events, rulebook)
  const told = then.tells("command") ? then.withCommands(session) : withCommands(session, commandOf)
  const here = relocated(told, directory)

  const builder = createHistoryBuilder()
  const note = (_id: string, receipt: Receipt) => builder.add(receipt)
  let now = 0
  const clock = (at: number) => {
    now = at
  }
  const sources = then.sources(around.sources, () => now)
  const watch = { receipts: { host: session.host, plugin: "", note }, clock }
  await play(rulebook, { ...around, sources }, here, watch, session.id)

  const { events: _, ...stored } = session
  const history = builder.end() ?? emptyHistory(session, directory)
  return {
    ...{ stored, directory, rulebook, history },
    requests: newestRequest(history),
    assumed: assumedFacts(rulebook, session, then),
    difference: compares ? differenceOf(history, session.delivered, historyOf(recorded)) : undefined,
  }
}

function historyOf(recorded: SessionReceipts | undefined): SessionHistory | undefined {
  const builder = createHistoryBuilder()
  for (const receipt of recorded?.receipts ?? []) builder.add(receipt)
  return builder.end()
}

/** A session in which nothing happened has no receipts. */
function emptyHistory({ id, created }: StoredSession, directory: string): SessionHistory {
  const times = { startedAt: created, endedAt: created }
  return { id, directory, ...times, runs: [], steps: [], rules: new Map(), broken: [], isFull: false }
}
