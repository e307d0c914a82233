import type { CompiledRule, RuleId } from "@opencode-rulebook/rule-schema"
import { withTimeout } from "../../with-timeout.ts"
import { frameRules } from "../framing.ts"
import type {
  DeliveredPart,
  DurableDelivery,
  HistoryPlace,
  HostPort,
  PersistOutcome,
  StoredDeliveries,
  VisibleHistory,
} from "../port.ts"
import {
  EMPTY_LEDGER,
  type Evidence,
  type Ledger,
  type Placement,
  withCompaction,
  withEvidence,
  withoutMessage,
  withPromoted,
  withReverted,
  withStored,
} from "./ledger.ts"
import { type DispatchMatches, type DispatchPlan, planDispatch } from "./plan.ts"

/** How long a hook waits for the host to store a delivery, in milliseconds. The attempt itself goes on after that. */
const PERSIST_PATIENCE_MS = 5_000

/** Where a host takes a message without a further provider request. */
export interface SafePoint {
  /** The tool call around which it is: what is stored for the first time stands after its message. */
  readonly callID?: string
  /** Whether it has passed meanwhile, so that nothing may be stored any more. */
  readonly isOver?: () => boolean
}

/**
 * The only owner of delivery state: unmatched → pending → delivered, per session and rule identity.
 * Admissions of one session are serialised. A dispatch waits for none of them: what is still open is in its edits.
 */
export interface RuleDelivery {
  /** Hands what is pending to the host as part of the user's own message. Undefined when nothing is pending. */
  append(sessionID: string, durable: readonly CompiledRule[]): Promise<DurableDelivery | undefined>
  /** Stores what is pending; to be called only where the host takes a message without a further provider request. */
  flush(sessionID: string, durable: readonly CompiledRule[], moment?: SafePoint): Promise<void>
  /** The completeness gate: what this dispatch must carry beside the history that it shows. */
  dispatch(sessionID: string, history: VisibleHistory, matches: DispatchMatches): DispatchPlan & Attempts
  /** A message that the host had taken has become history. */
  messagePromoted(sessionID: string, messageID: string): void
  /** A message left the stored history. */
  messageRemoved(sessionID: string, messageID: string): void
  /** The host took back what is newer than some message, also of what it had taken and no dispatch has shown. */
  reverted(sessionID: string): void
  /** The history was compacted. */
  compacted(sessionID: string): void
  /** The texts that stand in the latest dispatch without being stored there. */
  placements(sessionID: string): readonly Placement[]
  /** Whether a rule counts as delivered. */
  isDelivered(sessionID: string, rule: RuleId): boolean
  /** Drops a session's state: at once, or when its last open attempt has come back, so that none is made twice. */
  forget(sessionID: string): void
}

interface Attempts {
  /** Rules that this process has handed to the host, whatever became of them. */
  readonly attempted: ReadonlySet<RuleId>
}

interface SessionDelivery {
  ledger: Ledger
  readonly attempted: Set<RuleId>
  /** Rules of attempts that have not come back yet. */
  readonly inFlight: Set<RuleId>
  /** Rules of an attempt that stayed open: each is tried alone, so that one that the host won't take holds back no other. */
  readonly apart: Set<RuleId>
  /** Whether it is to be dropped once nothing is in flight. */
  isForgotten: boolean
  /** The last of the serialised admissions. Never rejects. */
  queue: Promise<unknown>
}

/**
 * @param port where deliveries are stored and read back.
 * @param noted called with what became of each attempt to store rules. Must not throw.
 * @param patienceMs how long `flush` waits for one attempt, in milliseconds.
 */
export function createRuleDelivery(
  port: HostPort,
  noted: (sessionID: string, rules: readonly RuleId[], outcome: "stored" | "retry") => void,
  patienceMs = PERSIST_PATIENCE_MS,
): RuleDelivery {
  const sessions = new Map<string, SessionDelivery>()

  function open(sessionID: string): SessionDelivery {
    const existing = sessions.get(sessionID)
    if (existing) {
      existing.isForgotten = false
      return existing
    }
    const created: SessionDelivery = {
      ledger: EMPTY_LEDGER,
      attempted: new Set(),
      inFlight: new Set(),
      apart: new Set(),
      isForgotten: false,
      queue: Promise.resolve(),
    }
    sessions.set(sessionID, created)
    return created
  }

  function serialised<T>(session: SessionDelivery, task: () => Promise<T>): Promise<T> {
    const result = session.queue.then(task)
    session.queue = result.catch(() => undefined)
    return result
  }

  async function pendingRules(sessionID: string, session: SessionDelivery, durable: readonly CompiledRule[]) {
    if (durable.length === 0) return []
    if (!session.ledger.known) {
      if (!port.storedDeliveries) return []
      const answer = await withTimeout(port.storedDeliveries(sessionID), patienceMs)
      const stored: StoredDeliveries =
        answer.kind === "done" ? answer.value : { kind: "unreadable", reason: `no answer in ${patienceMs} ms` }
      if (stored.kind === "unreadable") {
        const { reason } = stored
        port.log("warn", `the history of session ${sessionID} could not be read (${reason}); its next request decides`)
        return []
      }
      // Dropped while the history was read: whoever opens it anew decides.
      if (sessions.get(sessionID) !== session) return []
      session.ledger = withStored(session.ledger, stored.deliveries)
    }
    return durable.filter((rule) => !session.ledger.evidence.has(rule.id) && !session.inFlight.has(rule.id))
  }

  async function attempt(
    sessionID: string,
    session: SessionDelivery,
    rules: readonly CompiledRule[],
    { callID, isOver }: SafePoint,
  ) {
    if (isOver?.()) return "over"
    const delivery = deliveryOf(rules, session.ledger, callID)
    for (const id of delivery.rules) {
      session.inFlight.add(id)
      session.attempted.add(id)
    }
    const settled = port
      .persist(sessionID, delivery)
      .catch((error: unknown): PersistOutcome => ({ kind: "failed", reason: String(error) }))
      .then((outcome) => settle(sessionID, session, delivery, outcome))
    const answer = await withTimeout(settled, patienceMs)
    return answer.kind === "done" ? answer.value : "slow"
  }

  async function settle(
    sessionID: string,
    session: SessionDelivery,
    delivery: DurableDelivery,
    outcome: PersistOutcome,
  ) {
    const evidence = await evidenceOf(sessionID, delivery, outcome, port)
    for (const id of delivery.rules) session.inFlight.delete(id)
    if (evidence) session.ledger = withEvidence(session.ledger, delivery.rules, evidence)
    if (session.isForgotten && session.inFlight.size === 0) sessions.delete(sessionID)
    noted(sessionID, delivery.rules, evidence?.kind === "acknowledged" ? "stored" : "retry")
    if (evidence?.kind === "acknowledged") return "stored"
    const told = outcome.kind === "stored" ? "" : ` (${outcome.reason})`
    const which = `${delivery.rules.join(", ")} in session ${sessionID}`
    port.log("warn", `storing ${which} failed${told}; it is in each request until it is stored`)
    return evidence ? "open" : "failed"
  }

  return {
    append(sessionID, durable) {
      const session = open(sessionID)
      return serialised(session, async () => {
        const pending = await pendingRules(sessionID, session, durable)
        if (pending.length === 0) return undefined
        const delivery = deliveryOf(pending, session.ledger)
        for (const id of delivery.rules) session.attempted.add(id)
        session.ledger = withEvidence(session.ledger, delivery.rules, { kind: "handed", messageID: undefined })
        return delivery
      })
    },
    flush(sessionID, durable, moment = {}) {
      const session = open(sessionID)
      return serialised(session, async () => {
        const pending = await pendingRules(sessionID, session, durable)
        if (pending.length === 0) return
        const alone = pending.filter((rule) => session.apart.has(rule.id))
        const together = pending.filter((rule) => !session.apart.has(rule.id))
        for (const group of groupsOf(together, port.mostRules)) {
          const outcome = await attempt(sessionID, session, group, moment)
          if (outcome === "slow" || outcome === "over") return
          if (outcome === "open") for (const rule of group) session.apart.add(rule.id)
          if (outcome === "failed" && group.length > 1) alone.push(...group)
        }
        for (const rule of alone) {
          const outcome = await attempt(sessionID, session, [rule], moment)
          if (outcome === "slow" || outcome === "over") return
        }
      })
    },
    dispatch(sessionID, history, matches) {
      const session = open(sessionID)
      const plan = planDispatch(session.ledger, history, matches)
      session.ledger = plan.ledger
      return { ...plan, attempted: session.attempted }
    },
    messagePromoted(sessionID, messageID) {
      const session = sessions.get(sessionID)
      if (session) session.ledger = withPromoted(session.ledger, messageID)
    },
    messageRemoved(sessionID, messageID) {
      const session = sessions.get(sessionID)
      if (session) session.ledger = withoutMessage(session.ledger, messageID)
    },
    reverted(sessionID) {
      const session = sessions.get(sessionID)
      if (session) session.ledger = withReverted(session.ledger)
    },
    compacted(sessionID) {
      const session = sessions.get(sessionID)
      if (session) session.ledger = withCompaction(session.ledger)
    },
    placements: (sessionID) => sessions.get(sessionID)?.ledger.placements ?? [],
    isDelivered(sessionID, rule) {
      const evidence = sessions.get(sessionID)?.ledger.evidence.get(rule)
      return evidence !== undefined && evidence.kind !== "handed"
    },
    forget(sessionID) {
      const session = sessions.get(sessionID)
      if (session === undefined) return
      session.ledger = EMPTY_LEDGER
      session.isForgotten = true
      if (session.inFlight.size === 0) sessions.delete(sessionID)
    },
  }
}

function deliveryOf(rules: readonly CompiledRule[], ledger: Ledger, callID?: string): DurableDelivery {
  return {
    id: crypto.randomUUID(),
    rules: rules.map((rule) => rule.id),
    text: frameRules(rules),
    parts: partsOf(rules, ledger, callID),
  }
}

/** A rule whose text dispatches show already keeps its place; what has none yet is to stand after the call. */
function partsOf(rules: readonly CompiledRule[], ledger: Ledger, callID: string | undefined): DeliveredPart[] {
  const placeOf = ({ id }: CompiledRule) => ledger.placements.find((placement) => placement.rules.includes(id))?.after
  const places = rules.map(placeOf)
  return [...new Set(places)].map((after) => {
    const own = rules.filter((_rule, index) => places[index] === after)
    const place = after === undefined ? callPlace(callID) : ({ kind: "message", id: after } as const)
    return { rules: own.map((rule) => rule.id), text: frameRules(own), place }
  })
}

function callPlace(callID: string | undefined): HistoryPlace | undefined {
  return callID === undefined ? undefined : { kind: "call", id: callID }
}

/** The rules in groups of no more than `most`, in their order. */
function groupsOf(rules: readonly CompiledRule[], most = Math.max(rules.length, 1)): (readonly CompiledRule[])[] {
  const count = Math.ceil(rules.length / most)
  return Array.from({ length: count }, (_, index) => rules.slice(index * most, (index + 1) * most))
}

/** What an attempt's outcome proves. A failed one may have been stored all the same, its answer lost: the history knows. */
async function evidenceOf(
  sessionID: string,
  delivery: DurableDelivery,
  outcome: PersistOutcome,
  port: HostPort,
): Promise<Evidence | undefined> {
  switch (outcome.kind) {
    case "stored":
      return { kind: "acknowledged", messageID: outcome.messageID }
    case "open":
      return { kind: "handed", messageID: outcome.messageID }
    case "failed": {
      const stored = await port.storedDeliveries?.(sessionID)
      const found = stored?.kind === "read" ? stored.deliveries.find(({ id }) => id === delivery.id) : undefined
      return found && { kind: "acknowledged", messageID: found.messageID }
    }
    default:
      return outcome satisfies never
  }
}
