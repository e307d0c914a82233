import { describe, expect, test } from "bun:test"
import type { V2Message } from "./host.ts"
import { createMessageIDs } from "./ids.ts"
import { createPromptReader } from "./prompt.ts"

const own = createMessageIDs(() => 1)([])
const user = (id: string, text: string, metadata?: unknown): V2Message => ({
  id,
  role: "user",
  content: [{ type: "text", text }],
  ...(metadata === undefined ? {} : { metadata }),
})
const answer: V2Message = { id: "msg_a", role: "assistant", content: [{ type: "text", text: "an answer" }] }
const result: V2Message = { role: "tool", content: [{ type: "tool-result", id: "c", result: "x" }] }

test.each<[string, V2Message[], { prompt?: string; promptID?: string; command?: string | undefined }]>([
  [
    "the newest that was written",
    [user("1", "old", {}), answer, user("2", "new", {})],
    { prompt: "new", promptID: "2" },
  ],
  ["through the calls behind it", [user("1", "go", {}), answer, result, user("s", "a note")], { prompt: "go" }],
  [
    "two with no answer between",
    [user("1", "a", {}), user("s", "a note"), user("2", "b", {})],
    { prompt: "a\nb", promptID: "2" },
  ],
  ["never a delivery", [user("1", "go", {}), user(own, "a frame", {})], { prompt: "go" }],
  ["never what nobody wrote, as the output of a command", [user("1", "output"), answer, result], {}],
  ["content that is text itself", [{ id: "1", role: "user", content: "go", metadata: {} }], { prompt: "go" }],
  [
    "two with a message of the system between",
    [user("1", "a", {}), { role: "system", content: "x" }, user("2", "b", {})],
    { prompt: "a\nb", promptID: "2" },
  ],
  [
    "without the files that are attached to it",
    [
      {
        id: "1",
        role: "user",
        metadata: {},
        content: [
          { type: "text", text: "go" },
          { type: "text", text: "Attached file: a.md", metadata: { attachment: { name: "a.md" } } },
        ],
      },
    ],
    { prompt: "go" },
  ],
  [
    "of a subagent without the host's first line",
    [user("1", "You are a subagent spawned by another session.\ngo", {})],
    { prompt: "go" },
  ],
  [
    "a command in its metadata",
    [user("1", "go", { command: { name: "deploy" } })],
    { prompt: "go", command: "deploy" },
  ],
  ["content of no known form", [{ id: "1", role: "user", metadata: {} } as V2Message], { prompt: "" }],
  ["no answer, whatever it comes with", [user("1", "go", {}), { ...answer, metadata: {} }], { prompt: "go" }],
  ["nothing", [answer], {}],
])("%s", (_, messages, expected) => {
  const read = createPromptReader().read(messages)
  expect(read).toEqual("prompt" in expected ? { command: undefined, promptID: "1", ...expected } : {})
})

test("announced inputs are the user's, with or without metadata; what is not the user's isn't", () => {
  const reader = createPromptReader()
  reader.admitted({ inputID: "1", input: { type: "user", data: { text: "go", command: "deploy" } } })
  reader.admitted({ inputID: "2", input: { type: "synthetic", data: { text: "a note" } } })
  reader.admitted({ messageID: own, text: "a frame" })
  expect(reader.read([user("1", "go"), user("2", "a note"), user(own, "a frame")])).toEqual({
    prompt: "go",
    promptID: "1",
    command: "deploy",
  })
})

test("after a compaction that hides all prompts, its summary is none", () => {
  const reader = createPromptReader()
  reader.read([user("1", "go", {})])
  expect(reader.read([user("msg_summary", "they said go"), answer, result])).toEqual({})
})

describe("an input that was told of", () => {
  const ADMITTED = { prompt: "go", promptID: "1", command: undefined }
  test.each<[what: string, inputs: readonly object[], messages: V2Message[], read: object]>([
    ["by the hook", [{ sessionID: "s", messageID: "1", prompt: { text: "go" } }], [user("1", "other")], ADMITTED],
    [
      "by July's event",
      [{ inputID: "1", input: { type: "user", data: { text: "go" } } }],
      [user("1", "other")],
      ADMITTED,
    ],
    [
      "by the stable line's event",
      [{ inboxID: "1", item: { type: "user", payload: { text: "go" } } }],
      [user("1", "other")],
      ADMITTED,
    ],
    ["as a stored message", [{ id: "1", type: "user", text: "go" }], [user("1", "other")], ADMITTED],
    ["of the host's own", [{ id: "1", type: "synthetic", text: "go" }], [user("1", "other", {})], {}],
    ["without a text", [{ inputID: "1" }], [user("1", "other")], { ...ADMITTED, prompt: "other" }],
    [
      "twice, the second time with a text",
      [{ inputID: "1" }, { inputID: "1", text: "go" }],
      [user("1", "other")],
      ADMITTED,
    ],
    [
      "twice, the second time without one",
      [{ inputID: "1", text: "go", command: "x" }, { inputID: "1" }],
      [user("1", "o")],
      { ...ADMITTED, command: "x" },
    ],
    [
      "twice, the second time with others",
      [
        { inputID: "1", text: "a", command: "b" },
        { inputID: "1", text: "go", command: "c" },
      ],
      [user("1", "o")],
      { ...ADMITTED, command: "c" },
    ],
    [
      "first as the user's, then not",
      [
        { inputID: "1", text: "go" },
        { inputID: "1", type: "shell" },
      ],
      [user("1", "go", {})],
      {},
    ],
    ["by an id that is no text", [{ inputID: 1, text: "go" }], [user("1", "go")], {}],
    [
      "with the name of its command in the item",
      [{ inputID: "1", input: { type: "user", command: { name: "x" } } }],
      [user("1", "go")],
      { ...ADMITTED, command: "x" },
    ],
    [
      "with a command, of which its metadata knows better",
      [{ inputID: "1", command: "x" }],
      [user("1", "go", { command: "y" })],
      { ...ADMITTED, command: "y" },
    ],
    [
      "with a command, ahead of one without",
      [{ inputID: "1", command: "x" }],
      [user("1", "go"), user("2", "on", {})],
      { prompt: "go\non", promptID: "2", command: "x" },
    ],
    [
      "with a command, ahead of another",
      [
        { inputID: "1", command: "x" },
        { inputID: "2", command: "y" },
      ],
      [user("1", "go"), user("2", "on")],
      { prompt: "go\non", promptID: "2", command: "y" },
    ],
    [
      "of a subagent",
      [{ inputID: "1", text: "You are a subagent spawned by another session.\ngo" }],
      [user("1", "x")],
      ADMITTED,
    ],
  ])("%s", (_what, inputs, messages, read) => {
    const reader = createPromptReader()
    for (const input of inputs) reader.admitted(input)
    expect(reader.read(messages)).toEqual(read)
  })
})

test("of a message's content its texts count, in lines of their own", () => {
  const content = [
    { type: "text", text: "go" },
    { type: "file", text: "a.ts" },
    { type: "text" },
    "x",
    { type: "text", text: "on" },
  ]
  expect(createPromptReader().read([{ id: "1", role: "user", metadata: {}, content }])).toMatchObject({
    prompt: "go\non",
  })
})

test("metadata that is no record makes no message the user's", () => {
  for (const metadata of [null, "x", 5]) expect(createPromptReader().read([user("1", "go", metadata)])).toEqual({})
})

test("a message is known that is none of the user's role, has metadata, or was told of", () => {
  const reader = createPromptReader()
  reader.admitted({ id: "shell", type: "shell" })
  reader.admitted({ id: "told" })
  const messages = [
    answer,
    result,
    user("1", "go", {}),
    user("shell", "x"),
    user("told", "x"),
    user("2", "go"),
    user(own, "x", {}),
  ]
  expect(messages.map(reader.knows)).toEqual([true, true, true, true, true, false, false])
  expect(reader.knows({ role: "user", content: "x" })).toBe(false)
})

test("the latest 100 inputs are remembered", () => {
  const reader = createPromptReader()
  for (const id of ["first", "second", "first"]) reader.admitted({ id, text: "told" })
  for (let count = 0; count < 99; count += 1) reader.admitted({ id: `${count}`, text: "told" })
  expect(["first", "second", "0", "98"].map((id) => reader.knows(user(id, "x")))).toEqual([true, false, true, true])
})
