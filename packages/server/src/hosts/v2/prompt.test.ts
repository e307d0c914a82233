import { expect, test } from "bun:test"
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
