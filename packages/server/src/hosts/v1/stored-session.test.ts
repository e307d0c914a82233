import { describe, expect, test } from "bun:test"
import { estimateTokens } from "@opencode-rulebook/rule-schema"
import recording from "../../../test/recordings/opencode-1.18.33/exports.json"
import type { StoredEvent, StoredSession } from "../shared/stored-session.ts"
import { field } from "../shared/untyped.ts"
import { readStoredSession } from "./stored-session.ts"

const { session: parent, children, hooks } = recording
const [subtask, started] = children

function read({ info, messages }: { info: unknown; messages: readonly unknown[] }, command?: string): StoredSession {
  return readStoredSession(info, messages, command)
}

interface NotedPart {
  readonly text?: string
  readonly prompt?: string
  readonly synthetic?: boolean
}

/** What the plugin was called for in a session, as a logging plugin behind it noted it. */
function noted(sessionID: string): string[] {
  const own = hooks.filter((one) => one.sessionID === sessionID)
  return own.flatMap((one, index) => {
    const before = own[index - 1]
    switch (one.hook) {
      case "chat.message": {
        const parts: readonly NotedPart[] = one.parts ?? []
        const written = parts.filter(({ synthetic }) => synthetic !== true)
        const texts = written.flatMap(({ text, prompt }) => text ?? prompt ?? [])
        return [`prompt ${one.agent} ${one.model?.modelID}: ${texts.join("\n")}`]
      }
      case "experimental.chat.messages.transform":
        return before?.hook === "experimental.session.compacting" ? [] : ["request"]
      case "tool.execute.before":
        return [`starts ${one.tool} ${JSON.stringify(one.args)}`]
      case "tool.execute.after":
        return [`ends ${one.tool} ${JSON.stringify(one.args)}`]
      case "experimental.session.compacting":
        return ["compacting"]
      default:
        return []
    }
  })
}

function shown(event: StoredEvent): string[] {
  switch (event.kind) {
    case "prompt":
      return [`prompt ${event.turn.agent} ${event.turn.model?.modelID}: ${event.turn.prompt}`]
    case "call starts":
      return [`starts ${event.call.tool} ${JSON.stringify(event.call.args)}`]
    case "call ends":
      return [`ends ${event.call.tool} ${JSON.stringify(event.call.args)}`]
    case "request":
    case "compacting":
      return [event.kind]
    default:
      return []
  }
}

test.each([
  ["a long session", parent],
  ["a subagent", started],
  ["a command's subtask", subtask],
])("the events of %s are those that the host called the plugin for, in their order", (_what, exported) => {
  const events = exported ? read(exported).events.flatMap(shown) : []
  // The logging plugin stands behind the one that blocks.
  expect(events.filter((event) => !event.includes("git push"))).toEqual(noted(exported?.info.id ?? ""))
  expect(events.filter((event) => event.includes("git push"))).toHaveLength(exported === parent ? 1 : 0)
})

describe("what an export tells", () => {
  const session = read(parent)
  const kinds = (kind: StoredEvent["kind"]) => session.events.filter((event) => event.kind === kind)

  test("of the session itself", () => {
    expect(session).toMatchObject({ host: "OpenCode 1", id: parent.info.id, directory: "/home/dev/app", unread: 0 })
    expect(started && read(started).parentID).toBe(parent.info.id)
    expect(session.updated).toBeGreaterThan(session.created)
  })

  test("a subtask's command, in its parent and for its own session", () => {
    expect(session.events.flatMap((event) => (event.kind === "prompt" ? (event.turn.command ?? []) : []))).toEqual([
      "look",
    ])
    expect(session.subagents).toEqual([
      { id: subtask?.info.id ?? "", command: "look" },
      { id: started?.info.id ?? "", command: undefined },
    ])
    const own = subtask && read(subtask, "look").events[0]
    expect(own).toMatchObject({ kind: "prompt", turn: { command: "look", agent: "general" } })
  })

  test("what was delivered, and which request showed it first", () => {
    expect(session.delivered.slice(0, 4)).toEqual([
      { rule: "project:deploy.md" as never, request: 1 },
      { rule: "project:rust.md" as never, request: 2 },
      { rule: "project:block.md" as never, request: 3 },
      { rule: "project:block.md" as never, request: 6 },
    ])
  })

  test("the files that calls showed; a failed one has no end", () => {
    const ends = session.events.flatMap((event) => (event.kind === "call ends" ? [event] : []))
    const paths = ends.flatMap(({ observations }) => observations.map(({ path }) => path))
    expect(paths.map((path) => path.replace("/home/dev/app/", ""))).toEqual([
      "src/a.rs",
      "notes.txt",
      "notes.txt",
      "src/new.rs",
    ])
    expect(kinds("call starts").length - ends.length).toBe(3)
  })

  test("that a call which an abort cut off is no safe point, nor is a shell command of the user's a call", () => {
    const unsafe = session.events.flatMap((event) =>
      event.kind === "call ends" && !event.isSafePoint ? [JSON.stringify(event.call.args)] : [],
    )
    expect(unsafe).toEqual([expect.stringContaining("sleep 20")])
    expect(JSON.stringify(kinds("call starts"))).not.toContain("echo shelled")
  })

  test("the ends of turns, and where requests begin after a compaction", () => {
    // A prompt that came in the midst of a turn, and a compaction in one, end none.
    expect(kinds("turn ends")).toHaveLength(9)
    const summaries = parent.messages.filter(({ info }) => "summary" in info && info.summary === true)
    expect(kinds("compacted").map((event) => event.kind === "compacted" && event.from)).toEqual(
      summaries.map(({ info }) => ("parentID" in info ? info.parentID : "")),
    )
  })
})

test("what is no message, or is cut, is counted or left out, and nothing throws", () => {
  const messages = [
    null,
    7,
    { info: { id: "msg_1", role: "user" } },
    { info: { id: "msg_2", role: "user" }, parts: [{ type: "text", text: "hello" }, { type: "text" }, 3, null] },
    {
      info: { id: "msg_3", role: "assistant" },
      parts: [
        { type: "tool", tool: "read" },
        { type: "tool", callID: "b" },
        { type: "tool", tool: "read", callID: "a" },
      ],
    },
  ]
  const { events, unread } = readStoredSession({ id: "ses_1" }, messages, undefined)
  expect(unread).toBe(3)
  expect(events.map(({ kind }) => kind)).toEqual(["prompt", "request", "message", "call starts"])
})

describe("an export, whole", () => {
  const MODEL = { providerID: "lab", modelID: "plain" }
  const user = (
    id: string,
    created: number,
    parts: unknown[],
    settings: object = { agent: "build", model: MODEL },
  ) => ({
    info: { id, role: "user", time: { created }, ...settings },
    parts,
  })
  const answer = (id: string, created: number, parts: unknown[], more: object = { finish: "tool-calls" }) => ({
    info: { id, role: "assistant", time: { created }, ...more },
    parts,
  })
  const text = (value: string) => ({ type: "text", text: value })
  const note = (value: string) => ({ ...text(value), synthetic: true })
  const rule = (rules: string[], place: object = {}) => ({
    ...note("A rule."),
    metadata: { "opencode-rulebook": { delivery: "d", rules, ...place } },
  })
  const STEP = { type: "step-start" }
  const call = (tool: string, callID: string, state: object) => ({ type: "tool", tool, callID, state })
  const write = (callID: string, file: string, start: number, end: number, more: object = {}) =>
    call("write", callID, {
      ...{ status: "completed", input: { filePath: file, content: "x" }, output: "Wrote.", time: { start, end } },
      ...more,
    })
  const made = (tool: string, id: string, args: unknown, file?: string, isHosts = false) => ({
    id,
    tool,
    args,
    file,
    isHosts,
  })
  const wrote = (id: string, path: string) => ({
    call: made("write", id, { filePath: path, content: "x" }, path),
    observations: [{ path, tool: "write", content: "x" }],
  })
  const TURN = { agent: "build", model: MODEL }

  /** The session's events, with the tokens that they name. */
  function eventsOf(messages: readonly object[], command?: string): readonly unknown[] {
    return readStoredSession({ id: "ses_1" }, messages, command).events.map((event) =>
      "tokens" in event && event.tokens ? { ...event, tokens: event.tokens() } : event,
    )
  }

  test("the session's record", () => {
    const info = {
      id: "ses_1",
      parentID: "ses_0",
      title: "[redacted:title]",
      directory: "/p",
      time: { created: 5, updated: 9 },
    }
    const session: StoredSession = {
      ...{ host: "OpenCode 1", id: "ses_1", parentID: "ses_0", title: "[redacted:title]", directory: "/p", created: 5 },
      ...{ updated: 9, events: [], delivered: [], subagents: [], keeps: { kind: "part" }, unread: 1, isRedacted: true },
    }
    expect(readStoredSession(info, ["?"], undefined)).toStrictEqual(session)
    const bare = {
      ...session,
      id: "",
      parentID: undefined,
      title: "",
      directory: undefined,
      isRedacted: false,
      unread: 0,
    }
    expect(readStoredSession({ time: { created: 5 } }, [], undefined)).toStrictEqual({ ...bare, updated: 5 })
    expect(readStoredSession(null, [], undefined)).toStrictEqual({ ...bare, created: 0, updated: 0 })
  })

  test("messages that are none: without an id, a known role or parts; parts that are none: without a text or a call", () => {
    const parts = [text("go"), { type: "text" }, { type: "tool", tool: "read" }, { type: "tool", callID: "c" }, {}, 7]
    const messages = [
      ...[
        { info: { role: "user" }, parts },
        { info: { id: "m", role: "system" }, parts },
        { info: { id: "m" }, parts },
      ],
      ...[{ info: { id: "m", role: "user" } }, { parts }, undefined, user("msg_1", 1, parts)],
    ]
    const session = readStoredSession({}, messages, undefined)
    expect([session.unread, session.events.map(({ kind }) => kind)]).toEqual([6, ["prompt"]])
    expect(session.events).toMatchObject([{ turn: { prompt: "go" } }])
  })

  test("a turn: prompt, requests, answers and calls by their times, and its end", () => {
    const messages = [
      user("msg_1", 10, [text("some words"), note("a note"), rule(["project:a.md"])]),
      answer("msg_2", 20, [
        STEP,
        write("call_1", "b.rs", 21, 29),
        write("call_2", "a.rs", 22, 25),
        call("bash", "call_3", { status: "error", input: { command: "x" }, error: "no", time: { start: 23, end: 24 } }),
        call("bash", "call_4", { status: "pending", input: {} }),
        call("bash", "call_5", { status: "running", input: { command: "y" }, time: { start: 24 } }),
      ]),
      answer("msg_3", 30, [STEP, text("done")], { finish: "stop", time: { created: 30, completed: 33 } }),
    ]
    const words = estimateTokens("some words\na note")
    const [one, two] = [wrote("call_1", "b.rs"), wrote("call_2", "a.rs")]
    const events = eventsOf(messages)
    const size = events.flatMap((event) => (field(event, "messageID") === "msg_2" ? field(event, "tokens") : []))[0]
    expect(events).toEqual([
      {
        at: 10,
        kind: "prompt",
        messageID: "msg_1",
        turn: { ...TURN, prompt: "some words", promptID: "msg_1" },
        tokens: words,
      },
      { at: 20, kind: "request", turn: TURN },
      {
        ...{ at: 20, kind: "message", messageID: "msg_2", isUsers: false, tokens: size },
        calls: ["call_1", "call_2", "call_3", "call_4", "call_5"],
      },
      { at: 21, kind: "call starts", call: one.call, isSafePoint: true },
      { at: 22, kind: "call starts", call: two.call, isSafePoint: true },
      { at: 23, kind: "call starts", call: made("bash", "call_3", { command: "x" }), isSafePoint: true },
      { at: 24, kind: "call starts", call: made("bash", "call_5", { command: "y" }), isSafePoint: true },
      { at: 25, kind: "call ends", ...two, isSafePoint: true },
      { at: 29, kind: "call ends", ...one, isSafePoint: true },
      { at: 30, kind: "request", turn: TURN },
      { at: 30, kind: "message", messageID: "msg_3", isUsers: false, calls: [], tokens: estimateTokens("\ndone") },
      { at: 33, kind: "turn ends" },
    ])
    expect(size).toBeGreaterThan(20)
  })

  test("calls without times are as old as their answer, and end when they start; one that is cut off is no safe point", () => {
    const input = { filePath: "a.rs", content: "x" }
    const messages = [
      answer("msg_1", 20, [
        STEP,
        call("write", "call_1", { status: "completed", input }),
        write("call_2", "b.rs", 25, 26, { output: "…\nUser aborted the command" }),
        call("write", "call_3", { status: "completed", input, time: { start: 22 } }),
      ]),
    ]
    expect(
      eventsOf(messages).flatMap((event) => {
        const { at, kind, isSafePoint, call } = event as Record<string, unknown>
        return call ? [[at, kind, field(call, "id"), isSafePoint]] : []
      }),
    ).toEqual([
      [20, "call starts", "call_1", true],
      [20, "call ends", "call_1", true],
      [22, "call starts", "call_3", true],
      [22, "call ends", "call_3", true],
      [25, "call starts", "call_2", true],
      [26, "call ends", "call_2", false],
    ])
  })

  test.each<[what: string, info: object, ends: number[]]>([
    ["by its last words", { finish: "stop", time: { created: 20, completed: 25 } }, [25]],
    ["by an answer that was cut at its length", { finish: "length" }, [20]],
    ["by an error", { error: { name: "APIError" }, time: { created: 20, completed: 22 } }, [22]],
    ["by an error behind calls", { finish: "tool-calls", error: { name: "MessageAbortedError" } }, [20]],
    ["not by calls", { finish: "tool-calls" }, []],
    ["not by an answer that is under way", {}, []],
  ])("a turn ends %s", (_what, info, ends) => {
    const events = readStoredSession(
      {},
      [user("msg_1", 10, [text("go")]), answer("msg_2", 20, [STEP], info)],
      undefined,
    ).events
    expect(events.flatMap(({ kind, at }) => (kind === "turn ends" ? [at] : []))).toEqual(ends)
  })

  test("a turn that has not ended ends with no prompt, and one that goes on behind its last words ends once", () => {
    const stop = (id: string, created: number) => answer(id, created, [STEP, text("done")], { finish: "stop" })
    const messages = [
      ...[user("msg_1", 10, [text("go")]), answer("msg_2", 20, [STEP], {}), user("msg_3", 30, [text("more")])],
      ...[stop("msg_4", 40), stop("msg_5", 50), user("msg_6", 60, [note("go on")]), stop("msg_7", 70)],
      user("msg_8", 80, [text("last")]),
    ]
    expect(eventsOf(messages).map((event) => `${field(event, "kind")} ${field(event, "at")}`)).toEqual([
      ...["prompt 10", "request 20", "message 20", "prompt 30", "request 40", "message 40", "request 50", "message 50"],
      ...["message 60", "request 70", "message 70", "turn ends 70", "prompt 80"],
    ])
  })

  test("an earlier version's deliveries are no messages; an empty message of the user's is one", () => {
    const messages = [
      ...[user("msg_1", 10, [text("go")]), user("msg_2", 20, [rule(["project:a.md"]), rule(["project:b.md"])])],
      ...[user("msg_3", 30, []), answer("msg_4", 40, [STEP, rule(["project:c.md"])], {})],
    ]
    expect(eventsOf(messages)).toMatchObject([
      { kind: "prompt", messageID: "msg_1" },
      { kind: "message", messageID: "msg_3", isUsers: true },
      { kind: "request", turn: TURN },
      // What an answer holds is never a delivery.
      { kind: "message", messageID: "msg_4", isUsers: false },
    ])
    expect(readStoredSession({}, messages, undefined).delivered).toEqual([
      { rule: "project:a.md" as never, request: 1 },
      { rule: "project:b.md" as never, request: 1 },
    ])
  })

  test("compactions: one that the user asks for ends the turn, one of the host's own does not; a failed one hides nothing", () => {
    const compaction = (id: string, created: number, more: object) =>
      user(id, created, [{ type: "compaction", ...more }])
    const summary = (id: string, created: number, more: object = {}) =>
      answer(id, created, [text("summary")], { summary: true, finish: "stop", ...more })
    const stop = (id: string, created: number) => answer(id, created, [STEP], { finish: "stop" })
    const messages = [
      ...[user("msg_1", 10, [text("go")]), stop("msg_2", 20)],
      ...[compaction("msg_3", 30, { auto: false }), summary("msg_4", 31)],
      ...[user("msg_5", 40, [text("on")]), answer("msg_6", 41, [STEP])],
      ...[compaction("msg_7", 42, { auto: true, tail_start_id: "msg_5" }), summary("msg_8", 43)],
      ...[user("msg_9", 44, [note("go on")]), stop("msg_10", 45)],
      ...[compaction("msg_11", 50, { auto: true }), summary("msg_12", 51, { error: { name: "X" } })],
      stop("msg_13", 60),
    ]
    const told = eventsOf(messages).map((event) =>
      [field(event, "at"), field(event, "kind"), field(event, "messageID") ?? field(event, "from")].join(" ").trim(),
    )
    expect(told).toEqual([
      ...["10 prompt msg_1", "20 request", "20 message msg_2", "20 turn ends"],
      ...["30 message msg_3", "31 compacting", "31 message msg_4", "31 compacted msg_3"],
      ...["40 prompt msg_5", "41 request", "41 message msg_6"],
      ...["42 message msg_7", "43 compacting", "43 message msg_8", "43 compacted msg_5"],
      ...["44 message msg_9", "45 request", "45 message msg_10"],
      ...["50 message msg_11", "51 compacting", "51 message msg_12"],
      ...["60 request", "60 message msg_13", "60 turn ends"],
    ])
    // A summary ahead of every message of the user's hides nothing that could be named.
    expect(eventsOf([summary("msg_1", 1)]).map((event) => field(event, "kind"))).toEqual(["compacting", "message"])
  })

  test("the settings of a request are those of the newest message of the user's, where it names them", () => {
    const turns = [
      { agent: "plan", model: MODEL },
      { agent: "plan", model: { providerID: "lab" } },
      { model: { modelID: "plain" } },
    ].map((settings) => {
      const events = eventsOf([user("msg_1", 10, [note("x")], settings), answer("msg_2", 20, [STEP], {})])
      return field(events[1], "turn")
    })
    expect(turns).toEqual([
      { agent: "plan", model: MODEL },
      { agent: "plan", model: undefined },
      { agent: undefined, model: undefined },
    ])
    expect(eventsOf([answer("msg_1", 1, [STEP], {})])[0]).toEqual({ at: 1, kind: "request", turn: {} })
  })

  test("calls that the host makes itself: a command's subtask, which is no request; a shell command of the user's, which is no call", () => {
    const args = { prompt: "Look.", subagent_type: "general", command: "look" }
    const subtask = { type: "subtask", command: "look", prompt: "Look.", agent: "general", description: "" }
    const state = {
      status: "completed",
      input: args,
      output: "seen",
      metadata: { sessionId: "ses_2" },
      time: { start: 21, end: 22 },
    }
    const other = { ...state, input: { prompt: "x" }, metadata: { sessionId: "ses_3" }, time: { start: 41, end: 42 } }
    const messages = [
      user("msg_1", 10, [subtask]),
      answer("msg_2", 20, [call("task", "prt_1", state)]),
      user("msg_3", 30, [note("The following tool was executed by the user")]),
      answer(
        "msg_4",
        31,
        [call("bash", "call_1", { status: "completed", input: { command: "ls" }, time: { start: 31, end: 32 } })],
        {},
      ),
      user("msg_5", 40, [text("go"), { type: "subtask", prompt: "More." }]),
      answer("msg_6", 41, [
        STEP,
        call("task", "call_2", other),
        call("task", "call_3", { status: "running", input: {} }),
      ]),
      answer("msg_7", 42, [call("other", "call_4", { ...state, time: { start: 42, end: 42 } })]),
      answer("msg_71", 43, [text("no call")]),
      user("msg_8", 50, [text("The following tool was executed by the user")]),
      answer("msg_9", 51, [call("bash", "call_5", { status: "running", input: {}, time: { start: 51 } })]),
      answer("msg_10", 52, [text("no call")]),
    ]
    const session = readStoredSession({}, messages, undefined)
    const told = session.events.map((event) => {
      const what = "call" in event ? `${event.call.id}${event.call.isHosts ? " of the host's" : ""}` : ""
      return `${event.kind} ${what || ("messageID" in event ? event.messageID : "")}`.trim()
    })
    expect(told).toEqual([
      ...["prompt msg_1", "message msg_2", "call starts prt_1 of the host's", "call ends prt_1 of the host's"],
      ...["message msg_3", "message msg_4"],
      ...["prompt msg_5", "request", "message msg_6", "call starts call_2", "call starts call_3", "call ends call_2"],
      ...["message msg_7", "call starts call_4 of the host's", "call ends call_4 of the host's"],
      ...["request", "message msg_71"],
      ...["prompt msg_8", "request", "message msg_9", "call starts call_5", "request", "message msg_10"],
    ])
    expect(session.events[0]).toMatchObject({ turn: { command: "look", prompt: "Look." } })
    expect(session.events.flatMap((event) => (event.kind === "prompt" ? [event.turn.command] : []))).toEqual([
      "look",
      undefined,
      undefined,
    ])
    expect(session.subagents).toEqual([
      { id: "ses_2", command: "look" },
      { id: "ses_3", command: undefined },
    ])
  })

  test("a subtask's own session begins with its command, and the first prompt alone", () => {
    const messages = [
      ...[user("msg_1", 5, [note("ahead")]), user("msg_2", 10, [text("Look.")]), answer("msg_3", 20, [STEP], {})],
      user("msg_4", 30, [text("And there.")]),
    ]
    const commands = eventsOf(messages, "look").flatMap((event) =>
      field(event, "kind") === "prompt" ? [field(field(event, "turn"), "command")] : [],
    )
    expect(commands).toEqual(["look", undefined])
  })

  test("what was delivered, by the request that showed it first: behind the message, or the call, that its place names", () => {
    const messages = [
      user("msg_1", 10, [
        ...[text("go"), rule(["project:first.md"]), rule(["project:late.md"], { after: "msg_4" })],
        ...[rule(["project:call.md", "again:2:project:first.md"], { call: "call_1" })],
        ...[rule(["project:gone.md"], { after: "gone" }), rule(["project:own.md"], { after: "msg_1" })],
      ]),
      answer("msg_2", 20, [
        STEP,
        call("bash", "call_1", { status: "completed", input: {}, time: { start: 20, end: 21 } }),
      ]),
      answer("msg_3", 30, [STEP], {}),
      user("msg_4", 40, [text("more")]),
    ]
    expect(
      readStoredSession({}, messages, undefined).delivered.map(({ rule, request }) => `${request} ${rule}`),
    ).toEqual([
      ...["1 project:first.md", "1 project:gone.md", "1 project:own.md"],
      ...["2 project:call.md", "2 project:first.md", "3 project:late.md"],
    ])
  })
})
