import type { FileObservation, Rulebook } from "@opencode-rulebook/rule-schema"
import {
  createEngine,
  type DispatchTrace,
  type EngineOptions,
  type FactSources,
  type StoredCall,
  type StoredEvent,
  type StoredSession,
} from "@opencode-rulebook/server/dry-run"
import { createSessionHost } from "./session-host.ts"

/** What a dry run knows of the machine and the rules' places. */
export interface Surroundings {
  readonly directory: string
  readonly sources: FactSources
  /** Finds the rules of folders below the directory. */
  readonly findNested?: NonNullable<EngineOptions["findNested"]>
}

/** What happened in a session, and how its host keeps deliveries. */
export type Events = Pick<StoredSession, "events" | "keeps">

/** One tool call. */
export interface PlayedCall extends Omit<StoredCall, "id"> {
  /** What it shows the agent of files, unless it failed or is blocked. */
  readonly observations: readonly FileObservation[]
  /** Whether a hook rejected it. */
  readonly blocked: boolean
}

/** What a played session came to. */
export interface Played {
  /** The calls before each request, and those after the last one. */
  readonly calls: readonly (readonly PlayedCall[])[]
  /** What each request came to. */
  readonly requests: readonly DispatchTrace[]
}

type Open = { -readonly [Key in keyof PlayedCall]: PlayedCall[Key] }

const SESSION = "dry-run"

/** Plays what happened in a session on the plugin's own engine. */
export async function play(rulebook: Rulebook, around: Surroundings, { events, keeps }: Events): Promise<Played> {
  const { directory, sources, findNested } = around
  const host = createSessionHost(keeps)
  const requests: DispatchTrace[] = []
  let now = 0
  const engine = createEngine({
    port: host.port,
    facts: sources,
    loadRules: async () => rulebook,
    ...(findNested && { findNested }),
    runCommand: () => undefined,
    publish: () => undefined,
    retract: () => undefined,
    directory,
    maxSessions: 1,
    trace: (dispatch) => requests.push(dispatch),
    now: () => now,
  })
  const calls: Open[][] = [[]]
  /** What became of each call. */
  const played = new Map<StoredCall, Open>()

  async function start({ call, isSafePoint }: Extract<StoredEvent, { kind: "call starts" }>): Promise<void> {
    const { id: callID, tool, args, file } = call
    const reason = await engine.toolStarting({ sessionID: SESSION, tool, args })
    const begun: Open = { tool, args, file, observations: [], blocked: reason !== undefined }
    played.set(call, begun)
    calls.at(-1)?.push(begun)
    if (isSafePoint) await engine.safePoint(SESSION, { callID })
  }

  async function end({ call, observations, isSafePoint }: Extract<StoredEvent, { kind: "call ends" }>): Promise<void> {
    const begun = played.get(call)
    if (begun === undefined) return
    begun.observations = observations
    if (begun.blocked) return
    const { id: callID, tool, args } = call
    await engine.toolSucceeded({ sessionID: SESSION, tool, args }, observations)
    if (isSafePoint) await engine.safePoint(SESSION, { callID })
  }

  async function take(event: StoredEvent): Promise<void> {
    switch (event.kind) {
      case "prompt": {
        const { messageID: id, turn } = event
        const handed = await engine.prompt(SESSION, turn)
        return host.add({ id, isUsers: true, parts: handed?.parts ?? [] })
      }
      case "message":
        return host.add({ id: event.messageID, isUsers: event.isUsers, calls: event.calls })
      case "request":
        await engine.dispatch(SESSION, host.history(), event.turn)
        return void calls.push([])
      case "call starts":
        return await start(event)
      case "call ends":
        return await end(event)
      case "observed":
        return await engine.observed(SESSION, event.observations)
      case "safe point":
        return await engine.safePoint(SESSION)
      case "compacting":
        return engine.compacted(SESSION)
      case "compacted":
        return host.hideBefore(event.from)
      case "turn ends":
        return undefined
      default:
        return event satisfies never
    }
  }

  for (const event of events) {
    now = event.at
    await take(event)
  }
  return { calls, requests }
}
