import { field, text } from "../shared/untyped.ts"

/** An event of the host that concerns one session. */
export interface SessionEvent {
  readonly type: string
  readonly id: string | undefined
  readonly sessionID: string
  readonly data: unknown
  /** The folder that it came from, where the host says so: it tells every instance of the plugin of all folders' sessions. */
  readonly directory: string | undefined
}

/** What an event means to this adapter; the names of July's preview and of the stable line (2.0.26). */
export type Meaning =
  | { readonly kind: "input" | "started" | "ended" | "reverted" | "moved" | "deleted" }
  | { readonly kind: "delivered" | "cancelled" | "not the user's"; readonly messageID: string }

const KINDS = {
  "session.inbox.enqueued": "input",
  "session.input.admitted": "input",
  "session.inbox.delivered": "delivered",
  "session.input.promoted": "delivered",
  "session.inbox.cancelled": "cancelled",
  "session.shell.started": "not the user's",
  "session.skill.activated": "not the user's",
  "session.synthetic": "not the user's",
  "session.execution.started": "started",
  "session.execution.succeeded": "ended",
  "session.execution.failed": "ended",
  "session.execution.interrupted": "ended",
  "session.revert.committed": "reverted",
  "session.moved": "moved",
  "session.deleted": "deleted",
} as const satisfies Readonly<Record<string, Meaning["kind"]>>

/** What an event means; undefined when it means nothing here. */
export function meaningOf({ type, id, data }: SessionEvent): Meaning | undefined {
  if (!Object.hasOwn(KINDS, type)) return undefined
  const kind = KINDS[type as keyof typeof KINDS]
  if (kind !== "delivered" && kind !== "cancelled" && kind !== "not the user's") return { kind }
  const messageID = kind === "not the user's" ? messageOf(id) : (text(data, "inboxID") ?? text(data, "inputID"))
  return messageID === undefined ? undefined : { kind, messageID }
}

/** The message that an event makes: both ids differ in their beginning only (docs/opencode-2.md, Events). */
function messageOf(eventID: string | undefined): string | undefined {
  return eventID?.startsWith("evt_") ? eventID.replace("evt_", "msg_") : undefined
}

/**
 * Reads the host's events until it is stopped or they end.
 *
 * @param subscribe opens the host's stream of events.
 * @param handle takes each event in turn. Must not throw.
 * @param onFailure told when the stream breaks.
 * @returns ends the loop. The stream is told, but not waited for: one that waits for its next event may never answer.
 */
export function watchEvents(
  subscribe: () => AsyncIterable<unknown>,
  handle: (event: SessionEvent) => void,
  onFailure: (error: unknown) => void,
): () => void {
  const events = subscribe()[Symbol.asyncIterator]()
  let stopped = false

  async function watch(): Promise<void> {
    try {
      for (let next = await events.next(); !next.done && !stopped; next = await events.next()) {
        const event = readEvent(next.value)
        if (event) handle(event)
      }
    } catch (error) {
      if (!stopped) onFailure(error)
    }
  }
  void watch()

  return () => {
    stopped = true
    void events.return?.().catch(() => undefined)
  }
}

function readEvent(value: unknown): SessionEvent | undefined {
  const type = text(value, "type")
  const id = text(value, "id")
  const data = field(value, "data")
  const sessionID = text(data, "sessionID")
  const directory = text(field(value, "location"), "directory")
  return type === undefined || sessionID === undefined ? undefined : { type, id, sessionID, data, directory }
}
