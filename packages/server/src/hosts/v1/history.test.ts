import { describe, expect, test } from "bun:test"
import type { Part } from "@opencode-ai/sdk"
import { estimateTokens } from "@opencode-rulebook/rule-schema"
import { createMessageTokens } from "../shared/message-tokens.ts"
import { deliveryMetadata } from "../shared/metadata.ts"
import {
  afterCompaction,
  newestUserMessage,
  sessionOf,
  storedDeliveries,
  tokensOf,
  type V1Message,
  visibleHistory,
  writtenText,
} from "./history.ts"
import { createInitiator } from "./initiator.ts"

/** A history of messages with these ids; `c…` is a compaction, `s…` its summary. */
function history(ids: string, { tail, error }: { readonly tail?: string; readonly error?: object } = {}): V1Message[] {
  return ids.split(" ").map((id) => {
    const isSummary = id.startsWith("s")
    const info = { id, role: isSummary || id.startsWith("a") ? "assistant" : "user", summary: isSummary, error }
    const parts = id.startsWith("c") ? [{ type: "compaction", tail_start_id: tail }] : [{ type: "text", text: id }]
    return { info, parts } as unknown as V1Message
  })
}

const WHOLE = "u1 a1 u2 a2 c1 s1 u3"

test.each([
  ["without a compaction all of it", "u1 a1", {}, "u1 a1"],
  ["from the compaction on", WHOLE, {}, "c1 s1 u3"],
  ["from the newest one on", "u1 c1 s1 u2 c2 s2", {}, "c2 s2"],
  ["with the tail that was kept", WHOLE, { tail: "u2" }, "u2 a2 c1 s1 u3"],
  ["with a tail that is not there any more", WHOLE, { tail: "gone" }, "c1 s1 u3"],
  ["with a tail behind the compaction", WHOLE, { tail: "u3" }, "c1 s1 u3"],
  ["all of it, when the summary failed", WHOLE, { error: {} }, WHOLE],
  ["all of it, when there is no summary yet", "u1 a1 c1", {}, "u1 a1 c1"],
])("dispatches show %s", (_what, ids, settings, shown) => {
  const seen = afterCompaction(history(ids, settings))
  expect(seen.map(({ info }) => info.id).join(" ")).toBe(shown)
})

test("what stands beside the compaction in its message does not hide the tail that was kept", () => {
  const messages = history(WHOLE, { tail: "u2" }).map(({ info, parts }) => {
    return { info, parts: info.id === "c1" ? [{ type: "text", text: "x" }, ...parts] : parts } as V1Message
  })
  expect(afterCompaction(messages)[0]?.info.id).toBe("u2")
})

const message = (info: object, ...parts: object[]) => ({ info, parts }) as unknown as V1Message
const RULE = {
  ...{ type: "text", text: "A rule.", synthetic: true },
  metadata: deliveryMetadata({ id: "d1", rules: ["project:a.md"] as never[] }),
}

describe("what a dispatch shows", () => {
  const messages = [
    message({ id: "u1", role: "user", sessionID: "ses_1" }, { type: "text", text: "go" }, RULE),
    message({ id: "a1", role: "assistant", sessionID: "ses_1" }, { type: "text", text: "some words" }, RULE),
    message({ role: "user" }, { type: "text", text: "From another plugin." }),
  ]

  test("are the messages that have an id, and the deliveries in the user's", () => {
    const { tokensOf: sizes, ...shown } = visibleHistory(messages, createMessageTokens())
    expect(shown).toEqual({
      messages: ["u1", "a1"],
      deliveries: [
        { messageID: "u1", part: 1, id: "d1", rules: ["project:a.md"] as never[], after: undefined } as never,
      ],
    })
    expect([sizes?.(0), sizes?.(1), sizes?.(2)]).toEqual(["go", "some words", ""].map(estimateTokens))
    expect(visibleHistory(messages)).not.toHaveProperty("tokensOf", expect.any(Function))
    expect(storedDeliveries(messages)).toEqual([
      { messageID: "u1", part: 1, id: "d1", rules: ["project:a.md"] as never[] } as never,
    ])
  })

  test("its session is the newest message's that names one, its prompt the newest of the user's that has an id", () => {
    expect([sessionOf(messages), sessionOf([]), sessionOf(messages.slice(2))]).toEqual(["ses_1", undefined, undefined])
    expect(sessionOf([...messages, message({ sessionID: "ses_2" })])).toBe("ses_2")
    expect([newestUserMessage(messages)?.id, newestUserMessage(messages.slice(1))]).toEqual(["u1", undefined])
    expect(newestUserMessage([...messages, message({ id: "u2", role: "user" })])?.id).toBe("u2")
  })
})

test("a message's size is that of its texts, its calls and their results, rules left out", () => {
  const tool = (state: object) => ({ type: "tool", tool: "bash", state: { input: { command: "make" }, ...state } })
  const parts = [
    { type: "step-start" },
    { type: "text", text: "I run it." },
    RULE,
    tool({ output: "built in 3 seconds" }),
    tool({ error: "no such target" }),
    tool({}),
  ]
  const call = ["bash", '{"command":"make"}']
  const text = ["", "I run it.", "built in 3 seconds", "no such target", "", ...call, ...call, ...call].join("\n")
  const sizes: number[] = []
  const tokens = {
    tokensOf: (id: string, size: number, shown: () => string) => {
      sizes.push(size)
      return id === "a1" && shown() === text ? 5 : 0
    },
  }
  expect(tokensOf(message({ id: "a1", role: "assistant" }, ...parts), tokens)).toBe(5)
  // One that grows by its result has another size; so has one to which an empty part comes.
  tokensOf(message({ id: "a1" }, ...parts, tool({})), tokens)
  tokensOf(message({ id: "a1" }, ...parts, tool({ output: "more" })), tokens)
  expect(new Set(sizes).size).toBe(3)
})

test("what the user wrote is in texts that nobody else added, and in subtasks", () => {
  const parts = [
    { type: "text", text: "Look" },
    { type: "text", text: "A note.", synthetic: true },
    { type: "file", filename: "a.ts" },
    { type: "subtask", prompt: "around." },
    { type: "text", text: "Then go.", synthetic: false },
  ]
  expect(writtenText(parts as Part[])).toBe("Look\naround.\nThen go.")
})

test("only the turn's own request to GitHub Copilot is marked, and only behind a tool's result", () => {
  const [user, assistant] = [{ info: { role: "user" } }, { info: { role: "assistant" } }] as const
  const request = { agent: "build", model: { providerID: "github-copilot" }, message: { agent: "build" } }
  const initiator = createInitiator()
  function marked(one: typeof request): string | undefined {
    const headers: Record<string, string> = {}
    initiator.mark(one, headers)
    return headers["x-initiator"]
  }
  initiator.dispatched(assistant, user)
  expect(marked(request)).toBe("agent")
  expect(marked({ ...request, agent: "title" })).toBeUndefined()
  expect(marked({ ...request, model: { providerID: "lab" } })).toBeUndefined()
  initiator.dispatched(user, user)
  expect(marked(request)).toBeUndefined()
  initiator.dispatched(assistant, assistant)
  expect(marked(request)).toBeUndefined()
  initiator.dispatched(undefined, user)
  expect(marked(request)).toBeUndefined()
  initiator.dispatched(assistant, user)
  expect(marked({ ...request, model: { providerID: "github-copilot-enterprise" } })).toBe("agent")
  initiator.dispatched(assistant, undefined)
  expect(marked(request)).toBeUndefined()
})
