import type { Message, Part, UserMessage } from "@opencode-ai/sdk"
import type { DispatchEdits, StoredDelivery, VisibleDelivery, VisibleHistory } from "../../engine/port.ts"
import { deliveryOfMetadata } from "../shared/metadata.ts"

/** A message with its parts, as hooks and the API give it. */
export interface V1Message {
  info: Message
  parts: Part[]
}

/** What a dispatch shows, as the engine wants to know it. A message that another plugin made for this dispatch has no id. */
export function visibleHistory(messages: readonly V1Message[]): VisibleHistory {
  return {
    messages: messages.flatMap(({ info }) => info.id ?? []),
    deliveries: messages.flatMap((message) => deliveriesOf(message)),
  }
}

/**
 * The part of a stored history that dispatches still show: from the latest compaction on, or from where the compaction
 * kept a tail. A compaction whose summary failed hides nothing (measured on OpenCode 1.18.33). A dispatch knows better.
 */
export function afterCompaction(messages: readonly V1Message[]): readonly V1Message[] {
  const at = messages.findLastIndex(({ parts }, index) => parts.some(isCompaction) && hasSummary(messages[index + 1]))
  const compaction = messages[at]?.parts.find(isCompaction)
  if (compaction === undefined) return messages
  const tail = messages.findIndex(({ info }) => info.id === compaction.tail_start_id)
  return messages.slice(tail < 0 ? at : Math.min(tail, at))
}

/** `tail_start_id` is not in the v1 client's types. */
function isCompaction(part: Part): part is Part & { readonly tail_start_id?: string } {
  return part.type === "compaction"
}

function hasSummary(message: V1Message | undefined): boolean {
  return message?.info.role === "assistant" && message.info.summary === true && message.info.error === undefined
}

/** The deliveries in a stored history. */
export function storedDeliveries(messages: readonly V1Message[]): StoredDelivery[] {
  return messages.flatMap((message) => deliveriesOf(message))
}

function deliveriesOf({ info, parts }: V1Message): (VisibleDelivery & StoredDelivery)[] {
  if (info.role !== "user") return []
  return parts.flatMap((part, index) => {
    const delivery = part.type === "text" ? deliveryOfMetadata(part.metadata) : undefined
    return delivery ? [{ messageID: info.id, part: index, ...delivery }] : []
  })
}

/** Whether a message is a delivery of ours, stored on its own. In a user's message our part comes behind the user's. */
export function isOwnMessage(parts: readonly Part[]): boolean {
  const [first] = parts
  return first !== undefined && isOwnPart(first)
}

function isOwnPart(part: Part): boolean {
  return part.type === "text" && deliveryOfMetadata(part.metadata) !== undefined
}

/**
 * Puts back what the host adds to the newest user message of a dispatch, such as the plan agent's reminder: with a
 * delivery of ours behind the prompt it would leave the prompt, where the dispatch before had it, and stand on ours
 * (measured on OpenCode 1.18.33). In place, like `applyEdits`.
 */
export function restoreReminders(messages: V1Message[]): void {
  for (const [index, { info, parts }] of messages.entries()) {
    if (info.role !== "user" || !isOwnMessage(parts)) continue
    const added = parts.filter((part) => !isOwnPart(part))
    const prompt = messages.findLastIndex(
      (one, at) => at < index && one.info.role === "user" && !isOwnMessage(one.parts),
    )
    const target = messages[prompt]
    if (added.length === 0 || target === undefined) continue
    messages[prompt] = { info: target.info, parts: [...target.parts, ...added] }
    messages[index] = { info, parts: parts.filter(isOwnPart) }
  }
}

/** The session of a dispatch: the hook itself doesn't say, and a message that another plugin made need not. */
export function sessionOf(messages: readonly V1Message[]): string | undefined {
  return messages.findLast(({ info }) => info.sessionID !== undefined)?.info.sessionID
}

/** The newest user message that a dispatch shows: it decides agent, model and the turn's other settings. */
export function newestUserMessage(messages: readonly V1Message[]): UserMessage | undefined {
  const newest = messages.findLast(({ info }) => info.role === "user" && info.id !== undefined)?.info
  return newest?.role === "user" ? newest : undefined
}

/** What the user wrote in a message: its text without what a host or plugin added; a subtask command's is in its own part. */
export function writtenText(parts: readonly Part[]): string {
  const texts = parts.flatMap((part) => {
    if (part.type === "subtask") return [part.prompt]
    return part.type === "text" && !part.synthetic ? [part.text] : []
  })
  return texts.join("\n")
}

/**
 * Carries out a dispatch's edits on the host's list of messages, in place: the host reads that very list afterwards.
 * The messages themselves are replaced, never changed.
 */
export function applyEdits(messages: V1Message[], edits: DispatchEdits): void {
  const edited = messages.flatMap((message) => {
    const own = rewritten(message, edits)
    return [...(own.parts.length > 0 || message.parts.length === 0 ? [own] : []), ...insertedAfter(message, edits)]
  })
  messages.splice(0, messages.length, ...edited)
}

function rewritten(message: V1Message, edits: DispatchEdits): V1Message {
  const rewrites = edits.rewrites.filter(({ messageID }) => messageID === message.info.id)
  if (rewrites.length === 0) return message
  const parts = message.parts.flatMap((part, index) => {
    const rewrite = rewrites.find((one) => one.part === index)
    if (!rewrite || part.type !== "text") return [part]
    return rewrite.text === undefined ? [] : [{ ...part, text: rewrite.text }]
  })
  return { info: message.info, parts }
}

/** A message that exists in this dispatch only. Its ids follow from its place, so that repeating it changes nothing. */
function insertedAfter({ info }: V1Message, edits: DispatchEdits): V1Message[] {
  return edits.insertions
    .filter(({ after }) => info.id === after)
    .map(({ text }, index) => {
      const id = `${info.id}_rulebook${index}`
      const { agent, model } = info.role === "user" ? info : settingsOfAssistant(info)
      return {
        info: { id, sessionID: info.sessionID, role: "user", time: { created: info.time.created }, agent, model },
        parts: [{ id: `prt_${id}`, sessionID: info.sessionID, messageID: id, type: "text", text, synthetic: true }],
      }
    })
}

function settingsOfAssistant(info: Exclude<Message, UserMessage>): Pick<UserMessage, "agent" | "model"> {
  return { agent: info.mode, model: { providerID: info.providerID, modelID: info.modelID } }
}
