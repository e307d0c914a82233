import { expect, test } from "bun:test"
import type { FileObservation } from "@opencode-rulebook/rule-schema"
import type { StoredEvent, StoredSession } from "@opencode-rulebook/server/dry-run"
import { relocated } from "./relocate.ts"

function session(directory: string | undefined, events: readonly StoredEvent[] = []): StoredSession {
  return {
    ...{ host: "OpenCode 1", id: "ses_1", parentID: undefined, title: "", directory, created: 1, updated: 1, events },
    ...{ delivered: [], subagents: [], keeps: { kind: "part" }, unread: 0, isRedacted: false },
  }
}

/** A call with these arguments as it is in a session that moves from one folder to another. */
function movedArgs(from: string | undefined, to: string, args: unknown): unknown {
  const call = { id: "c", tool: "t", args, file: undefined, isHosts: false }
  const { events } = relocated(session(from, [{ at: 1, kind: "call starts", call, isSafePoint: true }]), to)
  return events.map((event) => "call" in event && event.call.args)[0]
}

test.each<[path: string, moved: string]>([
  ["/home/dev/app/src/a.rs", "/here/src/a.rs"],
  ["/home/dev/app", "/here"],
  ["/home/dev/app/", "/here/"],
  ["/home/dev/app-two/a.rs", "/home/dev/app-two/a.rs"],
  ["/home/dev/a.rs", "/home/dev/a.rs"],
  ["src/a.rs", "src/a.rs"],
  ["cat /home/dev/app/a.rs", "cat /home/dev/app/a.rs"],
  ["/mnt/home/dev/app/a.rs", "/mnt/home/dev/app/a.rs"],
])("paths below the session's folder move, others stay: %s", (path, moved) => {
  expect(movedArgs("/home/dev/app", "/here", path)).toBe(moved)
})

test("paths of Windows move too", () => {
  expect(movedArgs("C:\\app", "/here", ["C:\\app\\a.rs", "C:\\app/a.rs", "C:\\apps\\a.rs"])).toEqual([
    ...["/here\\a.rs", "/here/a.rs", "C:\\apps\\a.rs"],
  ])
})

test("arguments move in whatever depth they are; a session whose folder is not known stays as it is", () => {
  const args = { files: [{ path: "/app/a" }, ["/app/b"], 5], deep: { "/app/key": "/app/c", no: null }, is: true }
  expect(movedArgs("/app", "/here", args)).toEqual({
    files: [{ path: "/here/a" }, ["/here/b"], 5],
    deep: { "/app/key": "/here/c", no: null },
    is: true,
  })
  expect(movedArgs(undefined, "/here", args)).toEqual(args)
  expect(relocated(session(undefined), "/here").directory).toBeUndefined()
})

test("the start and the end of a call stay one; what calls showed moves, and its text is not made before it is asked for", () => {
  let made = 0
  const observation: FileObservation = {
    ...{ path: "/app/a.rs", tool: "read", source: "result", isPart: true },
    get content() {
      made += 1
      return "text"
    },
  }
  const call = { id: "c", tool: "read", args: { path: "/app/a.rs" }, file: "/app/a.rs", isHosts: false }
  const other = { ...call, id: "d", file: undefined }
  const prompt: StoredEvent = { at: 1, kind: "prompt", messageID: "m", turn: { prompt: "/app/a.rs" } }
  const events: readonly StoredEvent[] = [
    prompt,
    { at: 2, kind: "call starts", call, isSafePoint: true },
    { at: 3, kind: "call starts", call: other, isSafePoint: false },
    { at: 4, kind: "call ends", call, observations: [observation], isSafePoint: true },
    { at: 5, kind: "observed", observations: [observation] },
  ]
  const moved = relocated(session("/app", events), "/here")
  expect(made).toBe(0)
  const movedCall = { ...call, args: { path: "/here/a.rs" }, file: "/here/a.rs" }
  const shown: FileObservation = { ...observation, path: "/here/a.rs" }
  expect(moved).toEqual(
    session("/here", [
      prompt,
      { at: 2, kind: "call starts", call: movedCall, isSafePoint: true },
      { at: 3, kind: "call starts", call: { ...movedCall, id: "d", file: undefined }, isSafePoint: false },
      { at: 4, kind: "call ends", call: movedCall, observations: [shown], isSafePoint: true },
      { at: 5, kind: "observed", observations: [shown] },
    ]),
  )
  const [, starts, , ends] = moved.events
  expect(starts && "call" in starts && ends && "call" in ends && starts.call === ends.call).toBe(true)
})
