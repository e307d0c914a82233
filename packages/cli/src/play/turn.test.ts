import { expect, test } from "bun:test"
import type { StoredEvent } from "@opencode-rulebook/server/dry-run"
import { eventsOfTurn, writeOf } from "./turn.ts"

test("a turn: its prompt and first request, then the reads and the calls, each with the request after it", () => {
  const turn = { prompt: "look", command: undefined, agent: "build", model: undefined }
  const request: StoredEvent = { at: 0, kind: "request", turn: {} }
  const step = (
    index: number,
    tool: string,
    args: unknown,
    file: string | undefined,
    observations: readonly object[],
  ) => {
    const call = { id: `call ${index}`, tool, args, file, isHosts: false }
    return [
      { at: 0, kind: "message", messageID: `answer ${index}`, isUsers: false, calls: [call.id] },
      { at: 0, kind: "call starts", call, isSafePoint: true },
      { at: 0, kind: "call ends", call, observations, isSafePoint: true },
      request,
    ]
  }
  const files = [
    { path: "/app/a.rs", content: "text" },
    { path: "/app/b.rs", content: undefined },
  ]
  const written = { filePath: "/app/c.rs", content: "new" }
  const played = eventsOfTurn({
    turn,
    files,
    calls: [writeOf("/app/c.rs", "new"), { tool: "bash", args: { command: "ls" } }],
  })
  expect(played).toEqual({
    keeps: { kind: "part" },
    repeatsHeld: true,
    events: [
      { at: 0, kind: "prompt", messageID: "prompt", turn },
      request,
      ...step(0, "read", { filePath: "/app/a.rs" }, "/app/a.rs", [
        { path: "/app/a.rs", tool: "read", content: "text" },
      ]),
      ...step(1, "read", { filePath: "/app/b.rs" }, "/app/b.rs", [
        { path: "/app/b.rs", tool: "read", content: undefined },
      ]),
      ...step(2, "write", written, undefined, [{ path: "/app/c.rs", tool: "write", content: "new" }]),
      ...step(3, "bash", { command: "ls" }, undefined, []),
    ] as readonly StoredEvent[],
  })
})
