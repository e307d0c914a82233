import type { Part } from "@opencode-ai/sdk"
import { deliveryOfId } from "../../engine/again.ts"
import { createMessageTokens } from "../shared/message-tokens.ts"
import {
  inOrder,
  isRedacted,
  type StoredEvent,
  type StoredRule,
  type StoredSession,
  type Subagent,
} from "../shared/stored-session.ts"
import { field, number, text } from "../shared/untyped.ts"
import { deliveryOfPart, tokensOf, type V1Message, writtenText } from "./history.ts"
import { answerEvents, createdAt, endOf, isLast, isSummary, messageEvent, settingsOf } from "./stored-answer.ts"

/**
 * Reads what `opencode export` of OpenCode 1 wrote, or its server answers, as what the plugin saw of the session while it ran.
 *
 * @param info the session's record.
 * @param messages its stored messages with their parts, oldest first. What is not a message is counted and left out.
 * @param command the slash command that a subtask's own session began with: its parent's export tells it.
 */
export function readStoredSession(
  info: unknown,
  messages: readonly unknown[],
  command: string | undefined,
): StoredSession {
  const stored = messages.flatMap((message) => messageOf(message) ?? [])
  const created = number(field(info, "time"), "created") ?? 0
  const events = eventsOf(stored, command)
  const title = text(info, "title") ?? ""
  return {
    host: "OpenCode 1",
    id: text(info, "id") ?? "",
    parentID: text(info, "parentID"),
    title,
    directory: text(info, "directory"),
    created,
    updated: number(field(info, "time"), "updated") ?? created,
    events,
    delivered: deliveredIn(stored, events),
    subagents: stored.flatMap(({ parts }) => parts.flatMap(subagentOf)),
    keeps: { kind: "part" },
    unread: messages.length - stored.length,
    isRedacted: isRedacted(title),
  }
}

function messageOf(value: unknown): V1Message | undefined {
  const info = field(value, "info")
  const parts = field(value, "parts")
  const isKnown = text(info, "id") !== undefined && ["user", "assistant"].includes(text(info, "role") ?? "")
  if (!isKnown || !Array.isArray(parts)) return undefined
  return { info: info as V1Message["info"], parts: parts.filter(isPart) }
}

function isPart(value: unknown): value is Part {
  const type = text(value, "type")
  if (type === "text") return text(value, "text") !== undefined
  return type === "tool" ? text(value, "tool") !== undefined && text(value, "callID") !== undefined : type !== undefined
}

function eventsOf(messages: readonly V1Message[], command: string | undefined): StoredEvent[] {
  const events: StoredEvent[] = []
  let newest: V1Message | undefined
  let isFirst = true
  /** When the turn that is under way ended, if it did. */
  let ended: number | undefined
  const endTurn = () => {
    if (ended !== undefined) events.push({ at: ended, kind: "turn ends" })
    ended = undefined
  }
  for (const message of messages) {
    const own = withoutDeliveries(message)
    if (own.info.role === "user") {
      // A message of nothing but rules is an earlier version's delivery.
      if (own.parts.length === 0 && message.parts.length > 0) continue
      if (isAnnounced(own)) {
        endTurn()
        events.push(promptOf(own, isFirst ? command : undefined))
        isFirst = false
      } else {
        if (own.parts.some(isAskedFor)) endTurn()
        events.push(messageEvent(own))
      }
      newest = own
    } else {
      events.push(...answerEvents(own, newest))
      if (!isSummary(own)) ended = isLast(own) ? endOf(own) : undefined
    }
  }
  endTurn()
  return inOrder(events)
}

function withoutDeliveries({ info, parts }: V1Message): V1Message {
  return { info, parts: info.role === "user" ? parts.filter((part) => deliveryOfPart(part) === undefined) : parts }
}

/** Whether plugins were asked about a user message. They aren't about those that the host makes to go on (measured on OpenCode 1.18.33). */
function isAnnounced({ parts }: V1Message): boolean {
  return parts.some((part) => part.type !== "compaction" && !(part.type === "text" && part.synthetic === true))
}

/** A compaction that the user asks for comes between two turns; the host's own in the midst of one (measured on OpenCode 1.18.33). */
function isAskedFor(part: Part): boolean {
  return part.type === "compaction" && part.auto !== true
}

function promptOf(message: V1Message, command: string | undefined): StoredEvent {
  const { info, parts } = message
  const named = parts.flatMap((part) => (part.type === "subtask" ? (text(part, "command") ?? []) : [])).at(-1)
  const turn = { ...settingsOf(message), prompt: writtenText(parts), promptID: info.id, command: command ?? named }
  const tokens = () => tokensOf(message, createMessageTokens())
  return { at: createdAt(message), kind: "prompt", messageID: info.id, turn, tokens }
}

function subagentOf(part: Part): readonly Subagent[] {
  if (part.type !== "tool" || part.tool !== "task") return []
  const id = text(field(part.state, "metadata"), "sessionId")
  return id === undefined ? [] : [{ id, command: text(field(part.state, "input"), "command") }]
}

/** What the messages deliver. A text that is to stand after a message is first shown by the request behind that. */
function deliveredIn(messages: readonly V1Message[], events: readonly StoredEvent[]): StoredRule[] {
  const requestsBefore = new Map<string, number>()
  let requests = 0
  for (const event of events) {
    if (event.kind === "request") requests += 1
    if (event.kind === "prompt" || event.kind === "message") requestsBefore.set(event.messageID, requests)
    if (event.kind === "message") for (const call of event.calls) requestsBefore.set(call, requests)
  }
  const delivered = messages.flatMap(({ info, parts }) =>
    parts.flatMap((part) => {
      const delivery = info.role === "user" ? deliveryOfPart(part) : undefined
      const place = delivery?.place?.id ?? info.id
      const before = requestsBefore.get(place) ?? requestsBefore.get(info.id) ?? 0
      return (delivery?.rules ?? []).map((id) => ({ rule: deliveryOfId(id).rule, request: before + 1 }))
    }),
  )
  return delivered.toSorted((one, other) => one.request - other.request)
}
