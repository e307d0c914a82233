import type { PluginInput } from "@opencode-ai/plugin"
import type { UserMessage } from "@opencode-ai/sdk"
import type { LogLevel } from "../../engine/port.ts"
import { describeError } from "../shared/errors.ts"
import { field, text } from "../shared/untyped.ts"
import type { V1Message } from "./history.ts"

/** The client that the host gives to a plugin. */
export type Client = PluginInput["client"]

export type History =
  | { readonly kind: "read"; readonly messages: readonly V1Message[] }
  | { readonly kind: "unreadable"; readonly reason: string }

/** A session's whole stored history. */
export async function readHistory(client: Client, sessionID: string): Promise<History> {
  try {
    const result = await client.session.messages({ path: { id: sessionID } })
    if (result.error) return { kind: "unreadable", reason: describeError(result.error) }
    return { kind: "read", messages: result.data ?? [] }
  } catch (error) {
    return { kind: "unreadable", reason: describeError(error) }
  }
}

/** A user message as the host has it stored, or that it has none of that id, or that it can't show it. */
export async function readMessage(
  client: Client,
  sessionID: string,
  messageID: string,
): Promise<{ readonly kind: "read" | "missing" | "unreadable"; readonly message?: UserMessage }> {
  try {
    const { data, response } = await client.session.message({ path: { id: sessionID, messageID } })
    if (data?.info.role === "user") return { kind: "read", message: data.info }
    return { kind: data || response?.status === 404 ? "missing" : "unreadable" }
  } catch {
    return { kind: "unreadable" }
  }
}

/**
 * The agent and model that the host has noted of a session: those of its newest prompt, which need not be those of its
 * newest user message, and on earlier versions nothing (measured on OpenCode 1.18.33). Each prompt notes its own.
 */
export async function notedSettings(client: Client, sessionID: string) {
  const session = await readSession(client, sessionID)
  const agent = text(session, "agent")
  const model = field(session, "model")
  const [providerID, modelID, variant] = ["providerID", "id", "variant"].map((key) => text(model, key))
  return {
    ...(agent === undefined ? {} : { agent }),
    ...(providerID === undefined || modelID === undefined
      ? {}
      : { model: { providerID, modelID }, variant: variant === NO_VARIANT ? undefined : variant }),
  }
}

/** What the host notes for a prompt without a variant. */
const NO_VARIANT = "default"

/** The session that a subagent's session was started from; undefined for others, and when the host can't tell. */
export async function parentOf(client: Client, sessionID: string): Promise<string | undefined> {
  return text(await readSession(client, sessionID), "parentID")
}

async function readSession(client: Client, sessionID: string): Promise<unknown> {
  try {
    return (await client.session.get({ path: { id: sessionID } })).data
  } catch {
    return undefined
  }
}

/** Writes to the host's log. Fire and forget. */
export function writeLog(client: Client, level: LogLevel, message: string): void {
  try {
    // The host's log has no column for the service (measured on OpenCode 1.18.33): the name goes into the message.
    const body = { service: "opencode-rulebook", level, message: `opencode-rulebook: ${message}` }
    void client.app.log({ body })?.catch(() => undefined)
  } catch {
    // A log that can't be written must not disturb what it reports on.
  }
}
