import { expect, test } from "bun:test"
import type { V2Message } from "../src/hosts/v2/host.ts"
import recording from "./recordings/opencode-2-preview/session-timeline.json"
import recordedCalls from "./recordings/opencode-2-preview/tool-hooks.json"
import type { V2Step, V2ToolStep } from "./support/v2-calls.ts"
import { startV2Host } from "./support/v2-host.ts"

// The session runner that the suites stand on, held against what a real host was recorded to do.

interface Entry {
  readonly event?: unknown
  readonly domain?: string
  readonly hook?: string
  readonly callID?: string
  readonly data?: { readonly text?: string }
}
const entries: readonly Entry[] = recording
const contexts = entries.flatMap(({ hook, event }) =>
  hook === "context" ? [(event as { readonly messages: readonly V2Message[] }).messages] : [],
)

/** Hooks and events, without the provider's stream of a call's arguments, which no plugin needs. */
function recordedTimeline(): string[] {
  return entries
    .map(({ hook, callID, event }) => (hook === undefined ? String(event) : [hook, callID].filter(Boolean).join(" ")))
    .filter((line) => !line.startsWith("session.tool.input."))
}

/** The recorded session's inputs: its calls with their results, in the order in which they ended. */
function recordedSteps(): V2Step[] {
  const ended = entries.flatMap(({ hook, callID }) => (hook === "execute.after" ? [callID] : []))
  const instructions = entries.find(({ event }) => event === "session.synthetic")?.data?.text
  const messages = contexts.at(-1) ?? []
  const calls = messages.map(({ role, content }) =>
    role === "assistant" ? (content as readonly Record<"id" | "name" | "input", unknown>[]) : [],
  )
  return [
    ...calls
      .filter((made) => made.length > 0)
      .map((made) =>
        made.map(({ id, name, input }): V2ToolStep => {
          const callID = String(id)
          return {
            callID,
            tool: String(name),
            args: input as Record<string, unknown>,
            ...recordedResult(callID, messages),
            ends: ended.indexOf(callID),
            unavailable: !ended.includes(callID),
            ...(callID === "call_1_4" && instructions !== undefined ? { instructions } : {}),
          }
        }),
      ),
    "done",
  ]
}

function recordedResult(callID: string, messages: readonly V2Message[]) {
  const { result, output } =
    recordedCalls.find(({ hook, event }) => hook === "execute.after" && event.callID === callID)?.event ?? {}
  const parts = messages.flatMap(({ content }) => content) as readonly { type: string; id?: string; result?: unknown }[]
  const shown = parts.find(({ type, id }) => type === "tool-result" && id === callID)?.result
  const failed = result === undefined || result.type === "error"
  return { result, structured: output?.structured, failed, shown, output: String(result?.value) }
}

/** Ids are made anew; whether a message has one is the host's. */
function anonymous(messages: readonly V2Message[]): unknown[] {
  return messages.map(({ id, ...message }) => ({ ...message, hasID: id !== undefined }))
}

test("a recorded session's inputs give the recorded order of hooks and events", async () => {
  await using host = await startV2Host({ line: "preview" })
  await host.session().prompt("hello", recordedSteps())
  expect(host.timeline).toEqual(recordedTimeline())
})

test("and the recorded messages at each dispatch", async () => {
  await using host = await startV2Host({ line: "preview" })
  const session = host.session()
  await session.prompt("hello", recordedSteps())
  expect(session.requests).toHaveLength(contexts.length)
  for (const [index, recorded] of contexts.entries()) {
    const sent = session.requests[index] ?? []
    // The recording leaves out the last results of its last dispatch.
    expect(sent.length - recorded.length).toBe(index === contexts.length - 1 ? 3 : 0)
    expect(anonymous(sent.slice(0, recorded.length))).toEqual(anonymous(recorded))
  }
})

const synthetic = (sessionID: string, id: string) =>
  ({ sessionID, id, text: "a note", description: "", metadata: {}, resume: false }) as const

test("what is admitted while idle costs nothing and comes ahead of the next prompt; its id is kept", async () => {
  await using host = await startV2Host({ line: "preview" })
  const session = host.session()
  expect(await session.prompt("hello", ["done"])).toHaveLength(1)
  await host.context.session.synthetic(synthetic(session.id, "msg_own"))
  expect(await session.dispatch()).toEqual(["user: hello", "assistant: done"])
  const turn = await session.prompt("again", ["done"])
  expect([...turn]).toEqual([["user: hello", "assistant: done", "user: a note", "user: again"]])
  expect(session.requests.at(-1)?.[2]?.id).toBe("msg_own")
})

test("what is admitted inside `context` costs a request when its step was the last", async () => {
  await using host = await startV2Host({ line: "preview" })
  const session = host.session()
  let admitted = false
  await host.context.session.hook("context", async () => {
    if (admitted) return
    admitted = true
    await host.context.session.synthetic(synthetic(session.id, "msg_own"))
  })
  expect(await session.prompt("hello", ["done"])).toHaveLength(2)
})

test("what is admitted behind a call is in the next dispatch and costs nothing", async () => {
  await using host = await startV2Host({ line: "preview" })
  const session = host.session()
  await host.context.tool.hook("execute.after", async () => {
    await host.context.session.synthetic(synthetic(session.id, "msg_own"))
  })
  const turn = await session.prompt("hello", [{ tool: "glob", args: {}, output: "a" }, "done"])
  expect(turn.map((dispatch) => dispatch.at(-1))).toEqual(["user: hello", "user: a note"])
})
