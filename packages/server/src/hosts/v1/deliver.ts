import type { PluginInput } from "@opencode-ai/plugin"
import type { Part, UserMessage } from "@opencode-ai/sdk"
import type { DurableDelivery, HostPort, LogLevel } from "../../engine/port.ts"
import { describeError } from "../shared/errors.ts"
import { deliveryMetadata } from "../shared/metadata.ts"
import { afterCompaction, newestUserMessage, storedDeliveries, type V1Message } from "./history.ts"

type Client = PluginInput["client"]

/**
 * The v1 host's port: no-reply prompts in, stored messages out.
 *
 * @param client the client that the host gives to the plugin.
 * @param newestPrompt the newest user message of a session, as far as it is known. A stored message decides the
 *   settings of the steps that follow it, so a delivery takes over those of the message before it.
 */
export function createPort(client: Client, newestPrompt: (sessionID: string) => UserMessage | undefined): HostPort {
  /** Without its settings a delivery would switch the turn to the default agent: if they are not known, they are looked up. */
  async function newestOf(sessionID: string) {
    const known = newestPrompt(sessionID)
    if (known) return { kind: "read", settings: settingsOf(known) } as const
    const history = await readHistory(client, sessionID)
    if (history.kind === "unreadable") return history
    const newest = newestUserMessage(history.messages)
    return { kind: "read", settings: newest ? settingsOf(newest) : {} } as const
  }

  return {
    async persist(sessionID, delivery) {
      const newest = await newestOf(sessionID)
      if (newest.kind === "unreadable") return { kind: "failed", reason: newest.reason }
      const body = { noReply: true, ...newest.settings, parts: [textPart(delivery)] }
      try {
        const result = await client.session.prompt({ path: { id: sessionID }, body })
        if (result?.error) return { kind: "failed", reason: describeError(result.error) }
        return { kind: "stored", messageID: result?.data?.info?.id }
      } catch (error) {
        return { kind: "failed", reason: describeError(error) }
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

type History =
  | { readonly kind: "read"; readonly messages: readonly V1Message[] }
  | { readonly kind: "unreadable"; readonly reason: string }

async function readHistory(client: Client, sessionID: string): Promise<History> {
  try {
    const result = await client.session.messages({ path: { id: sessionID } })
    if (result?.error) return { kind: "unreadable", reason: describeError(result.error) }
    return { kind: "read", messages: result?.data ?? [] }
  } catch (error) {
    return { kind: "unreadable", reason: describeError(error) }
  }
}

/** A delivery as a part of the user's own message: the host stores it with the message. */
export function appendedPart(delivery: DurableDelivery, message: UserMessage, id: string): Part {
  return { ...textPart(delivery), id, sessionID: message.sessionID, messageID: message.id }
}

function textPart(delivery: DurableDelivery) {
  return { type: "text" as const, text: delivery.text, synthetic: true, metadata: deliveryMetadata(delivery) }
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

function writeLog(client: Client, level: LogLevel, message: string): void {
  try {
    // The host's log has no column for the service (measured on OpenCode 1.18.33): the name goes into the message.
    const body = { service: "opencode-rulebook", level, message: `opencode-rulebook: ${message}` }
    void client.app.log({ body })?.catch(() => undefined)
  } catch {
    // A log that can't be written must not disturb what it reports on.
  }
}
