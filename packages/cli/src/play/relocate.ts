import type { FileObservation } from "@opencode-rulebook/rule-schema"
import { isRecord } from "@opencode-rulebook/rule-schema/authoring"
import type { StoredEvent, StoredSession } from "@opencode-rulebook/server/dry-run"

/**
 * A session as if it had worked in another folder: one that was recorded on another machine, say. Paths below its own folder become
 * paths below the other, in what calls showed and in texts of their arguments that are such paths. Relative ones stay.
 *
 * @param directory the other folder, absolute.
 */
export function relocated(session: StoredSession, directory: string): StoredSession {
  const { directory: own } = session
  if (own === undefined) return session
  const move = (path: string) => {
    const isBelow = path.startsWith(own) && /^[\\/]?$/.test(path.charAt(own.length))
    return isBelow ? directory + path.slice(own.length) : path
  }
  /** The start and the end of a call are about one object. */
  const calls = new Map<object, Extract<StoredEvent, { call: unknown }>["call"]>()
  const moveCall = (call: Extract<StoredEvent, { call: unknown }>["call"]) => {
    const { file, args } = call
    const moved = calls.get(call) ?? { ...call, args: moveIn(args, move), file: file === undefined ? file : move(file) }
    calls.set(call, moved)
    return moved
  }
  const events = session.events.map((event): StoredEvent => {
    switch (event.kind) {
      case "call starts":
        return { ...event, call: moveCall(event.call) }
      case "call ends":
        return { ...event, call: moveCall(event.call), observations: event.observations.map(moved(move)) }
      case "observed":
        return { ...event, observations: event.observations.map(moved(move)) }
      default:
        return event
    }
  })
  return { ...session, directory, events }
}

/** The text of an observation is only made when it is asked for. */
function moved(move: (path: string) => string): (observation: FileObservation) => FileObservation {
  return (observation) => ({
    path: move(observation.path),
    tool: observation.tool,
    source: observation.source,
    isPart: observation.isPart,
    get content() {
      return observation.content
    },
  })
}

function moveIn(value: unknown, move: (path: string) => string): unknown {
  if (typeof value === "string") return move(value)
  if (Array.isArray(value)) return value.map((one: unknown) => moveIn(one, move))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, moveIn(one, move)]))
}
