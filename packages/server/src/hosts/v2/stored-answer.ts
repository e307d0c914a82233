import { inOrder, type StoredEvent } from "../shared/stored-session.ts"
import { field, number, text } from "../shared/untyped.ts"
import type { ToolCall } from "./host.ts"
import { observeToolResult } from "./observe.ts"
import { createUnsureReads } from "./unsure-reads.ts"

/** One stored message. */
export type StoredMessage = Readonly<Record<string, unknown>> & { readonly id: string; readonly type: string }

/** The last call to end is a safe point, if one of the step succeeded. */
export function callEvents(answer: StoredMessage): StoredEvent[] {
  const events: StoredEvent[] = []
  const reads = createUnsureReads()
  let last = createdAt(answer)
  let anySucceeded = false
  for (const call of callsIn(answer)) {
    const { tool, input: args, status } = call
    const starts = number(call.time, "ran") ?? number(call.time, "created") ?? createdAt(answer)
    const ends = number(call.time, "completed") ?? starts
    if (status === "streaming") continue
    const { observations, unsure } =
      status === "completed" ? observeToolResult(call) : { observations: [], unsure: undefined }
    const told = { id: call.id, tool, args, file: observations[0]?.path, isHosts: false }
    events.push({ at: starts, kind: "call starts", call: told, isSafePoint: false })
    if (unsure) reads.add(unsure)
    if (status !== "completed") continue
    events.push({ at: ends, kind: "call ends", call: told, observations, isSafePoint: false })
    anySucceeded = true
    last = Math.max(last, ends)
  }
  const late = reads.settle([])
  return [
    ...inOrder(events),
    ...(anySucceeded ? [{ at: last, kind: "safe point" } as const] : []),
    ...(late.length > 0 ? [{ at: last, kind: "observed", observations: late } as const] : []),
  ]
}

/** A call of a stored answer. */
export interface StoredToolCall extends ToolCall {
  readonly id: string
  readonly status: string
  readonly metadata: unknown
  readonly time: unknown
}

/** The calls of an answer as `execute.after` told of them, without the record of their result, which is not stored. */
export function callsIn(message: StoredMessage): readonly StoredToolCall[] {
  const content = field(message, "content")
  if (!Array.isArray(content)) return []
  return content.flatMap((part: unknown): StoredToolCall[] => {
    const [id, tool, state] = [text(part, "id"), text(part, "name"), field(part, "state")]
    if (text(part, "type") !== "tool" || id === undefined || tool === undefined) return []
    const result = { content: field(state, "content") }
    const [metadata, time] = [field(state, "metadata"), field(part, "time")]
    const status = text(state, "status") ?? "streaming"
    return [{ sessionID: "", id, tool, input: field(state, "input"), status, result, metadata, time }]
  })
}

/** When a message was made, in milliseconds since 1970. */
export function createdAt(message: StoredMessage): number {
  return number(field(message, "time"), "created") ?? 0
}
