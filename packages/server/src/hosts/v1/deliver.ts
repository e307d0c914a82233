import type { Part, UserMessage } from "@opencode-ai/sdk"
import type { DurableDelivery, HostPort, PersistOutcome } from "../../engine/port.ts"
import { describeError } from "../shared/errors.ts"
import { deliveryMetadata } from "../shared/metadata.ts"
import { type Client, notedSettings, readHistory, readMessage, writeLog } from "./client.ts"
import { afterCompaction, newestUserMessage, storedDeliveries } from "./history.ts"

/**
 * The v1 host's port: no-reply prompts in, stored messages out.
 *
 * A delivery is stored under the id of a user message that is there already: the host adds its part to that message
 * (measured on OpenCode 1.18.33). A message of its own would be the newest one of the user, from which the host derives
 * who initiated a request, what a mention allows, what to undo and to prune; and it would cost a request when it lands
 * behind a turn's last answer.
 *
 * @param client the client that the host gives to the plugin.
 * @param newestPrompt the newest user message of a session, as far as it is known.
 * @param storing the ids of the deliveries that are on their way; the port keeps it.
 */
export function createPort(
  client: Client,
  newestPrompt: (sessionID: string) => UserMessage | undefined,
  storing: Set<string>,
): HostPort {
  /** The message that is to carry a delivery, with the settings that storing it must leave as they are. */
  async function carrierOf(sessionID: string): Promise<Carrier> {
    const known = newestPrompt(sessionID)
    const stored = known ? await readMessage(client, sessionID, known.id) : undefined
    // What the host can't show (one with a JSON schema, measured on OpenCode 1.18.33) is there all the same.
    if (known && stored?.kind !== "missing") return { kind: "read", message: stored?.message ?? known }
    const history = await readHistory(client, sessionID)
    if (history.kind === "unreadable") return history
    return { kind: "read", message: newestUserMessage(history.messages) }
  }

  async function prompt(sessionID: string, delivery: DurableDelivery): Promise<PersistOutcome> {
    const carrier = await carrierOf(sessionID)
    if (carrier.kind === "unreadable") return { kind: "failed", reason: carrier.reason }
    const { message } = carrier
    const settings = message ? { messageID: message.id, ...settingsOf(message) } : {}
    // The host notes a prompt's agent and model for the session, and then stores what `chat.message` makes of them.
    const noted = await notedSettings(client, sessionID)
    const body = { noReply: true, ...settings, ...noted, parts: partsOf(delivery) }
    const result = await client.session.prompt({ path: { id: sessionID }, body })
    if (result.error) return { kind: "failed", reason: describeError(result.error) }
    return { kind: "stored", messageID: result.data?.info?.id }
  }

  return {
    async persist(sessionID, delivery) {
      storing.add(delivery.id)
      try {
        return await prompt(sessionID, delivery)
      } catch (error) {
        return { kind: "failed", reason: describeError(error) }
      } finally {
        storing.delete(delivery.id)
      }
    },
    async storedDeliveries(sessionID) {
      const history = await readHistory(client, sessionID)
      if (history.kind === "unreadable") return history
      return { kind: "read", deliveries: storedDeliveries(afterCompaction(history.messages)) }
    },
    log: (level, message) => writeLog(client, level, message),
  }
}

type Carrier =
  | { readonly kind: "read"; readonly message: UserMessage | undefined }
  | { readonly kind: "unreadable"; readonly reason: string }

/** A delivery as parts of a user's message that the host is about to store. */
export function appendedParts(delivery: DurableDelivery, message: UserMessage, id: string): Part[] {
  const own = { sessionID: message.sessionID, messageID: message.id }
  return partsOf(delivery).map((part, index) => ({ ...part, ...own, id: index === 0 ? id : `${id}${index}` }))
}

function partsOf({ id, parts }: DurableDelivery) {
  return parts.map(({ rules, text, place }) => {
    return { type: "text" as const, text, synthetic: true, metadata: deliveryMetadata({ id, rules, place }) }
  })
}

/** What of a message decides the steps after it. `variant` and `format` are not in the v1 client's types. */
type StoredSettings = Pick<UserMessage, "agent" | "system" | "tools"> & {
  readonly model?: UserMessage["model"] & { readonly variant?: string }
  readonly format?: unknown
}

/** The same settings as a prompt takes them; the server stores all of them (measured on OpenCode 1.18.33). */
function settingsOf({ agent, model, system, tools, format }: StoredSettings) {
  const { providerID, modelID, variant } = model ?? {}
  return {
    agent,
    ...(providerID === undefined || modelID === undefined ? {} : { model: { providerID, modelID } }),
    ...(variant === undefined ? {} : { variant }),
    ...(system === undefined ? {} : { system }),
    ...(tools === undefined ? {} : { tools }),
    ...(format === undefined ? {} : { format }),
  }
}
