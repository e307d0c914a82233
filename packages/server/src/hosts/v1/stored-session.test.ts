import { describe, expect, test } from "bun:test"
import recording from "../../../test/recordings/opencode-1.18.33/exports.json"
import type { StoredEvent, StoredSession } from "../shared/stored-session.ts"
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
        { type: "tool", tool: "read", callID: "a" },
      ],
    },
  ]
  const { events, unread } = readStoredSession({ id: "ses_1" }, messages, undefined)
  expect(unread).toBe(3)
  expect(events.map(({ kind }) => kind)).toEqual(["prompt", "request", "message", "call starts"])
})
