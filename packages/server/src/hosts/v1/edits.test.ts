import { expect, test } from "bun:test"
import type { Part } from "@opencode-ai/sdk"
import type { DispatchEdits, HistoryPlace } from "../../engine/port.ts"
import { deliveryMetadata } from "../shared/metadata.ts"
import { applyEdits } from "./edits.ts"
import { type V1Message, visibleHistory } from "./history.ts"

const NONE: DispatchEdits = { insertions: [], rewrites: [], moves: [] }

function user(id: string | undefined, ...parts: (string | Part)[]): V1Message {
  const info = { id, role: "user", sessionID: "ses_1", time: { created: 1 }, agent: "build", model: {} }
  return {
    info,
    parts: parts.map((part) => (typeof part === "string" ? { type: "text", text: part } : part)),
  } as V1Message
}

function step(id: string, callID: string): V1Message {
  const info = { id, role: "assistant", sessionID: "ses_1", time: { created: 1 }, mode: "build" }
  return { info, parts: [{ type: "tool", callID }] } as V1Message
}

function delivered(text: string, place?: HistoryPlace): Part {
  const metadata = deliveryMetadata({ id: "1", rules: [], place })
  return { type: "text", text, synthetic: true, metadata } as Part
}

/** Messages as `role: texts`. */
function shown(messages: readonly V1Message[]): string[] {
  return messages.map(({ info, parts }) => {
    const texts = parts.map((part) => (part.type === "text" ? part.text : part.type))
    return `${info.role}: ${texts.join("|")}`
  })
}

function edited(messages: V1Message[], edits: Partial<DispatchEdits>): string[] {
  const before = structuredClone(messages)
  const list = [...messages]
  applyEdits(list, { ...NONE, ...edits })
  expect(messages).toEqual(before)
  return shown(list)
}

test("behind a user's message a text is a part of it, behind an answer a message, ahead of a user's a part of that", () => {
  const messages = [user("u1", "go"), step("a1", "c1"), step("a2", "c2"), user("u2", "more")]
  const insertions = ["u1", "a1", "a2", "u2"].map((after) => ({ after, text: `behind ${after}` }))
  expect(edited(messages, { insertions })).toEqual([
    "user: go|behind u1",
    "assistant: tool",
    "user: behind a1",
    "assistant: tool",
    "user: more|behind a2|behind u2",
  ])
})

test("texts for one place are one message, stored ones first; what is moved leaves its message", () => {
  const messages = [user("u1", "go", delivered("A"), delivered("B")), step("a1", "c1")]
  const edits = {
    insertions: [{ after: "a1", text: "C" }],
    moves: [{ messageID: "u1", part: 2, after: "a1" }],
    rewrites: [{ messageID: "u1", part: 1, text: undefined }],
  }
  expect(edited(messages, edits)).toEqual(["user: go", "assistant: tool", "user: B|C"])
})

test("a message of nothing but moved parts is gone, and what stands behind it stays", () => {
  const messages = [user("u1", "go"), step("a1", "c1"), user("d1", delivered("A")), step("a2", "c2")]
  const edits = {
    insertions: [{ after: "d1", text: "B" }],
    moves: [{ messageID: "d1", part: 0, after: "a1" }],
    rewrites: [{ messageID: "d1", part: 0, text: "A, shorter" }],
  }
  expect(edited(messages, edits)).toEqual(["user: go", "assistant: tool", "user: A, shorter|B", "assistant: tool"])
})

test("a message that another plugin made stays as it is, behind what is inserted", () => {
  const messages = [user("u1", "go"), step("a1", "c1"), user(undefined, "theirs")]
  const insertions = [{ after: "a1", text: "ours" }]
  expect(edited(messages, { insertions })).toEqual(["user: go", "assistant: tool", "user: ours", "user: theirs"])
})

test("a place is a message, or the message with a call: of calls with one id the nearest behind, else before", () => {
  const place = (kind: HistoryPlace["kind"], id: string) => ({ kind, id }) as const
  const parts = [
    delivered("A", place("message", "a1")),
    delivered("B", place("message", "gone")),
    delivered("C", place("call", "c")),
    delivered("D", place("call", "early")),
    delivered("E", place("call", "gone")),
    delivered("F"),
  ]
  const messages = [step("a0", "c"), step("a1", "early"), user("u1", ...parts), step("a2", "c"), step("a3", "c")]
  const { deliveries } = visibleHistory(messages)
  expect(deliveries.map(({ after }) => after)).toEqual(["a1", undefined, "a2", "a1", undefined, undefined])
})
