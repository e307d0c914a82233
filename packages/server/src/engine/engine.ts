import {
  type CompiledRule,
  type Facts,
  type FileObservation,
  type MatchedRuleState,
  matchLifetime,
  type NestedRules,
  type RuleId,
  type RuleStatus,
  ruleLifetime,
  snapshotOf,
} from "@opencode-rulebook/rule-schema"
import { createLruMap } from "../lru-map.ts"
import { causeOf } from "./cause.ts"
import { createRuleDelivery, type SafePoint } from "./delivery/rule-delivery.ts"
import { dispatchFacts, durableFacts, type FactSources } from "./gather-facts.ts"
import { findHolds, forgetHolds, noteHolds, type StartingCall } from "./held-calls.ts"
import { blockMessage, type FiredHooks, fireHooks, type ToolEvent } from "./hooks.ts"
import type { FindNested } from "./nested-folders.ts"
import { notePartlyMet, publishedPartlyMet } from "./partly-met.ts"
import type { DispatchEdits, DurableDelivery, HostPort, VisibleHistory } from "./port.ts"
import { createSession, type Session, type Snapshot, type Turn, updateTurn } from "./session.ts"
import { heldMessage, shownPath } from "./stop-message.ts"
import { type DispatchTrace, traceDispatch } from "./trace.ts"

/** The host-free heart of the plugin. Both hosts' adapters drive it; nothing in it knows a payload of either. */
export interface Engine {
  /** A message of the user's side; `turn` has what is new. Returns what is to be appended to it, if anything. */
  prompt(sessionID: string, turn: Partial<Turn>): Promise<DurableDelivery | undefined>
  /** A tool call is about to run. Returns why it must not run, if so. */
  toolStarting(call: StartingCall): Promise<string | undefined>
  /** A tool call succeeded. */
  toolSucceeded(event: Omit<ToolEvent, "type">, observations: readonly FileObservation[]): Promise<void>
  /** What is known of files only now, as when a dispatch shows how much of one its model got. */
  observed(sessionID: string, observations: readonly FileObservation[]): Promise<void>
  /** Stores what is pending. To be called where the host takes a message without a further provider request, and only there. */
  safePoint(sessionID: string, moment?: SafePoint): Promise<void>
  /** The completeness gate before each provider request of a turn. */
  dispatch(sessionID: string, history: VisibleHistory, turn: Partial<Turn>): Promise<DispatchEdits>
  /** What a compaction is to be told of the session. */
  workingContext(sessionID: string): Promise<string | undefined>
  compacted(sessionID: string): void
  /** A stored delivery, until now waiting at the host, has become history. */
  messagePromoted(sessionID: string, messageID: string): void
  messageRemoved(sessionID: string, messageID: string): void
  /** The host took back what is newer than some message, inputs that wait for their step among it. */
  historyReverted(sessionID: string): void
  closeSession(sessionID: string): void
  /** The rules of a session's snapshot. */
  rules(sessionID: string): Promise<readonly RuleId[]>
}

export interface EngineOptions {
  readonly port: HostPort
  readonly facts: FactSources
  /** Takes a snapshot of the rules for a session. Must not reject. */
  readonly loadRules: (sessionID: string) => Promise<Snapshot>
  /** Finds the rules of folders below the session's own; without it there are none. */
  readonly findNested?: FindNested
  /** Runs a hook's command. Must not throw. */
  readonly runCommand: (rule: CompiledRule, command: string, event: ToolEvent) => void
  readonly publish: (state: MatchedRuleState) => void
  /** Takes back what was published of a session. */
  readonly retract: (sessionID: string) => void
  /** The folder that relative paths start from, absolute. */
  readonly directory: string
  /** Sessions kept in memory. */
  readonly maxSessions: number
  /** Takes what each dispatch came to, with every family's verdict: work that is spared without it. */
  readonly trace?: ((dispatch: DispatchTrace) => void) | undefined
  readonly now: () => number
}

export function createEngine(options: EngineOptions): Engine {
  const delivery = createRuleDelivery(options.port)
  const sessions = createLruMap({
    most: options.maxSessions,
    create: (id) => createSession(id, options.directory, options.loadRules, options.findNested ?? noNested),
    onDrop: delivery.forget,
  })

  /** Takes the facts as they are now, and marks the durable rules that they match. Returns all that have matched so far. */
  async function evaluateDurable(session: Session): Promise<readonly CompiledRule[]> {
    const { turn } = session
    return matchDurable(session, await durableFacts(session, options.facts), turn)
  }

  /** @param turn the turn that the facts are of: another prompt can have come since they were taken. */
  function matchDurable(session: Session, facts: Facts, turn: Turn): readonly CompiledRule[] {
    const { evaluated } = session
    const { project } = facts
    const observed = facts.observed.size
    const isSame = evaluated?.turn === turn && evaluated.observed === observed && evaluated.project === project
    if (isSame) return matchedRules(session)
    session.evaluated = { turn, observed, project }
    for (const rule of session.deliverable) {
      if (session.matched.has(rule.id) || matchLifetime(rule, facts) !== "durable") continue
      session.matched.add(rule.id)
      noteCause(session, rule, causeOf(rule, facts, options.directory))
    }
    return matchedRules(session)
  }

  /** The first cause stays. */
  function noteCause({ causes }: Session, { id }: CompiledRule, by: string | undefined): void {
    if (by !== undefined && !causes.has(id)) causes.set(id, { by, at: options.now() })
  }

  /** The next dispatch has the rule: for good, or for once. */
  function activate(session: Session, rule: CompiledRule, lifetime = ruleLifetime(rule)): void {
    if (lifetime === "durable") session.matched.add(rule.id)
    else session.activatedOnce.add(rule.id)
  }

  /** Fires a tool event's hooks, and returns which there are. */
  function fire(session: Session, event: ToolEvent): FiredHooks {
    const fired = fireHooks(session.hookedRules, event)
    for (const rule of fired.activated) {
      activate(session, rule)
      noteCause(session, rule, `${event.tool} call`.slice(0, 100))
    }
    for (const { rule, command } of fired.commands) options.runCommand(rule, command, event)
    for (const { id } of fired.blocking) session.blocked.set(id, (session.blocked.get(id) ?? 0) + 1)
    if (fired.blocking.length > 0) session.published = undefined
    return fired
  }

  /** Returns why a call is held, if it is. */
  async function hold(
    session: Session,
    call: StartingCall,
    once: readonly CompiledRule[],
  ): Promise<string | undefined> {
    const holds = await findHolds(session, call, once, options.facts)
    if (holds.length === 0) return undefined
    noteHolds(session, holds)
    for (const { rule, lifetime, paths } of holds) {
      activate(session, rule, lifetime)
      noteCause(session, rule, paths.map((path) => shownPath(path, options.directory)).at(0))
    }
    const rules = holds.map(({ rule }) => rule.id).join(", ")
    options.port.log("info", `held: a call of ${call.tool} in session ${session.id}, for ${rules}`)
    return heldMessage(holds, options.directory)
  }

  function publish(session: Session): void {
    const { id, nested } = session
    const statuses = statusesOf(session)
    if (session.published && isSameMap(session.published, statuses)) return
    session.published = statuses
    const rules = session.rules.flatMap(({ id: rule, digest }) => {
      const status = statuses.get(rule)
      const blocked = session.blocked.get(rule)
      const told = { ...session.causes.get(rule), ...(blocked !== undefined && { blocked }) }
      return status === undefined ? [] : [{ id: rule, digest, status, ...told }]
    })
    const { directory, now } = options
    session.snapshot ??= snapshotOf(session.rules)
    const { snapshot } = session
    const state = { version: 2, sessionID: id, directory, updatedAt: now(), snapshot, rules } as const
    options.publish({ ...state, ...publishedPartlyMet(session, statuses), ...(nested.length > 0 && { nested }) })
  }

  /** Of the rules that are not unmatched. */
  function statusesOf(session: Session): Map<RuleId, RuleStatus> {
    const statuses = new Map<RuleId, RuleStatus>()
    for (const rule of session.transient) statuses.set(rule, "transient")
    for (const rule of session.matched) {
      statuses.set(rule, delivery.isDelivered(session.id, rule) ? "delivered" : "pending")
    }
    return statuses
  }

  return {
    async prompt(sessionID, turn) {
      const session = await sessions.open(sessionID)
      updateTurn(session, turn)
      const durable = await evaluateDurable(session)
      const handed = await delivery.append(sessionID, durable)
      publish(session)
      return handed
    },

    async toolStarting(call) {
      const { sessionID, tool, args } = call
      const session = await sessions.open(sessionID)
      const { blocking, blockingOnce } = fire(session, { type: "PreToolUse", sessionID, tool, args })
      return blocking.length > 0 ? blockMessage(blocking) : hold(session, call, blockingOnce)
    },

    async toolSucceeded(event, observations) {
      const session = await sessions.open(event.sessionID)
      await record(session, observations)
      fire(session, { ...event, type: "PostToolUse" })
      // The safe point may be later, and the host may take its time then: what matched is noted now.
      await evaluateDurable(session)
      publish(session)
    },

    async observed(sessionID, observations) {
      if (observations.length > 0) await record(await sessions.open(sessionID), observations)
    },

    async safePoint(sessionID, moment) {
      const session = await sessions.peek(sessionID)
      if (!session) return
      const durable = await evaluateDurable(session)
      publish(session)
      await delivery.flush(sessionID, durable, moment)
      publish(session)
    },

    async dispatch(sessionID, history, turn) {
      const session = await sessions.open(sessionID)
      updateTurn(session, turn)
      const { turn: current } = session
      const facts = await dispatchFacts(session, options.facts)
      adoptDelivered(session, history)
      forgetHolds(session, history.messages)
      consumeActivated(session, history)
      const durable = matchDurable(session, facts, current)
      const transient = session.transientRules.filter(
        (rule) => !session.matched.has(rule.id) && (session.consumed.rules.has(rule.id) || matchLifetime(rule, facts)),
      )
      for (const rule of transient) {
        if (!session.transient.has(rule.id)) noteCause(session, rule, causeOf(rule, facts, options.directory))
      }
      session.transient = new Set(transient.map((rule) => rule.id))
      notePartlyMet(session, facts)
      const edits = delivery.dispatch(sessionID, history, { durable, transient })
      session.answered = new Set([...durable, ...transient].map((rule) => rule.id))
      session.dispatches += 1
      options.trace?.(traceDispatch(session, facts))
      publish(session)
      return edits
    },

    async workingContext(sessionID) {
      const session = await sessions.peek(sessionID)
      return session?.workingContext.project()
    },

    async rules(sessionID) {
      const { deliverable } = await sessions.open(sessionID)
      return deliverable.map((rule) => rule.id)
    },

    compacted: delivery.compacted,
    messagePromoted: delivery.messagePromoted,
    messageRemoved: delivery.messageRemoved,
    historyReverted: delivery.reverted,
    closeSession(sessionID) {
      sessions.drop(sessionID)
      options.retract(sessionID)
    },
  }
}

/** What a file shows counts for the rules of its own folder too, so those are looked for first. */
async function record(session: Session, observations: readonly FileObservation[]): Promise<void> {
  await session.nestedFolders.lookAbove(observations.map(({ path }) => path))
  for (const observation of observations) {
    session.workingContext.add(observation.path)
    session.observations.record(observation)
  }
}

async function noNested(): Promise<readonly NestedRules[]> {
  return []
}

function isSameMap<K, V>(one: ReadonlyMap<K, V>, other: ReadonlyMap<K, V>): boolean {
  if (one.size !== other.size) return false
  for (const [key, value] of one) if (other.get(key) !== value) return false
  return true
}

function matchedRules(session: Session): readonly CompiledRule[] {
  if (session.matchedRules.length !== session.matched.size) {
    session.matchedRules = session.deliverable.filter((rule) => session.matched.has(rule.id))
  }
  return session.matchedRules
}

/** A rule that the history delivers is matched, whoever matched it: a session resumed after a restart trusts its history. */
function adoptDelivered(session: Session, history: VisibleHistory): void {
  const known = new Set(session.deliverable.map((rule) => rule.id))
  for (const { rules } of history.deliveries) {
    for (const id of rules) if (known.has(id)) session.matched.add(id)
  }
}

/** One dispatch takes what hooks have activated. One that shows nothing newer repeats its step, and gets the same again. */
function consumeActivated(session: Session, history: VisibleHistory): void {
  const at = history.messages.at(-1)
  const repeated = at !== undefined && at === session.consumed.at ? session.consumed.rules : []
  session.consumed = { at, rules: new Set([...repeated, ...session.activatedOnce]) }
  session.activatedOnce.clear()
}
