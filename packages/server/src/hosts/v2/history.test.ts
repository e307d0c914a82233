import { expect, test } from "bun:test"
import type { RuleId } from "@opencode-rulebook/rule-schema"
import { applyEdits, visibleHistory } from "./history.ts"
import type { V2Message } from "./host.ts"
import { createMessageIDs } from "./ids.ts"

const RULE = "project:a.md" as RuleId
const own = createMessageIDs(() => 1)([RULE])

function message(role: string, text: string, id?: string): V2Message {
  return { role, content: [{ type: "text", text }], ...(id === undefined ? {} : { id }) }
}

function conversation(): V2Message[] {
  return [
    message("user", "summary"),
    message("user", "hello", "msg_1"),
    message("assistant", "call", "msg_2"),
    message("tool", "result one"),
    message("tool", "result two"),
    message("user", "frame", own),
  ]
}

const texts = (messages: readonly V2Message[]) =>
  messages.flatMap(({ content }) => (content as readonly { text: string }[]).map(({ text }) => text))

test("the results of calls belong to the message before them", () => {
  expect(visibleHistory(conversation(), [RULE])).toEqual({
    messages: ["head", "msg_1", "msg_2", own],
    deliveries: [{ messageID: own, part: 0, rules: [RULE] }],
  })
})

test("an insertion stands behind the results of its message's calls; the list stays the host's, its messages unchanged", () => {
  const messages = conversation()
  const before = structuredClone(messages)
  const kept = [...messages]
  const insertions = [
    { after: "head", text: "A" },
    { after: "msg_2", text: "B" },
    { after: "msg_2", text: "C" },
  ]
  applyEdits(messages, { insertions, rewrites: [{ messageID: own, part: 0, text: "short" }] })
  expect(texts(messages)).toEqual(["summary", "A", "hello", "call", "result one", "result two", "B", "C", "short"])
  expect(messages.at(-1)?.id).toBe(own)
  expect(kept).toEqual(before)
})

test("a message that another plugin made stays behind what is inserted", () => {
  const messages = [...conversation().slice(0, 4), message("user", "theirs")]
  expect(visibleHistory(messages, []).messages).toEqual(["head", "msg_1", "msg_2"])
  applyEdits(messages, { insertions: [{ after: "msg_2", text: "A" }], rewrites: [] })
  expect(texts(messages)).toEqual(["summary", "hello", "call", "result one", "A", "theirs"])
})

test("a delivery that stands elsewhere already is left out", () => {
  const messages = conversation()
  applyEdits(messages, { insertions: [], rewrites: [{ messageID: own, part: 0, text: undefined }] })
  expect(texts(messages)).toEqual(texts(conversation()).slice(0, -1))
})

test("of what is known of a message that does not say it by its id, the session's rules count", () => {
  const known = new Map([["msg_1", [RULE, "project:gone.md" as RuleId]]])
  expect(visibleHistory(conversation(), [RULE], known).deliveries).toEqual([
    { messageID: "msg_1", part: 0, rules: [RULE] },
    { messageID: own, part: 0, rules: [RULE] },
  ])
})
