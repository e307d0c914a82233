import type {
  CompiledRule,
  FileObservation,
  MatchedRuleState,
  NestedRules,
  RuleId,
} from "@opencode-rulebook/rule-schema"
import { createLruMap } from "../lru-map.ts"
import { noteCarried } from "./carried.ts"
import { createRuleDelivery, type SafePoint } from "./delivery/rule-delivery.ts"
import type { FileWrite } from "./file-write.ts"
import { deliverAgain, dropBehind, dropGone, dropSeen, noteSeen, withFurther } from "./further.ts"
import { dispatchFacts, type FactSources } from "./gather-facts.ts"
import { forgetHolds, type StartingCall } from "./held-calls.ts"
import type { FiredHooks, ToolEvent } from "./hooks.ts"
import { adoptDelivered, consumeActivated, createMatching } from "./matching.ts"
import type { FindNested } from "./nested-folders.ts"
import { notePartlyMet } from "./partly-met.ts"
import { notedPaths } from "./paths.ts"
import type { DispatchEdits, DurableDelivery, HostPort, VisibleHistory } from "./port.ts"
import { newState } from "./published.ts"
import { createRecorder } from "./receipts/recorder.ts"
import type { ReceiptSink } from "./receipts/sink.ts"
import { farBehind } from "./remind.ts"
import { createSession, type Session, type Snapshot, type Turn, takePrompt, updateTurn } from "./session.ts"
import { createStops } from "./stops.ts"
import { type DispatchTrace, traceDispatch } from "./trace.ts"

/** The host-free heart of the plugin. Both hosts' adapters drive it; nothing in it knows a payload of either. */
export interface Engine {
  /** A message of the user's side; `turn` has what is new. Returns what is to be appended to it, if anything. */
  prompt(sessionID: string, turn: Partial<Turn>): Promise<DurableDelivery | undefined>
  /** A tool call is about to run. Returns why it must not run, if so. */
  toolStarting(call: StartingCall): Promise<string | undefined>
  /**
   * A tool call succeeded.
   *
   * @param writes what it wrote; asked for only where a rule forbids something.
   */
  toolSucceeded(
    event: Omit<ToolEvent, "type">,
    observations: readonly FileObservation[],
    writes?: () => readonly FileWrite[],
  ): Promise<void>
  /** What is known of files only now, as when a dispatch shows how much of one its model got. */
  observed(sessionID: string, observations: readonly FileObservation[]): Promise<void>
  /** Stores what is pending. To be called where the host takes a message without a further provider request, and only there. */
  safePoint(sessionID: string, moment?: SafePoint): Promise<void>
  /** The completeness gate before each provider request of a turn. */
  dispatch(sessionID: string, history: VisibleHistory, turn: Partial<Turn>): Promise<DispatchEdits>
  /** The history is about to be compacted. Returns what the compaction is to be told of the session. */
  compacting(sessionID: string): Promise<string | undefined>
  compacted(sessionID: string): void
  /** A stored delivery, until now waiting at the host, has become history. */
  messagePromoted(sessionID: string, messageID: string): void
  messageRemoved(sessionID: string, messageID: string): void
  /** The host took back what is newer than some message, inputs that wait for their step among it. */
  historyReverted(sessionID: string): void
  /** A turn is over: by its last answer, an error or an abort. */
  turnEnded(sessionID: string): void
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
  /** Takes the session's receipts: work that is spared without it. */
  readonly receipts?: ReceiptSink | undefined
  /** The most tokens that the rules of one request should have; more is reported. Without it there is no limit. */
  readonly maxTokens?: number | undefined
  readonly now: () => number
}

export function createEngine(options: EngineOptions): Engine {
  const { directory, now } = options
  const pathOf = notedPaths(directory)
  const matching = createMatching(options.facts, pathOf, now)
  const delivery = createRuleDelivery(options.port, (sessionID, rules, outcome) =>
    withSession(sessionID, ({ recorder }) => recorder?.stored(rules, outcome)),
  )
  const sessions = createLruMap({
    most: options.maxSessions,
    create: openSession,
    onDrop: delivery.forget,
  })

  const stops = createStops({ matching, facts: options.facts, pathOf, directory, port: options.port })

  async function openSession(id: string): Promise<Session> {
    const session = await createSession(id, directory, options.loadRules, options.findNested ?? noNested)
    if (options.receipts) session.recorder = createRecorder(session, directory, options.receipts, pathOf, now)
    session.recorder?.rules(session.deliverable, session.broken)
    return session
  }

  /** Does something with a session that is in memory; for what nobody waits for. */
  function withSession(sessionID: string, work: (session: Session) => void): void {
    const failed = (error: unknown) => options.port.log("error", `noting a change failed: ${String(error)}`)
    void sessions.peek(sessionID)?.then(work).catch(failed)
  }

  function publish(session: Session): void {
    const state = newState(session, (rule) => delivery.isDelivered(session.id, rule), directory, now())
    if (state) options.publish(state)
  }

  /** Fires a tool event's hooks, and returns which there are. */
  function fire(session: Session, event: ToolEvent): FiredHooks {
    const fired = matching.fire(session, event)
    for (const { rule, command } of fired.commands) options.runCommand(rule, command, event)
    return fired
  }

  /** The rules that requests are to have, as far as they have not been taken from the conversation. */
  function allOf(session: Session, durable: readonly CompiledRule[]): readonly CompiledRule[] {
    return withFurther(session, durable, delivery.isDelivered)
  }

  return {
    async prompt(sessionID, turn) {
      const session = await sessions.open(sessionID)
      if (turn.prompt !== undefined) session.recorder?.turnEnded(session.rules)
      updateTurn(session, turn)
      const durable = await matching.evaluateDurable(session, "with the request")
      const handed = await delivery.append(sessionID, allOf(session, durable))
      publish(session)
      return handed
    },

    async toolStarting(call) {
      const { sessionID, tool, args } = call
      const session = await sessions.open(sessionID)
      return await stops.stop(session, call, fire(session, { type: "PreToolUse", sessionID, tool, args }))
    },

    async toolSucceeded(event, observations, writes = () => []) {
      const session = await sessions.open(event.sessionID)
      await record(session, observations)
      session.recorder?.ended(event.tool, pathsOf(observations))
      if (!session.forbidden.isEmpty()) await stops.wrote(session, event.tool, writes())
      fire(session, { ...event, type: "PostToolUse" })
      // The safe point may be later, and the host may take its time then: what matched is noted now.
      await matching.evaluateDurable(session, "now")
      publish(session)
    },

    async observed(sessionID, observations) {
      if (observations.length > 0) await record(await sessions.open(sessionID), observations)
    },

    async safePoint(sessionID, moment) {
      const session = await sessions.peek(sessionID)
      if (!session) return
      const durable = await matching.evaluateDurable(session, "now")
      publish(session)
      await delivery.flush(sessionID, allOf(session, durable), moment)
      publish(session)
    },

    async dispatch(sessionID, history, turn) {
      const session = await sessions.open(sessionID)
      updateTurn(session, turn)
      const { turn: current, rules } = session
      const facts = await dispatchFacts(session, options.facts)
      const isPrompted = takePrompt(session, current)
      if (isPrompted) session.recorder?.turnEnded(rules)
      adoptDelivered(session, history)
      forgetHolds(session, history.messages)
      const isRepeated = consumeActivated(session, history)
      if (!isRepeated) session.dispatches += 1
      const durable = matching.matchDurable(session, facts, current, "with the request")
      const transient = matching.matchTransient(session, facts)
      notePartlyMet(session, facts)
      dropGone(session, history, delivery.isDelivered)
      const met = session.reminding.take(facts, isPrompted).filter(({ id }) => session.matched.has(id))
      for (const rule of farBehind(met, history, delivery.placements(sessionID))) remind(session, rule)
      const all = [...durable, ...session.further.map(({ rule }) => rule)]
      const plan = delivery.dispatch(sessionID, history, { durable: all, transient: transient.rules })
      session.answered = new Set([...durable, ...transient.rules].map(({ id }) => id))
      const carried = noteCarried(session, durable, transient.rules, history, plan, options)
      noteSeen(session, history, plan.ledger.placements)
      session.recorder?.request({ isRepeated, isPrompted, facts, history, ...transient, ...carried })
      options.trace?.(traceDispatch(session, facts))
      publish(session)
      return plan.edits
    },

    async compacting(sessionID) {
      const session = await sessions.peek(sessionID)
      if (session) dropSeen(session)
      return session?.workingContext.project()
    },

    async rules(sessionID) {
      const { deliverable } = await sessions.open(sessionID)
      return deliverable.map((rule) => rule.id)
    },

    compacted: delivery.compacted,
    messagePromoted: delivery.messagePromoted,
    messageRemoved(sessionID, messageID) {
      delivery.messageRemoved(sessionID, messageID)
      withSession(sessionID, (session) => {
        session.deliveries.reverted()
        dropBehind(session, messageID)
      })
    },
    historyReverted(sessionID) {
      delivery.reverted(sessionID)
      withSession(sessionID, ({ deliveries }) => deliveries.reverted())
    },
    turnEnded(sessionID) {
      withSession(sessionID, ({ recorder, rules }) => recorder?.turnEnded(rules))
    },
    closeSession(sessionID) {
      sessions.drop(sessionID)
      options.retract(sessionID)
    },
  }
}

/** What a file shows counts for the rules of its own folder too, so those are looked for first. */
async function record(session: Session, observations: readonly FileObservation[]): Promise<void> {
  await session.nestedFolders.lookAbove(pathsOf(observations))
  session.recorder?.rules(session.deliverable, session.broken)
  for (const observation of observations) {
    session.workingContext.add(observation.path)
    session.observations.record(observation)
    session.reminding.observed(observation)
    session.forbidden.observed(observation)
  }
}

/** The rule comes again, in short where it says how: its text is still in the conversation. */
function remind(session: Session, rule: CompiledRule): void {
  // One that is on its way says as much.
  const isComing = session.further.some(({ of, isSeen }) => of === rule && !isSeen)
  if (!isComing) deliverAgain(session, rule, "reminded", rule.reminder ?? rule.body)
}

function pathsOf(observations: readonly FileObservation[]): readonly string[] {
  return observations.map(({ path }) => path)
}

async function noNested(): Promise<readonly NestedRules[]> {
  return []
}
