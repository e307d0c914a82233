import { expect, test } from "bun:test"
import { estimateTokens, type RuleId } from "@opencode-rulebook/rule-schema"
import { againId } from "../../engine/again.ts"
import { createMessageTokens } from "../shared/message-tokens.ts"
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

test("what is known of a message counts for further deliveries as well, and what its id says goes before that", () => {
  const again = againId({ rule: RULE, count: 2 })
  const gone = againId({ rule: "project:gone.md" as RuleId, count: 2 })
  const known = new Map([
    ["msg_1", [again, gone]],
    [own, [again]],
    ["msg_2", [gone]],
  ])
  expect(visibleHistory(conversation(), [RULE], known).deliveries).toEqual([
    { messageID: "msg_1", part: 0, rules: [again] },
    { messageID: "msg_2", part: 0, rules: [] },
    { messageID: own, part: 0, rules: [RULE] },
  ])
})

test("results are those of the message before them; a first one stands for itself", () => {
  const messages = [
    message("tool", "result"),
    message("system", "instructions"),
    message("tool", "of the system's"),
    message("user", "without an id"),
    message("tool", "with an id", "msg_tool"),
    message("assistant", "call", "msg_1"),
    message("tool", "last"),
  ]
  expect(visibleHistory(messages, []).messages).toEqual(["head", "msg_tool", "msg_1"])
  applyEdits(messages, {
    insertions: ["head", "msg_tool", "msg_1", "gone"].map((after) => ({ after, text: `behind ${after}` })),
    rewrites: [{ messageID: "msg_1", part: 0, text: undefined }],
  })
  expect(texts(messages)).toEqual([
    ...["result", "behind head", "instructions", "of the system's", "without an id"],
    ...["with an id", "behind msg_tool", "last", "behind msg_1"],
  ])
})

test("what is inserted is a message of the user's role without an id; a rewritten one keeps all but its text", () => {
  const messages = [{ ...message("user", "frame", own), metadata: { kept: true } }, message("tool", "result")]
  applyEdits(messages, {
    insertions: [{ after: own, text: "A" }],
    rewrites: [{ messageID: own, part: 0, text: "short" }],
  })
  expect(messages).toStrictEqual([
    { role: "user", content: [{ type: "text", text: "short" }], id: own, metadata: { kept: true } },
    message("tool", "result"),
    { role: "user", content: [{ type: "text", text: "A" }] },
  ])
})

test("a message's size is that of what it shows with the results of its calls; rules have none", () => {
  const call = { type: "tool-call", id: "c", name: "shell", input: { command: "make" } }
  const bare = { type: "tool-call", id: "d" }
  const results = [
    { type: "tool-result", id: "c", name: "shell", result: { type: "text", value: "built in 3 seconds" } },
    { type: "tool-result", id: "d", name: "shell", result: { type: "json", value: { ok: 1 } } },
  ]
  const messages: V2Message[] = [
    { id: "msg_1", role: "user", content: "some words of the user" },
    { id: "msg_2", role: "assistant", content: ["said", { type: "text", text: "and told" }, call, bare] },
    { role: "tool", content: results },
    message("system", "instructions, which count with no message"),
    message("user", "a long frame of many words", own),
  ]
  const { tokensOf } = visibleHistory(messages, [RULE], new Map(), createMessageTokens())
  const unshown = `shell ${JSON.stringify(results[1])}`
  const second = [
    "said",
    "and told",
    'shell {"command":"make"}',
    ` ${JSON.stringify(bare)}`,
    "built in 3 seconds",
    unshown,
  ]
  expect([0, 1, 2, 3].map((index) => tokensOf?.(index))).toEqual([
    estimateTokens("some words of the user"),
    estimateTokens(second.join("\n")),
    // Rules; and one that is not there.
    0,
    0,
  ])
  expect(visibleHistory(messages, []).tokensOf).toBeUndefined()
})

test("a message is estimated anew when a result of its calls has come", () => {
  const tokens = createMessageTokens()
  const sizes = [
    [message("assistant", "call", "msg_1")],
    [message("assistant", "call", "msg_1"), message("tool", "a result of many words")],
  ].map((messages) => visibleHistory(messages, [], new Map(), tokens).tokensOf?.(0))
  expect(sizes).toEqual(["call", "call\na result of many words"].map(estimateTokens))
})
