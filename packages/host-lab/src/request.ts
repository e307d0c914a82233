/** What a request is for: a step of a turn, the session's title, or a compaction summary. */
export type RequestKind = "dispatch" | "title" | "summary"

export type RequestMessage = {
  readonly role: "system" | "user" | "assistant" | "tool"
  readonly text: string
  readonly calls: readonly { readonly tool: string; readonly args: string }[]
  readonly raw: unknown
}

/** One request that the host sent to the scripted provider. */
export type ProviderRequest = {
  readonly kind: RequestKind
  readonly project: string
  readonly sessionID: string
  readonly parentID: string | undefined
  readonly model: string
  readonly messages: readonly RequestMessage[]
  /** All text of the messages, system prompt included, in order. */
  readonly text: string
  /** All text of the messages but the system prompt. */
  readonly conversation: string
  readonly tools: readonly string[]
  /** The HTTP headers, names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly raw: RawBody
}

export type RawBody = {
  readonly model: string
  readonly messages: readonly RawMessage[]
  readonly tools?: readonly RawTool[]
  readonly tool_choice?: unknown
  readonly [key: string]: unknown
}

type RawTool = {
  readonly function: { readonly name: string; readonly parameters?: { readonly properties?: object } }
}

type RawMessage = {
  readonly role: RequestMessage["role"]
  readonly content?: string | readonly { readonly type: string; readonly text?: string }[] | null
  readonly tool_calls?: readonly { readonly function: { readonly name: string; readonly arguments: string } }[]
}

/**
 * Reads one chat-completions request.
 * The session ids come from the `x-session-id` and `x-parent-session-id` headers; a provider whose name begins with `opencode`
 * gets `x-opencode-session` (measured on OpenCode 1.18.33).
 */
export function readRequest(project: string, headers: Headers, raw: RawBody): ProviderRequest {
  const messages = raw.messages.map(readMessage)
  return {
    kind: kindOf(raw, messages),
    project,
    sessionID: headers.get("x-session-id") ?? headers.get("x-opencode-session") ?? "",
    parentID: headers.get("x-parent-session-id") ?? undefined,
    model: raw.model,
    messages,
    text: messages.map((message) => message.text).join("\n"),
    conversation: messages
      .filter((message) => message.role !== "system")
      .map((message) => message.text)
      .join("\n"),
    tools: (raw.tools ?? []).map((tool) => tool.function.name),
    headers: Object.fromEntries(headers),
    raw,
  }
}

function readMessage(raw: RawMessage): RequestMessage {
  return {
    role: raw.role,
    text: textOf(raw.content),
    calls: (raw.tool_calls ?? []).map((entry) => ({ tool: entry.function.name, args: entry.function.arguments })),
    raw,
  }
}

function textOf(content: RawMessage["content"]): string {
  if (typeof content === "string") return content
  return (content ?? []).map((part) => part.text ?? `[${part.type}]`).join("\n")
}

/** The host's own agents are known by their system prompts; neither is offered tools. */
function kindOf(raw: RawBody, messages: readonly RequestMessage[]): RequestKind {
  const system = messages.find((message) => message.role === "system")?.text ?? ""
  if (raw.tools && raw.tools.length > 0) return "dispatch"
  if (system.startsWith("You are a title generator")) return "title"
  if (/summar/i.test(system.slice(0, 400))) return "summary"
  return "dispatch"
}
