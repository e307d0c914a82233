import { expect, test } from "bun:test"
import recording from "../test/recordings/opencode-1.18.33/exports.json"
import { observeArguments, readExport, startingCall } from "./dry-run.ts"

const V2_MESSAGES = [
  { id: "msg_1", type: "user", text: "hello", time: { created: 1 } },
  { id: "msg_2", type: "compaction", status: "completed", time: { created: 5 } },
]
const info = { id: "ses_1" }

test("an export of either major is read as its own host's", () => {
  const hosts = [recording.session.messages, V2_MESSAGES].map((messages) => readExport({ info, messages })?.host)
  expect(hosts).toEqual(["OpenCode 1", "OpenCode 2"])
})

test.each<[string, unknown]>([
  ["nothing", undefined],
  ["a text", "x"],
  ["no info", { messages: [] }],
  ["an info without an id", { info: {}, messages: [] }],
  ["messages that are no list", { info, messages: {} }],
])("%s is no export", (_name, value) => {
  expect(readExport(value)).toBeUndefined()
})

test.each([
  ["write", { filePath: "a.rs", content: "x" }, [{ path: "a.rs", tool: "write", content: "x" }]],
  ["write", { path: "a.rs", content: "x" }, [{ path: "a.rs", tool: "write", content: "x" }]],
  ["bash", { command: "cat a.rs" }, []],
])("the files that a call of %s with %j shows by its arguments", (tool, args, observations) => {
  expect(observeArguments(tool, args)).toMatchObject(observations)
})

test("a call of a stored session begins as it did: with its files, what it writes, and whether the host made it", () => {
  const args = { filePath: "a.rs", content: "x" }
  for (const isHosts of [true, false]) {
    const call = startingCall("ses_1", { id: "call_1", tool: "write", args, isHosts, file: undefined })
    const { paths, writes, isLast, ...rest } = call
    expect(rest).toEqual({ sessionID: "ses_1", tool: "write", args })
    expect([paths?.(), isLast?.()]).toEqual([["a.rs"], isHosts])
    expect(writes?.()).toEqual([{ path: "a.rs", kind: "write", whole: "x", added: ["x"], removed: [] }])
  }
})
