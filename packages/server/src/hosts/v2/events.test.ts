import { describe, expect, test } from "bun:test"
import { type Meaning, meaningOf, type SessionEvent, watchEvents } from "./events.ts"

const OWN = { inboxID: "msg_1" }
const EARLIER = { inputID: "msg_1" }

const CASES: readonly [
  type: string,
  event: Pick<Partial<SessionEvent>, "id" | "data">,
  meaning: Meaning | undefined,
][] = [
  ["session.inbox.enqueued", { data: OWN }, { kind: "input" }],
  ["session.input.admitted", { data: EARLIER }, { kind: "input" }],
  ["session.inbox.delivered", { data: OWN }, { kind: "delivered", messageID: "msg_1" }],
  ["session.input.promoted", { data: EARLIER }, { kind: "delivered", messageID: "msg_1" }],
  ["session.inbox.cancelled", { data: OWN }, { kind: "cancelled", messageID: "msg_1" }],
  ["session.inbox.delivered", { id: "evt_x" }, undefined],
  ["session.inbox.cancelled", { data: { inboxID: 5 } }, undefined],
  ["session.shell.started", { id: "evt_x" }, { kind: "not the user's", messageID: "msg_x" }],
  ["session.skill.activated", { id: "evt_evt_x" }, { kind: "not the user's", messageID: "msg_evt_x" }],
  ["session.synthetic", { id: "evt_x", data: OWN }, { kind: "not the user's", messageID: "msg_x" }],
  ["session.synthetic", { id: "msg_x", data: OWN }, undefined],
  ["session.synthetic", { data: OWN }, undefined],
  ["session.execution.started", {}, { kind: "started" }],
  ["session.execution.succeeded", {}, { kind: "ended" }],
  ["session.execution.failed", {}, { kind: "ended" }],
  ["session.execution.interrupted", {}, { kind: "ended" }],
  ["session.revert.committed", {}, { kind: "reverted" }],
  ["session.moved", {}, { kind: "moved" }],
  ["session.deleted", {}, { kind: "deleted" }],
  ["session.updated", { data: OWN }, undefined],
  ["constructor", { data: OWN }, undefined],
]

test.each(CASES)("%s %j means %j", (type, { id, data = {} }, meaning) => {
  expect(meaningOf({ type, id, sessionID: "ses_1", data, directory: undefined })).toEqual(meaning)
})

/** A stream that is fed by hand. */
function createStream() {
  const waiting: PromiseWithResolvers<IteratorResult<unknown>>[] = []
  let returned = 0
  const subscribe = (): AsyncIterable<unknown> => ({
    [Symbol.asyncIterator]: () => ({
      next() {
        const asked = Promise.withResolvers<IteratorResult<unknown>>()
        waiting.push(asked)
        return asked.promise
      },
      async return() {
        returned += 1
        throw new Error("it does not want to end")
      },
    }),
  })
  return {
    subscribe,
    asked: () => waiting.length,
    returned: () => returned,
    async settle(settle: (asked: PromiseWithResolvers<IteratorResult<unknown>>) => void) {
      const asked = waiting.shift()
      if (asked) settle(asked)
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

describe("the host's stream of events", () => {
  function watched() {
    const stream = createStream()
    const events: SessionEvent[] = []
    const failures: unknown[] = []
    const stop = watchEvents(
      stream.subscribe,
      (event) => void events.push(event),
      (error) => void failures.push(error),
    )
    const give = (value: unknown) => stream.settle(({ resolve }) => resolve({ value, done: false }))
    return { stream, events, failures, stop, give }
  }

  test("events of sessions are handed on in turn, with what is told of them; others are left out", async () => {
    const { events, failures, give, stream } = watched()
    const data = { sessionID: "ses_1", more: 1 }
    await give({ type: "a", id: "evt_1", data, location: { directory: "/p" } })
    for (const other of [undefined, "b", { type: "b" }, { type: "b", data: {} }, { type: 5, data }, { data }])
      await give(other)
    await give({ type: "c", data })
    expect(events).toEqual([
      { type: "a", id: "evt_1", sessionID: "ses_1", data, directory: "/p" },
      { type: "c", id: undefined, sessionID: "ses_1", data, directory: undefined },
    ])
    expect([failures, stream.asked()]).toEqual([[], 1])
  })

  test("a stream that ends is not asked on, and is no failure", async () => {
    const { events, failures, stream } = watched()
    await stream.settle(({ resolve }) => resolve({ value: { type: "a", data: { sessionID: "ses_1" } }, done: true }))
    expect([events, failures, stream.asked()]).toEqual([[], [], 0])
  })

  test("a stream that breaks is told of; one that breaks when it is stopped is not", async () => {
    const { failures, stream } = watched()
    const error = new Error("the connection was lost")
    await stream.settle(({ reject }) => reject(error))
    expect(failures).toEqual([error])
    const stopped = watched()
    stopped.stop()
    await stopped.stream.settle(({ reject }) => reject(error))
    expect([stopped.failures, stopped.stream.returned()]).toEqual([[], 1])
  })

  test("stopped, it hands on nothing more, not even the event that it waits for", async () => {
    const { events, give, stop, stream } = watched()
    stop()
    await give({ type: "a", data: { sessionID: "ses_1" } })
    expect([events, stream.asked()]).toEqual([[], 0])
  })

  test("a stream that can't be told to end is left alone", () => {
    const iterator = { next: () => new Promise<never>(() => undefined) }
    const stop = watchEvents(
      () => ({ [Symbol.asyncIterator]: () => iterator }),
      () => undefined,
      () => undefined,
    )
    expect(stop()).toBeUndefined()
  })
})
