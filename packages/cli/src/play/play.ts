import type { Change, FileObservation, Rulebook, StoppedChange } from "@opencode-rulebook/rule-schema"
import {
  createEngine,
  type DispatchTrace,
  type EngineOptions,
  type FactSources,
  type ReceiptSink,
  type StoredCall,
  type StoredEvent,
  type StoredSession,
  startingCall,
} from "@opencode-rulebook/server/dry-run"
import { createSessionHost } from "./session-host.ts"

/** What a dry run knows of the machine and the rules' places. */
export interface Surroundings {
  readonly directory: string
  readonly sources: FactSources
  /** Finds the rules of folders below the directory. */
  readonly findNested: NonNullable<EngineOptions["findNested"]>
}

/** What happened in a session, and how its host keeps deliveries. */
export interface Events extends Pick<StoredSession, "events" | "keeps"> {
  /** Whether a call that is held is made again after the next request, as an agent would that reads why it failed. */
  readonly repeatsHeld?: boolean
}

/** A rule that stopped a call, and why; `literal` is the entry of its `forbid` for which it refused it. */
export type Stop = Pick<StoppedChange, "rule" | "reason" | "literal" | "line" | "paths">

/** A literal that a call added, and the rule that forbids it. */
export type Break = Omit<Extract<Change, { kind: "forbidden" }>, "kind">

/** What is wanted of a session while it is played. */
export interface Watch {
  /** What each request came to, rule by rule. */
  readonly traces?: boolean
  readonly receipts?: ReceiptSink
  /** The time of what is about to happen, in milliseconds since 1970. */
  readonly clock?: (at: number) => void
}

/** One tool call. */
export interface PlayedCall extends Omit<StoredCall, "id" | "isHosts"> {
  /** What it shows the agent of files, or would have shown if it was stopped. */
  readonly observations: readonly FileObservation[]
  /** The rules that stopped it. None: it ran. */
  readonly stops: readonly Stop[]
  /** What it added of what rules forbid. */
  readonly breaks: readonly Break[]
}

/** What a played session came to. */
export interface Played {
  /** The calls before each request, and those after the last one. */
  readonly calls: readonly (readonly PlayedCall[])[]
  /** What each request came to, where that is wanted. */
  readonly requests: readonly DispatchTrace[]
}

type Starts = Extract<StoredEvent, { kind: "call starts" }>
type Ends = Extract<StoredEvent, { kind: "call ends" }>
type Open = { -readonly [Key in keyof PlayedCall]: PlayedCall[Key] }

/**
 * Plays what happened in a session on the plugin's own engine.
 *
 * @param id names the session in its receipts.
 */
export async function play(
  rulebook: Rulebook,
  around: Surroundings,
  { keeps, repeatsHeld = false, events: happened }: Events,
  { traces = false, receipts, clock }: Watch,
  id = "dry-run",
): Promise<Played> {
  const { directory, sources, findNested } = around
  const host = createSessionHost(keeps)
  const requests: DispatchTrace[] = []
  let stops: Stop[] = []
  let breaks: Break[] = []
  let now = 0
  const engine = createEngine({
    port: host.port,
    facts: sources,
    loadRules: async () => rulebook,
    findNested,
    runCommand: () => undefined,
    publish: () => undefined,
    retract: () => undefined,
    directory,
    maxSessions: 1,
    trace: traces ? (dispatch) => requests.push(dispatch) : undefined,
    receipts: {
      host: receipts?.host ?? "a dry run",
      plugin: receipts?.plugin ?? "",
      note(sessionID, receipt) {
        if (receipt.kind === "stopped") stops.push(receipt)
        if (receipt.kind === "forbidden") breaks.push(receipt)
        receipts?.note(sessionID, receipt)
      },
    },
    now: () => now,
  })
  const calls: Open[][] = [[]]
  /** What became of each call. */
  const played = new Map<StoredCall, Open>()

  async function start({ call, isSafePoint }: Starts): Promise<void> {
    const { id: callID, tool, args, file } = call
    stops = []
    await engine.toolStarting(startingCall(id, call))
    const begun: Open = { tool, args, file, observations: [], stops, breaks: [] }
    played.set(call, begun)
    calls.at(-1)?.push(begun)
    if (isSafePoint) await engine.safePoint(id, { callID })
  }

  async function end({ call, observations, isSafePoint }: Ends): Promise<void> {
    const begun = played.get(call)
    if (begun === undefined) return
    begun.observations = observations
    if (begun.stops.length > 0) return
    const { id: callID, tool, args } = call
    breaks = []
    begun.breaks = breaks
    await engine.toolSucceeded({ sessionID: id, tool, args }, observations, startingCall(id, call).writes)
    if (isSafePoint) await engine.safePoint(id, { callID })
  }

  async function take(event: StoredEvent): Promise<void> {
    switch (event.kind) {
      case "prompt": {
        const handed = await engine.prompt(id, event.turn)
        const { messageID, tokens } = event
        return host.add({ id: messageID, isUsers: true, parts: handed?.parts ?? [], tokens })
      }
      case "message":
        return host.add({ ...event, id: event.messageID })
      case "request":
        await engine.dispatch(id, host.history(), event.turn)
        return void calls.push([])
      case "call starts":
        return await start(event)
      case "call ends":
        return await end(event)
      case "observed":
        return await engine.observed(id, event.observations)
      case "safe point":
        return await engine.safePoint(id)
      case "compacting":
        // A host that stores deliveries as messages of their own shows what is left of them.
        if (keeps.kind === "part") engine.compacted(id)
        return void (await engine.compacting(id))
      case "compacted":
        return host.hideBefore(event.from)
      case "turn ends":
        return engine.turnEnded(id)
      default:
        return event satisfies never
    }
  }

  const events = [...happened]
  for (let event = events.shift(); event !== undefined; event = events.shift()) {
    now = event.at
    clock?.(now)
    await take(event)
    if (!repeatsHeld || event.kind !== "call ends") continue
    const isHeld = played.get(event.call)?.stops.some(({ reason }) => reason === "held")
    if (isHeld) events.splice(events.findIndex(({ kind }) => kind === "request") + 1, 0, ...repeated(event))
  }
  return { calls, requests }
}

/** The same call in an answer of its own, and the request after it. */
function repeated({ at, call, observations }: Ends): readonly StoredEvent[] {
  const again = { ...call, id: `${call.id} again` }
  return [
    { at, kind: "message", messageID: `answer with ${again.id}`, isUsers: false, calls: [again.id] },
    { at, kind: "call starts", call: again, isSafePoint: true },
    { at, kind: "call ends", call: again, observations, isSafePoint: true },
    { at, kind: "request", turn: {} },
  ]
}
