import { expect, test } from "bun:test"
import { addToCompaction } from "./compaction.ts"

const ADDED = { type: "text", text: "Files." }

test.each<[string, object, object]>([
  ["messages", { messages: [1], context: [] }, { messages: [1, { role: "user", content: [ADDED] }], context: [] }],
  ["context texts", { context: ["a"], system: [] }, { context: ["a", "Files."], system: [] }],
  ["system texts", { system: [], prompt: "a" }, { system: [ADDED], prompt: "a" }],
  ["a prompt", { prompt: "a" }, { prompt: "a\n\nFiles." }],
  ["nothing that is known", { other: "a" }, { other: "a" }],
])("a compaction that is made with %s", (_form, event, changed) => {
  addToCompaction(event, "Files.")
  expect(event).toEqual(changed)
})
