import { describe, expect, test } from "bun:test"
import { type Client, notedSettings, parentOf, readHistory, readMessage, writeLog } from "./client.ts"

const USER = { id: "msg_1", role: "user", agent: "plan" }
const ANSWER = { id: "msg_2", role: "assistant" }
const FAILURE = { name: "UnknownError", data: { message: "the disk is full" } }

/** A client of which one method of the session's answers so; it notes what it is asked. */
function clientOf(method: string, answer: () => unknown) {
  const asked: unknown[] = []
  const session = {
    [method]: async (question: unknown) => {
      asked.push(question)
      return answer()
    },
  }
  return { client: { session } as unknown as Client, asked }
}

function failing(): never {
  throw new Error("the connection was lost")
}

describe("a session's history", () => {
  test.each<[what: string, answer: () => unknown, history: Awaited<ReturnType<typeof readHistory>>]>([
    [
      "that is there",
      () => ({ data: [{ info: USER, parts: [] }] }),
      { kind: "read", messages: [{ info: USER, parts: [] }] as never },
    ],
    ["that is empty", () => ({ data: undefined }), { kind: "read", messages: [] }],
    ["that can't be shown", () => ({ error: FAILURE }), { kind: "unreadable", reason: "the disk is full" }],
    ["that can't be asked for", failing, { kind: "unreadable", reason: "the connection was lost" }],
  ])("%s", async (_what, answer, history) => {
    const { client, asked } = clientOf("messages", answer)
    expect(await readHistory(client, "ses_1")).toEqual(history)
    expect(asked).toEqual([{ path: { id: "ses_1" } }])
  })
})

describe("a user message", () => {
  test.each<[what: string, answer: () => unknown, message: Awaited<ReturnType<typeof readMessage>>]>([
    [
      "that is stored",
      () => ({ data: { info: USER }, response: { status: 200 } }),
      { kind: "read", message: USER as never },
    ],
    ["that is an answer", () => ({ data: { info: ANSWER }, response: { status: 200 } }), { kind: "missing" }],
    ["that is not there", () => ({ error: {}, response: { status: 404 } }), { kind: "missing" }],
    ["that can't be shown", () => ({ error: FAILURE, response: { status: 500 } }), { kind: "unreadable" }],
    ["that got no answer", () => ({ error: FAILURE }), { kind: "unreadable" }],
    ["that can't be asked for", failing, { kind: "unreadable" }],
  ])("%s", async (_what, answer, message) => {
    const { client, asked } = clientOf("message", answer)
    expect(await readMessage(client, "ses_1", "msg_1")).toEqual(message)
    expect(asked).toEqual([{ path: { id: "ses_1", messageID: "msg_1" } }])
  })
})

const LAB = { providerID: "lab", modelID: "big" }

test.each<[what: string, session: unknown, settings: object]>([
  [
    "with a variant",
    { agent: "plan", model: { providerID: "lab", id: "big", variant: "high" } },
    { agent: "plan", model: LAB, variant: "high" },
  ],
  [
    "without one",
    { agent: "plan", model: { providerID: "lab", id: "big", variant: "default" } },
    { agent: "plan", model: LAB, variant: undefined },
  ],
  ["of a model alone", { model: { providerID: "lab", id: "big" } }, { model: LAB, variant: undefined }],
  ["of an agent alone", { agent: "plan" }, { agent: "plan" }],
  ["of a model without a provider", { model: { id: "big", variant: "high" } }, {}],
  ["of a provider without a model", { model: { providerID: "lab", variant: "high" } }, {}],
  ["of an earlier version", {}, {}],
  ["that the host can't show", undefined, {}],
])("the settings that a session has noted, %s", async (_what, session, settings) => {
  const { client, asked } = clientOf("get", () => ({ data: session }))
  expect(await notedSettings(client, "ses_1")).toStrictEqual(settings)
  expect(asked).toEqual([{ path: { id: "ses_1" } }])
})

test("a session that can't be asked for has noted nothing, and no parent that is known", async () => {
  const { client } = clientOf("get", failing)
  expect(await notedSettings(client, "ses_1")).toEqual({})
  expect(await parentOf(client, "ses_1")).toBeUndefined()
})

test("a subagent's session has the parent that the host names", async () => {
  expect(await parentOf(clientOf("get", () => ({ data: { parentID: "ses_0" } })).client, "ses_1")).toBe("ses_0")
  expect(await parentOf(clientOf("get", () => ({ data: {} })).client, "ses_1")).toBeUndefined()
})

test("a line of the log has the plugin's name in its text, as the host's log has no column for it", () => {
  const lines: unknown[] = []
  writeLog({ app: { log: async (line: unknown) => void lines.push(line) } } as never, "warn", "a warning")
  const message = "opencode-rulebook: a warning"
  expect(lines).toEqual([{ body: { service: "opencode-rulebook", level: "warn", message } }])
})

test.each<[what: string, log: () => unknown]>([
  ["throws", failing],
  ["fails", async () => failing()],
  ["answers nothing", () => undefined],
])("a log that %s disturbs nothing", async (_what, log) => {
  const failures: unknown[] = []
  const note = (failure: unknown) => void failures.push(failure)
  process.on("unhandledRejection", note)
  writeLog({ app: { log } } as never, "error", "lost")
  await new Promise((resolve) => setImmediate(resolve))
  process.off("unhandledRejection", note)
  expect(failures).toEqual([])
})
