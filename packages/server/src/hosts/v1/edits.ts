import type { Message, Part, UserMessage } from "@opencode-ai/sdk"
import type { DispatchEdits } from "../../engine/port.ts"
import type { V1Message } from "./history.ts"

type TextPart = Extract<Part, { type: "text" }>
/** A text for one dispatch: a stored part of ours from elsewhere, or one that is stored nowhere. */
type Text = Pick<TextPart, "text"> & Partial<TextPart>

/**
 * Carries out a dispatch's edits on the host's list of messages, in place: the host reads that very list afterwards.
 * The messages themselves are replaced, never changed.
 *
 * What stands behind a user's message becomes a part of it, and what would stand right ahead of one likewise: some models'
 * chat templates refuse two user messages in a row.
 */
export function applyEdits(messages: V1Message[], edits: DispatchEdits): void {
  const behind = textsByPlace(messages, edits)
  const edited: V1Message[] = []
  let waiting: Waiting | undefined

  for (const message of messages) {
    const kept = remaining(message, edits)
    const texts = behind.get(message.info.id) ?? []
    if (isUsersOwn(kept)) {
      edited.push(withTexts(kept, [...(waiting?.texts ?? []), ...texts]))
      waiting = undefined
      continue
    }
    const isEmptied = kept.parts.length === 0 && message.parts.length > 0
    if (!isEmptied) {
      if (waiting) edited.push(madeMessage(waiting))
      waiting = undefined
      edited.push(kept)
    }
    if (texts.length > 0) waiting = { after: message.info, texts: [...(waiting?.texts ?? []), ...texts] }
  }
  if (waiting) edited.push(madeMessage(waiting))
  messages.splice(0, messages.length, ...edited)
}

/** Texts that wait for the message that follows, to see whether it is a user's. */
interface Waiting {
  readonly after: Message
  readonly texts: readonly Text[]
}

/** A user message of the stored history that has something to show. One that another plugin made has no id. */
function isUsersOwn({ info, parts }: V1Message): boolean {
  return info.role === "user" && info.id !== undefined && parts.length > 0
}

/** What is to stand right behind each message: stored parts first, as they were stored before what is inserted now. */
function textsByPlace(messages: readonly V1Message[], edits: DispatchEdits): ReadonlyMap<string, readonly Text[]> {
  const moved = edits.moves.flatMap(({ after, messageID, part }) => {
    const holder = messages.find(({ info }) => info.id === messageID)
    const text = holder && shown(holder, part, edits)
    return text?.type === "text" ? [{ after, text }] : []
  })
  const inserted = edits.insertions.map(({ after, text }) => ({ after, text: { text } }))
  const texts = new Map<string, Text[]>()
  for (const { after, text } of [...moved, ...inserted]) texts.set(after, [...(texts.get(after) ?? []), text])
  return texts
}

/** A message without the parts that stand elsewhere. */
function remaining(message: V1Message, edits: DispatchEdits): V1Message {
  if (message.info.role !== "user") return message
  const moved = edits.moves.filter(({ messageID }) => messageID === message.info.id).map(({ part }) => part)
  const parts = message.parts.flatMap((_part, index) =>
    moved.includes(index) ? [] : (shown(message, index, edits) ?? []),
  )
  return { info: message.info, parts }
}

/** One part as this dispatch shows it; undefined when it is left out. */
function shown({ info, parts }: V1Message, index: number, edits: DispatchEdits): Part | undefined {
  const part = parts[index]
  const rewrite = edits.rewrites.find((one) => one.messageID === info.id && one.part === index)
  if (!rewrite || part?.type !== "text") return part
  return rewrite.text === undefined ? undefined : { ...part, text: rewrite.text }
}

function withTexts({ info, parts }: V1Message, texts: readonly Text[]): V1Message {
  return { info, parts: [...parts, ...partsOf(info, texts)] }
}

/** A message that exists in this dispatch only. Its ids follow from its place, so that repeating it changes nothing. */
function madeMessage({ after, texts }: Waiting): V1Message {
  const { sessionID, time } = after
  const id = `${after.id}_rulebook`
  const info = { id, sessionID, role: "user" as const, time: { created: time.created }, ...settingsOf(after) }
  return withTexts({ info, parts: [] }, texts)
}

function partsOf({ id, sessionID }: Message, texts: readonly Text[]): Part[] {
  return texts.map((text, index) => {
    return { ...text, id: `prt_${id}_rulebook${index}`, sessionID, messageID: id, type: "text", synthetic: true }
  })
}

function settingsOf(info: Message): Pick<UserMessage, "agent" | "model"> {
  if (info.role === "user") return { agent: info.agent, model: info.model }
  return { agent: info.mode, model: { providerID: info.providerID, modelID: info.modelID } }
}
