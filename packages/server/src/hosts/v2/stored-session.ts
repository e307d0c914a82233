import { argumentsJson, estimateTokens, type RuleId } from "@opencode-rulebook/rule-schema"
import { deliveryOfId } from "../../engine/again.ts"
import { deliveryOfMetadata } from "../shared/metadata.ts"
import {
  inOrder,
  isRedacted,
  type StoredEvent,
  type StoredRule,
  type StoredSession,
  type Subagent,
} from "../shared/stored-session.ts"
import { field, number, text } from "../shared/untyped.ts"
import { isOwnID, MOST_RULES } from "./ids.ts"
import { createPromptReader } from "./prompt.ts"
import { shownText } from "./read.ts"
import { callEvents, callsIn, createdAt, type StoredMessage, type StoredToolCall } from "./stored-answer.ts"

/** The types of stored messages (docs/opencode-2.md, Exports). */
const TYPES: ReadonlySet<string> = new Set([
  ...["user", "synthetic", "system", "skill", "shell", "assistant", "compaction", "idle"],
  ...["agent-switched", "model-switched", "location-switched"],
])

/**
 * Reads what `opencode session export` of OpenCode 2 writes as what the plugin saw of the session while it ran.
 *
 * @param info the session's record.
 * @param messages its stored messages, oldest first. What is not a message is counted and left out.
 */
export function readStoredSession(info: unknown, messages: readonly unknown[]): StoredSession {
  const stored = messages.filter(isStored)
  const time = field(info, "time")
  const created = number(time, "created") ?? 0
  const title = text(info, "title") ?? ""
  return {
    host: "OpenCode 2",
    id: text(info, "id") ?? "",
    parentID: text(info, "parentID"),
    title,
    directory: text(field(info, "location"), "directory"),
    created,
    updated: number(time, "updated") ?? created,
    events: inOrder(eventsOf(stored)),
    delivered: deliveredIn(stored),
    subagents: stored.flatMap((message) => callsIn(message).flatMap(subagentOf)),
    keeps: { kind: "message", mostRules: MOST_RULES },
    unread: messages.length - stored.length,
    isRedacted: isRedacted(title),
  }
}

/** Whether the messages are of the form that OpenCode 2 exports. */
export function isV2Export(messages: readonly unknown[]): boolean {
  return messages.some(isStored)
}

function isStored(value: unknown): value is StoredMessage {
  return text(value, "id") !== undefined && TYPES.has(text(value, "type") ?? "")
}

function eventsOf(messages: readonly StoredMessage[]): StoredEvent[] {
  const events: StoredEvent[] = []
  /** The user's newest messages that have no answer between them, as a request shows them. */
  let prompts: StoredMessage[] = []
  let isIdle = false
  for (const message of messages) {
    const at = createdAt(message)
    if (isOwn(message)) continue
    switch (message.type) {
      case "user":
        // What is pending is stored ahead of a prompt in an idle session.
        if (isIdle) events.push({ at, kind: "safe point" })
        isIdle = false
        prompts.push(message)
        events.push(messageEvent(message))
        break
      case "synthetic":
      case "skill":
      case "shell":
        events.push(messageEvent(message))
        break
      case "assistant":
        events.push(...answerEvents(message, promptOf(prompts)))
        prompts = []
        break
      case "compaction":
        if (text(message, "status") === "completed")
          events.push({ at, kind: "compacting" }, messageEvent(message), { at, kind: "compacted", from: message.id })
        break
      case "idle":
        events.push({ at, kind: "turn ends" })
        isIdle = true
        break
      default:
    }
  }
  return events
}

/** The prompt of a request that shows these messages of the user's first; nothing new where there is none. */
function promptOf(messages: readonly StoredMessage[]) {
  const reader = createPromptReader()
  for (const { id, text: written } of messages) reader.admitted({ id, type: "user", text: written })
  return reader.read(messages.map(({ id }) => ({ id, role: "user", content: "", metadata: {} })))
}

/** The request that an answer is to, the answer, and the calls in it. */
function answerEvents(answer: StoredMessage, prompt: ReturnType<typeof promptOf>): StoredEvent[] {
  const at = createdAt(answer)
  const model = field(answer, "model")
  const [providerID, modelID] = [text(model, "providerID"), text(model, "id")]
  const turn = {
    agent: text(answer, "agent"),
    model: providerID === undefined || modelID === undefined ? undefined : { providerID, modelID },
    ...prompt,
  }
  return [{ at, kind: "request", turn }, messageEvent(answer), ...callEvents(answer)]
}

/** What of a message requests show: its text, or an answer's words and calls with their results. */
function shownBy(message: StoredMessage): string {
  const content = field(message, "content")
  const said = Array.isArray(content) ? content.flatMap((part: unknown) => text(part, "text") ?? []) : []
  const calls = callsIn(message).map(({ tool, input, result }) =>
    [tool, argumentsJson(input), shownText(result) ?? ""].join(" "),
  )
  return [text(message, "text") ?? text(message, "summary") ?? "", ...said, ...calls].join("\n")
}

function messageEvent(message: StoredMessage): StoredEvent {
  const at = createdAt(message)
  // Places are for hosts that keep a delivery as a part.
  const tokens = () => estimateTokens(shownBy(message))
  return { at, kind: "message", messageID: message.id, isUsers: message.type === "user", calls: [], tokens }
}

function subagentOf({ tool, metadata }: StoredToolCall): readonly Subagent[] {
  const id = text(metadata, "sessionID") ?? text(metadata, "sessionId")
  return tool !== "subagent" || id === undefined ? [] : [{ id, command: undefined }]
}

function isOwn(message: StoredMessage): boolean {
  return isOwnID(message.id) || deliveryOfMetadata(field(message, "metadata")) !== undefined
}

function deliveredIn(messages: readonly StoredMessage[]): StoredRule[] {
  let requests = 0
  return messages.flatMap((message) => {
    if (message.type === "assistant") requests += 1
    const rules: readonly RuleId[] = deliveryOfMetadata(field(message, "metadata"))?.rules ?? []
    return rules.map((id) => ({ rule: deliveryOfId(id).rule, request: requests + 1 }))
  })
}
