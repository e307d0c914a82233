import { describe, expect, test } from "bun:test"
import { estimateTokens } from "@opencode-rulebook/rule-schema"
import type { StoredEvent, StoredSession } from "../shared/stored-session.ts"
import { field } from "../shared/untyped.ts"
import { createMessageIDs } from "./ids.ts"
import { isV2Export, readStoredSession } from "./stored-session.ts"

const INFO = {
  id: "ses_1",
  parentID: "ses_0",
  title: "A session",
  location: { directory: "/home/dev/app" },
  time: { created: 1_000, updated: 9_000 },
}
const MODEL = { id: "m1", providerID: "lab", variant: "default" }

let clock = 1_000
const at = () => ({ created: clock++ })
const user = (text: string, id = "msg_user") => ({ id, type: "user", text, time: at() })
const answer = (...content: object[]) => ({
  id: "msg_a",
  type: "assistant",
  agent: "build",
  model: MODEL,
  content,
  time: at(),
})
const idle = () => ({ id: "msg_idle", type: "idle", outcome: "succeeded", time: at() })
const call = (name: string, input: object, shown: string, more: object = {}) => ({
  type: "tool",
  id: `call_${clock}`,
  name,
  state: { status: "completed", input, content: [{ type: "text", text: shown }], ...more },
  time: { created: clock, ran: clock++, completed: clock++ },
})

function eventsOf(...messages: readonly object[]): readonly StoredEvent[] {
  return readStoredSession(INFO, messages).events
}

function kindsOf(...messages: readonly object[]): readonly string[] {
  return eventsOf(...messages).map(({ kind }) => kind)
}

test("the session itself", () => {
  const { events: _, ...session } = readStoredSession(INFO, [null, { type: "user" }, user("hello")])
  expect(session).toMatchObject({
    ...{ host: "OpenCode 2", id: "ses_1", parentID: "ses_0", title: "A session", directory: "/home/dev/app" },
    ...{ created: 1_000, updated: 9_000, delivered: [], subagents: [], unread: 2 },
    keeps: { kind: "message", mostRules: 12 },
  })
})

test("a turn: its prompt comes with its first request, and what is pending is stored ahead of the next one", () => {
  const events = eventsOf(user("one"), answer(), answer(), idle(), user("two", "msg_two"), answer())
  expect(events.map(({ kind }): string => kind)).toEqual([
    ...["message", "request", "message", "request", "message", "turn ends"],
    ...["safe point", "message", "request", "message"],
  ])
  const turns = events.flatMap((event) => (event.kind === "request" ? [event.turn] : []))
  const settings = { agent: "build", model: { providerID: "lab", modelID: "m1" } }
  expect(turns).toEqual([
    { ...settings, prompt: "one", promptID: "msg_user", command: undefined },
    settings,
    { ...settings, prompt: "two", promptID: "msg_two", command: undefined },
  ])
})

test("prompts without an answer between them are one; the host's line ahead of a subagent's is not the user's", () => {
  const told = "You are a subagent spawned by another session.\nlook"
  const [request] = eventsOf(user(told), user("twice", "msg_two"), answer()).filter(({ kind }) => kind === "request")
  expect(request).toMatchObject({ turn: { prompt: "look\ntwice" } })
})

test("calls begin and end by their times, and the last end is a safe point if one of them succeeded", () => {
  const prompt = user("x")
  const step = answer()
  const [one, other] = [call("shell", { command: "a" }, "ok"), call("shell", { command: "b" }, "ok")]
  one.time.completed = clock++
  expect(
    eventsOf(prompt, { ...step, content: [one, other] }).flatMap((event) =>
      "call" in event ? [`${event.kind} ${event.call.id}`] : [event.kind],
    ),
  ).toEqual([
    ...["message", "request", "message"],
    ...[`call starts ${one.id}`, `call starts ${other.id}`, `call ends ${other.id}`, `call ends ${one.id}`],
    "safe point",
  ])
  const refused = { status: "error", error: { message: "no" } }
  const events = kindsOf(user("x"), { ...answer(), content: [call("shell", { command: "a" }, "no", refused)] })
  expect(events).toEqual(["message", "request", "message", "call starts"])
})

describe("what calls show of files", () => {
  const shownBy = (one: object) =>
    eventsOf(answer(one)).flatMap((event) =>
      "observations" in event ? event.observations.map(({ path, content }) => [event.kind, path, content]) : [],
    )

  test("Read, Write and Patch", () => {
    const read = call("read", { path: "a.rs" }, "Read file a.rs, lines 3-4\n3: fn a() {\n4: }")
    expect(shownBy(read)).toEqual([["call ends", "a.rs", "fn a() {\n}"]])
    expect(shownBy(call("read", { path: "src" }, "Read directory src, entries 1-1\na.rs"))).toEqual([])
    expect(shownBy(call("write", { path: "b.rs", content: "x" }, "Wrote"))).toEqual([["call ends", "b.rs", "x"]])
    const patchText = "*** Begin Patch\n*** Add File: c.rs\n+new\n*** End Patch"
    expect(shownBy(call("patch", { patchText }, "Success."))).toEqual([["call ends", "c.rs", "new"]])
  })

  test("a long Read: its path with the call, its text with the next request", () => {
    const lines = Array.from({ length: 300 }, (_, index) => `${index + 1}: line`)
    const read = call("read", { path: "a.rs" }, ["Read file a.rs, lines 1-300", ...lines].join("\n"))
    expect(shownBy(read)).toEqual([
      ["call ends", "a.rs", undefined],
      ["observed", "a.rs", Array.from({ length: 300 }, () => "line").join("\n")],
    ])
  })
})

test("what the plugin has stored is what was delivered, and no message of the session", () => {
  const id = createMessageIDs(() => clock)(["project:a.md" as never])
  const metadata = { "opencode-rulebook": { delivery: "d", rules: ["project:a.md"] } }
  const stored = { id, type: "synthetic", text: "rules", metadata, time: at() }
  const copied = { ...stored, id: "msg_evt_1" }
  const { events, delivered } = readStoredSession(INFO, [user("x"), answer(), stored, copied, answer()])
  expect(events.map(({ kind }) => kind)).toEqual(["message", "request", "message", "request", "message"])
  expect(delivered).toEqual([
    { rule: "project:a.md" as never, request: 2 },
    { rule: "project:a.md" as never, request: 2 },
  ])
})

test("a compaction hides what is older, unless it failed; other messages of the host's count as messages", () => {
  const compaction = (status: string) => ({ id: "msg_c", type: "compaction", status, summary: "s", time: at() })
  const events = eventsOf(user("x"), compaction("completed"))
  expect(events.map(({ kind }): string => kind)).toEqual(["message", "compacting", "message", "compacted"])
  expect(events.at(-1)).toMatchObject({ from: "msg_c" })
  expect(kindsOf(user("x"), compaction("failed"), compaction("running"))).toEqual(["message"])
  const own = ["skill", "shell", "synthetic"].map((type) => ({ id: `msg_${type}`, type, text: "t", time: at() }))
  const silent = ["agent-switched", "model-switched", "location-switched", "system"].map((type) => ({
    ...{ id: `msg_${type}`, type, time: at() },
  }))
  expect(kindsOf(...own, ...silent)).toEqual(["message", "message", "message"])
  expect(readStoredSession(INFO, [...own, ...silent]).unread).toBe(0)
})

test("a subagent's session", () => {
  const started = call("subagent", { prompt: "look" }, "done", { metadata: { sessionID: "ses_2" } })
  expect(readStoredSession(INFO, [answer(started)]).subagents).toEqual([{ id: "ses_2", command: undefined }])
})

test("the session's record, whole, and what stands for what it lacks", () => {
  const session: StoredSession = {
    ...{ host: "OpenCode 2", id: "ses_1", parentID: "ses_0", title: "[redacted:title]", directory: "/home/dev/app" },
    ...{ created: 1_000, updated: 9_000, events: [], delivered: [], subagents: [], unread: 0, isRedacted: true },
    keeps: { kind: "message", mostRules: 12 },
  }
  expect(readStoredSession({ ...INFO, title: "[redacted:title]" }, [])).toStrictEqual(session)
  const bare = { ...session, id: "", parentID: undefined, title: "", directory: undefined, isRedacted: false }
  expect(readStoredSession({ time: { created: 5 } }, [])).toStrictEqual({ ...bare, created: 5, updated: 5 })
  expect(readStoredSession(null, [])).toStrictEqual({ ...bare, created: 0, updated: 0 })
})

test("an export is OpenCode 2's when one of its messages has its form", () => {
  const v1 = { info: { id: "msg_1", role: "user" }, parts: [] }
  const none = [v1, { id: "msg_1" }, { type: "user" }, { id: "msg_1", type: "question" }, { id: 1, type: "user" }, null]
  expect([isV2Export([]), isV2Export(none), isV2Export([...none, { id: "msg_1", type: "user" }])]).toEqual([
    false,
    false,
    true,
  ])
})

test("a whole turn, event by event", () => {
  const text = (value: string) => ({ type: "text", text: value })
  const tool = (id: string, name: string, time: object, state: object) => ({ type: "tool", id, name, time, state })
  const path = "src/a.rs"
  const write = { status: "completed", input: { path, content: "x" }, content: [text("Wrote.")] }
  const failed = { status: "error", input: { command: "x" }, error: { message: "no" } }
  const lines = Array.from({ length: 300 }, (_, index) => `${index + 1}: line`)
  const long = {
    status: "completed",
    input: { path: "b.rs" },
    content: [text(["Read file b.rs, lines 1-300", ...lines].join("\n"))],
  }
  const content = [
    text("I write."),
    tool("call_1", "write", { created: 20, ran: 25, completed: 40 }, write),
    tool("call_2", "shell", { created: 20, ran: 22, completed: 50 }, failed),
    tool("call_3", "read", { created: 21, completed: 30 }, long),
    tool("call_4", "write", {}, { ...write, status: "streaming" }),
    tool("call_5", "write", {}, {}),
    tool("call_6", "write", { created: 23 }, { status: "running", input: { path: "c.rs", content: "x" } }),
    ...[
      { type: "tool", name: "write", state: write },
      { type: "tool", id: "call_7", state: write },
      { ...text("x"), type: "reasoning", id: "part_8", name: "write", state: write },
    ],
  ]
  const messages = [
    { id: "msg_1", type: "user", text: "some words", time: { created: 10 } },
    { id: "msg_2", type: "assistant", agent: "plan", model: MODEL, content, time: { created: 20 } },
    { id: "msg_3", type: "idle", time: { created: 60 } },
  ]
  const events = eventsOf(...messages).map((event) =>
    "tokens" in event ? { ...event, tokens: event.tokens?.() } : event,
  )
  const called = [
    ...[
      'write {"path":"src/a.rs","content":"x"} Wrote.',
      'shell {"command":"x"} ',
      `read {"path":"b.rs"} ${long.content[0]?.text}`,
    ],
    ...['write {"path":"src/a.rs","content":"x"} Wrote.', "write  ", 'write {"path":"c.rs","content":"x"} '],
  ]
  const told = (id: string, name: string, args: unknown, file?: string) => ({
    id,
    tool: name,
    args,
    file,
    isHosts: false,
  })
  const [first, third] = [told("call_1", "write", write.input, path), told("call_3", "read", long.input, "b.rs")]
  expect(events).toEqual([
    { at: 10, kind: "message", messageID: "msg_1", isUsers: true, calls: [], tokens: estimateTokens("some words") },
    {
      ...{ at: 20, kind: "request" },
      turn: { agent: "plan", model: { providerID: "lab", modelID: "m1" }, prompt: "some words", promptID: "msg_1" },
    },
    {
      ...{ at: 20, kind: "message", messageID: "msg_2", isUsers: false, calls: [] },
      tokens: estimateTokens(["", "I write.", "x", ...called].join("\n")),
    },
    { at: 21, kind: "call starts", call: third, isSafePoint: false },
    { at: 22, kind: "call starts", call: told("call_2", "shell", failed.input), isSafePoint: false },
    { at: 23, kind: "call starts", call: told("call_6", "write", { path: "c.rs", content: "x" }), isSafePoint: false },
    { at: 25, kind: "call starts", call: first, isSafePoint: false },
    {
      ...{ at: 30, kind: "call ends", call: third, isSafePoint: false },
      observations: [{ path: "b.rs", tool: "read", content: undefined, isPart: true }],
    },
    {
      ...{ at: 40, kind: "call ends", call: first, isSafePoint: false },
      observations: [{ path, tool: "write", content: "x" }],
    },
    { at: 40, kind: "safe point" },
    {
      ...{ at: 40, kind: "observed" },
      observations: [{ path: "b.rs", tool: "read", content: Array(300).fill("line").join("\n"), isPart: true }],
    },
    { at: 60, kind: "turn ends" },
  ])
})

test("an answer without its model or its content, and one without a time", () => {
  const models = [undefined, { id: "m1" }, { providerID: "lab" }]
  const events = eventsOf(
    ...models.map((model) => ({ id: "msg_1", type: "assistant", agent: "build", model, content: "x" })),
  )
  expect(events.flatMap((event) => (event.kind === "request" ? [event] : []))).toEqual(
    models.map(() => ({ at: 0, kind: "request", turn: { agent: "build", model: undefined } })),
  )
})

test("a safe point ahead of a prompt is one behind a turn that has ended, and only ahead of its first prompt", () => {
  const kinds = kindsOf(
    user("one"),
    idle(),
    { ...idle(), type: "skill", text: "t" },
    user("two"),
    user("three"),
    answer(),
    user("four"),
  )
  expect(kinds).toEqual([
    ...["message", "turn ends", "message", "safe point", "message", "message", "request", "message", "message"],
  ])
})

test("a compaction's size is its summary's", () => {
  const [, , summary] = eventsOf(user("x"), {
    id: "msg_c",
    type: "compaction",
    status: "completed",
    summary: "some words",
    time: at(),
  })
  expect(summary).toMatchObject({ kind: "message", messageID: "msg_c", isUsers: false })
  expect(summary?.kind === "message" && summary.tokens?.()).toBe(estimateTokens("some words"))
})

test("events are in the order of their times, whatever the order of the messages", () => {
  const events = eventsOf(
    { ...user("late"), time: { created: 9 } },
    { ...user("early", "msg_2"), time: { created: 3 } },
  )
  expect(events.map((event) => [event.at, field(event, "messageID")])).toEqual([
    [3, "msg_2"],
    [9, "msg_user"],
  ])
})

test("the sessions that subagents have, by either name of their id", () => {
  const started = (name: string, metadata: object) => call(name, {}, "done", { metadata })
  const calls = [
    ...[started("subagent", { sessionID: "ses_2", sessionId: "ses_x" }), started("subagent", { sessionId: "ses_3" })],
    ...[started("subagent", {}), started("task", { sessionID: "ses_4" })],
  ]
  expect(readStoredSession(INFO, [answer(...calls)]).subagents).toEqual([
    { id: "ses_2", command: undefined },
    { id: "ses_3", command: undefined },
  ])
})

test("what was delivered is in the request behind it, by the rule itself", () => {
  const delivering = (...rules: string[]) => ({
    ...{ id: "msg_evt_1", type: "synthetic", text: "rules", time: at() },
    metadata: { "opencode-rulebook": { delivery: "d", rules } },
  })
  const messages = [
    delivering("project:a.md"),
    answer(),
    answer(),
    delivering("again:2:project:a.md", "global:b.md"),
    answer(),
  ]
  expect(readStoredSession(INFO, messages).delivered).toEqual([
    { rule: "project:a.md" as never, request: 1 },
    { rule: "project:a.md" as never, request: 3 },
    { rule: "global:b.md" as never, request: 3 },
  ])
})
