import { describe, expect, test } from "bun:test"
import type { StoredEvent } from "../shared/stored-session.ts"
import { createMessageIDs } from "./ids.ts"
import { readStoredSession } from "./stored-session.ts"

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
})

test("a subagent's session", () => {
  const started = call("subagent", { prompt: "look" }, "done", { metadata: { sessionID: "ses_2" } })
  expect(readStoredSession(INFO, [answer(started)]).subagents).toEqual([{ id: "ses_2", command: undefined }])
})
