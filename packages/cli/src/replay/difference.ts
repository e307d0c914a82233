import type { RuleId } from "@opencode-rulebook/rule-schema"
import type { StoredSession } from "@opencode-rulebook/server/dry-run"
import { type Arrival, newestRequest, type SessionHistory } from "../receipts/history.ts"

/** How a replayed session compares with what was delivered then. */
export interface Difference {
  /** What says what was delivered: the session's receipts, or the metadata of its messages, which know stored deliveries only. */
  readonly against: "receipts" | "metadata"
  /** Whether it also says when: receipts of one process that cover the same requests do. */
  readonly knowsWhen: boolean
  /** Rules that come now, and did not then; in the order in which they come. */
  readonly gained: readonly Arrival[]
  /** Rules that came then, and do not now. */
  readonly lost: readonly PastArrival[]
  /** Rules that come at another request, or for another reason. */
  readonly moved: readonly Move[]
}

/** How a rule came then, as far as that is known. */
export type PastArrival = Pick<Arrival, "rule" | "request"> & Partial<Pick<Arrival, "reason" | "by" | "lifetime">>

export interface Move {
  readonly now: Arrival
  readonly before: PastArrival
}

/**
 * Compares a replayed session with what was delivered then.
 *
 * @param stored what the session's messages deliver.
 * @param recorded what the session's receipts say; undefined where there are none.
 */
export function differenceOf(
  replayed: SessionHistory,
  stored: StoredSession["delivered"],
  recorded: SessionHistory | undefined,
): Difference {
  const now = arrivalsIn(replayed)
  // A transient rule is stored nowhere.
  if (recorded === undefined) {
    const durable = now.filter(({ lifetime }) => lifetime === "durable")
    return { against: "metadata", knowsWhen: false, ...byPresence(durable, stored), moved: [] }
  }
  const before = arrivalsIn(recorded)
  const isWhole = !recorded.isFull && recorded.runs.length === 1
  if (!isWhole || newestRequest(recorded) !== newestRequest(replayed))
    return { against: "receipts", knowsWhen: false, ...byPresence(now, [...before, ...stored]), moved: [] }
  return { against: "receipts", knowsWhen: true, ...byPresence(now, before), moved: movesOf(now, before) }
}

function arrivalsIn({ rules }: SessionHistory): readonly Arrival[] {
  const all = Array.from(rules.values()).flatMap(({ arrivals }) => arrivals)
  return all.toSorted((one, other) => one.request - other.request)
}

function byPresence(now: readonly Arrival[], before: readonly PastArrival[]): Pick<Difference, "gained" | "lost"> {
  const [current, past] = [firstOfEach(now), firstOfEach(before)]
  return {
    gained: [...current.values()].filter(({ rule }) => !past.has(rule)),
    lost: [...past.values()].filter(({ rule }) => !current.has(rule)),
  }
}

function firstOfEach<T extends PastArrival>(arrivals: readonly T[]): ReadonlyMap<RuleId, T> {
  const firsts = new Map<RuleId, T>()
  for (const arrival of arrivals) if (!firsts.has(arrival.rule)) firsts.set(arrival.rule, arrival)
  return firsts
}

/** The first arrival of each rule that is otherwise than it was. */
function movesOf(now: readonly Arrival[], before: readonly Arrival[]): readonly Move[] {
  return [...firstOfEach(now).keys()].flatMap((rule) => {
    const [own, past] = [now, before].map((arrivals) => arrivals.filter((arrival) => arrival.rule === rule))
    const move = own && past && firstChange(own, past)
    return move ? [move] : []
  })
}

function firstChange(now: readonly Arrival[], before: readonly Arrival[]): Move | undefined {
  const length = Math.max(now.length, before.length)
  for (let at = 0; at < length; at += 1) {
    const [own, past] = [now[at] ?? now.at(-1), before[at] ?? before.at(-1)]
    if (own && past && !isSame(own, past)) return { now: own, before: past }
  }
  return undefined
}

function isSame(one: Arrival, other: Arrival): boolean {
  return one.request === other.request && one.reason === other.reason && one.lifetime === other.lifetime
}
