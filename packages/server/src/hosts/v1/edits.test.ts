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

test("a made message is whole: its ids follow from its place, its settings from the message before it", () => {
  const answer = {
    ...{ id: "a1", role: "assistant", sessionID: "ses_1", time: { created: 5, completed: 6 }, mode: "plan" },
    ...{ providerID: "lab", modelID: "big" },
  }
  const moved = { ...delivered("Stored."), id: "prt_stored", messageID: "u1" } as Part
  const user1 = user("u1", { type: "text", text: "go", id: "prt_go" } as Part, moved)
  const messages = [user1, { info: answer, parts: [] } as unknown as V1Message]
  applyEdits(messages, {
    insertions: [
      { after: "a1", text: "Inserted." },
      { after: "u1", text: "Behind." },
    ],
    moves: [{ messageID: "u1", part: 1, after: "a1" }],
    rewrites: [],
  })
  const own = { type: "text", synthetic: true, sessionID: "ses_1" }
  const made = { ...own, messageID: "a1_rulebook" }
  expect(messages).toEqual([
    {
      info: user1.info,
      parts: [user1.parts[0], { ...own, text: "Behind.", id: "prt_u1_rulebook0", messageID: "u1" }],
    },
    { info: answer, parts: [] },
    {
      info: {
        ...{ id: "a1_rulebook", sessionID: "ses_1", role: "user", time: { created: 5 }, agent: "plan" },
        model: { providerID: "lab", modelID: "big" },
      },
      parts: [
        { ...moved, ...made, id: "prt_a1_rulebook_rulebook0" },
        { ...made, text: "Inserted.", id: "prt_a1_rulebook_rulebook1" },
      ],
    },
  ] as never)
})

test("a made message behind one of the user's that shows nothing has that one's settings", () => {
  const deliveryOnly = user("d1", delivered("A"))
  const messages = [step("a1", "c1"), deliveryOnly, step("a2", "c2")]
  const rewrites = [{ messageID: "d1", part: 0, text: undefined }]
  applyEdits(messages, { ...NONE, rewrites, insertions: [{ after: "d1", text: "B" }] })
  expect(messages.map(({ info }) => info.id)).toEqual(["a1", "d1_rulebook", "a2"])
  expect(messages[1]?.info).toMatchObject({ role: "user", agent: "build", model: {}, time: { created: 1 } })
})

test("a rewrite and a move are of one part of one message of the user's; a part that is no text stays as it is", () => {
  const file = { type: "file", filename: "a.ts" } as Part
  const messages = [user("u1", delivered("A"), file, delivered("B")), user("u2", delivered("C"), delivered("D"))]
  const answer = { ...step("a1", "c1"), parts: [{ type: "text", text: "said" } as Part] }
  const edits = {
    rewrites: [
      { messageID: "u1", part: 2, text: "B, shorter" },
      { messageID: "u1", part: 1, text: "no file" },
      { messageID: "u2", part: 0, text: undefined },
      { messageID: "a1", part: 0, text: "never said" },
    ],
    moves: [
      { messageID: "gone", part: 0, after: "a1" },
      { messageID: "u2", part: 1, after: "u1" },
    ],
  }
  expect(edited([...messages, answer], edits)).toEqual(["user: A|file|B, shorter|D", "assistant: said"])
})

test("a message without parts is as the host has it: only one that moves have emptied is left out", () => {
  const empty = user("u1")
  expect(edited([empty, step("a1", "c1")], { insertions: [{ after: "u1", text: "A" }] })).toEqual([
    "user: ",
    "user: A",
    "assistant: tool",
  ])
})
