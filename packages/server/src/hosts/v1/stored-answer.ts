import type { Part, ToolPart } from "@opencode-ai/sdk"
import { createMessageTokens } from "../shared/message-tokens.ts"
import type { StoredCall, StoredEvent } from "../shared/stored-session.ts"
import { field, number, text } from "../shared/untyped.ts"
import { tokensOf, type V1Message } from "./history.ts"
import { observeToolResult } from "./observe.ts"

/** How the host notes in the output of a shell command that an abort cut it off: its turn was over before it (measured on OpenCode 1.18.33). */
const CUT_OFF = "User aborted the command"

/** What the host writes into a user's message of its own, ahead of a command of the user's that it runs itself (measured on OpenCode 1.18.33). */
const HOSTS_SHELL = "The following tool was executed by the user"

/** The request that an answer is to, the answer, and the calls in it; or a compaction. */
export function answerEvents(answer: V1Message, newest: V1Message | undefined): StoredEvent[] {
  const at = createdAt(answer)
  if (isSummary(answer)) {
    const from = text(newest?.parts.find(isCompaction), "tail_start_id") ?? newest?.info.id
    const isDone = field(answer.info, "error") === undefined && from !== undefined
    return [
      { at, kind: "compacting" },
      messageEvent(answer),
      ...(isDone ? [{ at, kind: "compacted", from } as const] : []),
    ]
  }
  const calls = answer.parts.filter((part) => part.type === "tool")
  if (isHosts(answer, newest)) {
    return [messageEvent(answer), ...(isShell(newest) ? [] : calls.flatMap((call) => callEvents(call, at, true)))]
  }
  return [
    { at, kind: "request", turn: newest ? settingsOf(newest) : {} },
    messageEvent(answer),
    ...calls.flatMap((call) => callEvents(call, at, false)),
  ]
}

/** Whether an answer is a compaction's summary. */
export function isSummary({ info }: V1Message): boolean {
  return info.role === "assistant" && info.summary === true
}

function isCompaction(part: Part): boolean {
  return part.type === "compaction"
}

/** A call that the host makes itself has no step around it: a command's subtask, or a shell command of the user's (measured on OpenCode 1.18.33). */
function isHosts({ parts }: V1Message, newest: V1Message | undefined): boolean {
  if (parts.some(({ type }) => type === "step-start") || !parts.some(({ type }) => type === "tool")) return false
  return isShell(newest) || newest?.parts.some(({ type }) => type === "subtask") === true
}

function isShell(newest: V1Message | undefined): boolean {
  return newest?.parts.some((part) => part.type === "text" && part.synthetic && part.text === HOSTS_SHELL) === true
}

/** @param created when the answer with the call began, for a call that does not say when it did. */
function callEvents({ callID, tool, state }: ToolPart, created: number, isHosts: boolean): StoredEvent[] {
  const args = field(state, "input")
  const status = text(state, "status")
  if (status === "pending") return []
  const starts = number(field(state, "time"), "start") ?? created
  const ends = number(field(state, "time"), "end") ?? starts
  const observations = status === "completed" ? observeToolResult({ tool, args }, state) : []
  const call: StoredCall = { id: callID, tool, args, file: observations[0]?.path, isHosts }
  const start: StoredEvent = { at: starts, kind: "call starts", call, isSafePoint: true }
  if (status !== "completed") return [start]
  const isSafePoint = !text(state, "output")?.includes(CUT_OFF)
  return [start, { at: ends, kind: "call ends", call, observations, isSafePoint }]
}

/** A message that no hook announces. */
export function messageEvent(message: V1Message): StoredEvent {
  const { info, parts } = message
  return {
    at: createdAt(message),
    kind: "message",
    messageID: info.id,
    isUsers: info.role === "user",
    calls: parts.flatMap((part) => (part.type === "tool" ? part.callID : [])),
    tokens: () => tokensOf(message, createMessageTokens()),
  }
}

/** The model's last words of a turn, or what it was stopped by; one that is still under way has neither. */
export function isLast({ info }: V1Message): boolean {
  return field(info, "error") !== undefined || ![undefined, "tool-calls"].includes(text(info, "finish"))
}

/** When an answer ended, in milliseconds since 1970. */
export function endOf(message: V1Message): number {
  return number(field(message.info, "time"), "completed") ?? createdAt(message)
}

/** When a message was made, in milliseconds since 1970. */
export function createdAt({ info }: V1Message): number {
  return number(info.time, "created") ?? 0
}

/** The agent and model that a user's message sets for the requests after it. */
export function settingsOf({ info }: V1Message) {
  const model = field(info, "model")
  const [providerID, modelID] = [text(model, "providerID"), text(model, "modelID")]
  return {
    agent: text(info, "agent"),
    model: providerID === undefined || modelID === undefined ? undefined : { providerID, modelID },
  }
}
