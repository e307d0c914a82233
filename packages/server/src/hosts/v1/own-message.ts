import type { Part, UserMessage } from "@opencode-ai/sdk"
import { type Client, readMessage } from "./client.ts"
import { deliveryOfPart } from "./history.ts"

/** What `chat.message` hands to each plugin in turn. */
interface Announced {
  message: UserMessage
  parts: Part[]
}

/**
 * Whether an announced message is a delivery of ours on its way into the history. Other plugins may have put parts of
 * their own before it; a user's message can carry a copy of a delivered part.
 *
 * @param storing the ids of the deliveries that are on their way.
 */
export function isOwnMessage(parts: readonly Part[], storing: ReadonlySet<string>): boolean {
  const deliveries = parts.flatMap((part) => deliveryOfPart(part) ?? [])
  if (deliveries.some(({ id }) => id !== undefined && storing.has(id))) return true
  return deliveries.length > 0 && parts.every((part) => part.type === "text" && part.synthetic)
}

/**
 * Makes what the host stores of a delivery nothing but its parts: the message that carries it stays as it is stored, its
 * time and diff summary included, and what other plugins add to each user message is not added to it once more. The host
 * stores the very message and parts that it announced; plugins behind this one get copies (measured on OpenCode 1.18.33).
 *
 * @param known the newest user message, for a host that can't show the stored one.
 */
export async function keepAlone(client: Client, output: Announced, known: UserMessage | undefined): Promise<void> {
  const { message, parts } = output
  const { message: stored = known } = await readMessage(client, message.sessionID, message.id)
  if (stored?.id === message.id) makeEqual(message, stored)
  parts.splice(0, parts.length, ...parts.filter((part) => deliveryOfPart(part) !== undefined))
  output.message = { ...message }
  output.parts = [...parts]
}

/** An output format is stored only in the form that the host has just made of the same one (measured on OpenCode 1.18.33). */
function makeEqual(message: UserMessage & { readonly format?: unknown }, stored: UserMessage): void {
  const { format } = message
  for (const key of Object.keys(message)) if (!Object.hasOwn(stored, key)) Reflect.deleteProperty(message, key)
  Object.assign(message, stored, format === undefined ? {} : { format })
}
