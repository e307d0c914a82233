import type { RuleId } from "@opencode-rulebook/rule-schema"
import { withTimeout } from "../../with-timeout.ts"
import { deliveryOfMetadata } from "../shared/metadata.ts"
import { field, text } from "../shared/untyped.ts"
import type { V2Context } from "./host.ts"

/** How long the host may take to read a session's messages, in milliseconds. */
const PATIENCE_MS = 5_000

/** What the host has stored of a session and dispatches don't tell: a fork's messages have new ids, but their metadata. */
export interface StoredMessages {
  /** The rules that a message delivers, by its id. */
  readonly deliveries: ReadonlyMap<string, readonly RuleId[]>
  /** Each message with its id and type. */
  readonly messages: readonly unknown[]
}

/**
 * Reads a session's stored messages from the host.
 *
 * @param patienceMs how long the host may take to answer, in milliseconds.
 * @returns undefined when it has no means for it, fails, or takes too long.
 */
export async function readStored(
  session: V2Context["session"],
  sessionID: string,
  patienceMs = PATIENCE_MS,
): Promise<StoredMessages | undefined> {
  if (!session.context) return undefined
  try {
    const answer = await withTimeout(session.context({ sessionID }), patienceMs)
    const value = answer.kind === "done" ? answer.value : undefined
    const messages = [value, field(value, "data"), field(value, "messages")].find(Array.isArray)
    if (!messages) return undefined
    const plain = messages.map((message: unknown) =>
      field(message, "id") === undefined ? field(message, "info") : message,
    )
    return { messages: plain, deliveries: new Map(plain.flatMap(deliveryOf)) }
  } catch {
    return undefined
  }
}

function deliveryOf(message: unknown): (readonly [string, RuleId[]])[] {
  const id = text(message, "id")
  const delivery = deliveryOfMetadata(field(message, "metadata"))
  return id === undefined || delivery === undefined ? [] : [[id, delivery.rules]]
}
