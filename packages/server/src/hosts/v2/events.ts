import { field, text } from "../shared/untyped.ts"

/** An event of the host that concerns one session. */
export interface SessionEvent {
  readonly type: string
  readonly sessionID: string
  readonly data: unknown
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
  const data = field(value, "data")
  const sessionID = text(data, "sessionID")
  return type === undefined || sessionID === undefined ? undefined : { type, sessionID, data }
}
