import type { Message, Part, UserMessage } from "@opencode-ai/sdk"
import { argumentsJson } from "@opencode-rulebook/rule-schema"
import type { HistoryPlace, StoredDelivery, VisibleDelivery, VisibleHistory } from "../../engine/port.ts"
import type { MessageTokens } from "../shared/message-tokens.ts"
import { deliveryOfMetadata, type PartIdentity } from "../shared/metadata.ts"
import { text } from "../shared/untyped.ts"

/** A message with its parts, as hooks and the API give it. */
export interface V1Message {
  info: Message
  parts: Part[]
}

/**
 * What a dispatch shows, as the engine wants to know it. A message that another plugin made for this dispatch has no id.
 *
 * @param tokens estimates the messages; without it they have no sizes.
 */
export function visibleHistory(messages: readonly V1Message[], tokens?: MessageTokens): VisibleHistory {
  const named = messages.filter(({ info }) => info.id !== undefined)
  return {
    messages: named.map(({ info }) => info.id),
    tokensOf: tokens && ((index) => tokensOf(named[index], tokens)),
    deliveries: messages.flatMap((message, index) =>
      deliveriesOf(message).map(({ place, ...delivery }) => ({ ...delivery, after: placeIn(messages, index, place) })),
    ),
  }
}

/**
 * The message that a part is to stand after. Calls are found by the host's ids of them, which a fork keeps (measured on
 * OpenCode 1.18.33). Some providers repeat theirs from step to step: the call nearest to the part is meant.
 *
 * @param at where the message is that carries the part.
 */
function placeIn(messages: readonly V1Message[], at: number, place: HistoryPlace | undefined): string | undefined {
  if (place === undefined) return undefined
  const isIt = ({ info, parts }: V1Message) =>
    place.kind === "message"
      ? info.id === place.id
      : info.role === "assistant" && parts.some((part) => part.type === "tool" && part.callID === place.id)
  return (messages.slice(at).find(isIt) ?? messages.slice(0, at).findLast(isIt))?.info.id
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

/** A message's estimated tokens. The model gets a call's arguments and its result. Rules do not count. */
export function tokensOf(message: V1Message | undefined, tokens: MessageTokens): number {
  const parts = message?.parts.filter((part) => deliveryOfPart(part) === undefined) ?? []
  const resultOf = (state: unknown) => text(state, "output") ?? text(state, "error") ?? ""
  const shown = parts.map((part) => (part.type === "tool" ? resultOf(part.state) : (text(part, "text") ?? "")))
  const argumentsOf = () =>
    parts.flatMap((part) => (part.type === "tool" ? [part.tool, argumentsJson(part.state.input)] : []))
  const size = shown.reduce((sum, { length }) => sum + length + 1, 0)
  return tokens.tokensOf(message?.info.id ?? "", size, () => [...shown, ...argumentsOf()].join("\n"))
}

/** The deliveries in a stored history. */
export function storedDeliveries(messages: readonly V1Message[]): StoredDelivery[] {
  return messages.flatMap((message) => deliveriesOf(message))
}

function deliveriesOf({ info, parts }: V1Message): (PartIdentity & VisibleDelivery & StoredDelivery)[] {
  if (info.role !== "user") return []
  return parts.flatMap((part, index) => {
    const delivery = deliveryOfPart(part)
    return delivery ? [{ messageID: info.id, part: index, ...delivery }] : []
  })
}

/** The delivery that a part carries, if it is one of ours. */
export function deliveryOfPart(part: Part): PartIdentity | undefined {
  return part.type === "text" ? deliveryOfMetadata(part.metadata) : undefined
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
