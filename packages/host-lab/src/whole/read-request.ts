import type { ProviderRequest, RequestMessage } from "../request.ts"
import { type FramedRule, rulesOfFrame } from "./frames.ts"
import { isPassing, isReplaced } from "./host-texts.ts"
import { isTransient, type KnownRules } from "./known-rules.ts"

/** A request as it was read, for the one behind it. */
export type ReadRequest = { readonly messages: readonly ReadMessage[] }

export type ReadMessage = {
  readonly json: string
  readonly role: RequestMessage["role"]
  /** Its text parts in order: a frame's rules, or what the user, OpenCode and other plugins have put there. */
  readonly parts: readonly (string | readonly FramedRule[])[]
  readonly texts: readonly string[]
  readonly rules: readonly FramedRule[]
}

type RawMessage = ProviderRequest["raw"]["messages"][number]

export function readMessage(raw: RawMessage, before: ReadMessage | undefined): ReadMessage {
  const json = JSON.stringify(raw)
  if (before?.json === json) return before
  const { role, content } = raw
  const all = typeof content === "string" ? [content] : (content ?? []).map(({ text }) => text)
  const given = all.filter((text) => text !== undefined)
  const parts = role === "user" ? given.map((text) => rulesOfFrame(text) ?? text) : given
  const texts = parts.filter((part) => typeof part === "string")
  return { json, role, parts, texts, rules: parts.flatMap((part) => (typeof part === "string" ? [] : part)) }
}

/** What every later request of the session has of a message, until OpenCode rewrites the conversation. */
export type Lasting = { readonly message: ReadMessage; readonly text: string }

export function lastingOf(message: ReadMessage, known: KnownRules, others: readonly string[]): Lasting[] {
  const { role, json, parts, texts } = message
  if (role === "system") return []
  if (role !== "user") return texts.some(isPassing) ? [] : [{ message, text: json }]
  const lasting = parts.flatMap((part): (string | FramedRule)[] => {
    if (typeof part !== "string") return part.filter((rule) => !isTransient(rule, known))
    return isPassing(part) || others.includes(part) ? [] : [part]
  })
  return lasting.length === 0 ? [] : [{ message, text: JSON.stringify(lasting) }]
}

/** Whether a later request may have this tool result in place of the other. */
export function mayReplace(is: Lasting, was: Lasting): boolean {
  const [before = "", after = ""] = [was, is].map(({ message: { texts } }) => texts.join(""))
  return [was, is].every(({ message: { role } }) => role === "tool") && isReplaced(before, after)
}
