import type { Message, OpencodeClient, OutputFormat, Part, Session as StoredSession } from "@opencode-ai/sdk/v2"
import type { ScriptedProvider } from "./provider.ts"
import type { ProviderRequest } from "./request.ts"
import type { ScriptExtras } from "./runs.ts"
import type { Script, Step } from "./script.ts"
import type { Inspector } from "./whole/inspector.ts"

export type PromptOptions = ScriptExtras & {
  readonly script?: Script
  /** Lets the turn leave steps over or ask for more than the script has, which is an error else. */
  readonly loose?: boolean
  readonly agent?: string
  /** A model of the lab's provider: "plain", "other", "gpt-5-lab", "small". */
  readonly model?: string
  readonly variant?: string
  readonly system?: string
  readonly tools?: Record<string, boolean>
  readonly format?: OutputFormat
  readonly noReply?: boolean
  readonly messageID?: string
  /** In place of the one text part. */
  readonly parts?: NonNullable<PromptBody["parts"]>
}

type PromptBody = Parameters<OpencodeClient["session"]["prompt"]>[0]

export type Turn = {
  /** The session's own provider requests of the turn, titles left out. */
  readonly requests: readonly ProviderRequest[]
  /** Provider requests of the sessions that subagents ran in. */
  readonly childRequests: readonly ProviderRequest[]
  /** What the host answered. */
  readonly reply: StoredMessage
}

export type StoredMessage = { readonly info: Message; readonly parts: readonly Part[] }

/** Each turn's requests are checked to be whole, those of its subagents included: see `checkRequest`. */
export type Session = {
  readonly id: string
  /** Resolves when the turn has ended. */
  prompt(text: string, script: Script | PromptOptions): Promise<Turn>
  command(name: string, args: string, script: Script | PromptOptions): Promise<Turn>
  /** Compacts; the step answers the summary request. */
  summarize(summary?: Step): Promise<Omit<Turn, "reply">>
  revert(messageID: string): Promise<StoredSession>
  unrevert(): Promise<StoredSession>
  abort(): Promise<void>
  /** Says that the history is changed by other means: what a request had before is not expected in those behind it. */
  rewritten(): Promise<void>
  /** The stored history, all of it. */
  messages(): Promise<StoredMessage[]>
  children(): Promise<StoredSession[]>
  /** Every provider request of this session so far, titles left out. */
  requests(): ProviderRequest[]
}

export type SessionHost = {
  readonly key: string
  readonly client: () => OpencodeClient
  readonly provider: ScriptedProvider
  readonly inspector: Inspector
  /** The templates of the project's slash commands, by name. */
  readonly templates: Readonly<Record<string, string>>
}

/** Opens the session of that id, or a new one. */
export async function openSession(host: SessionHost, known?: string): Promise<Session> {
  const id = known ?? (await unwrap(host.client().session.create({}))).id

  function requests(): ProviderRequest[] {
    return host.provider.requests.filter((request) => request.sessionID === id && request.kind !== "title")
  }

  async function scripted<T>(options: PromptOptions, texts: readonly string[], work: () => Promise<T>) {
    const before = host.provider.requests.length
    const run = host.provider.script({ sessionID: id }, options.script ?? [], options)
    const end = host.inspector.begin(id, texts)
    try {
      const result = await settled(work(), end)
      await host.inspector.inspect()
      const seen = host.provider.requests.slice(before).filter((request) => request.kind !== "title")
      const fault = options.loose ? undefined : run.fault()
      if (fault) throw fault
      return {
        result,
        requests: seen.filter((request) => request.sessionID === id),
        childRequests: seen.filter((request) => request.parentID === id),
      }
    } finally {
      run.end()
    }
  }

  async function rewritten(): Promise<void> {
    await host.inspector.inspect()
    host.inspector.rewritten(id)
  }

  return {
    id,
    async prompt(text, given) {
      const options = optionsOf(given)
      const body = bodyOf(text, options)
      const { result, ...turn } = await scripted(options, textsOf(body), () =>
        unwrap(host.client().session.prompt({ sessionID: id, ...body })),
      )
      return { ...turn, reply: result }
    },
    async command(name, args, given) {
      const options = optionsOf(given)
      const { result, ...turn } = await scripted(options, [], () =>
        unwrap(
          host.client().session.command({
            sessionID: id,
            command: name,
            arguments: args,
            ...(options.agent ? { agent: options.agent } : {}),
            ...(options.model ? { model: `lab/${options.model}` } : {}),
          }),
        ),
      )
      return { ...turn, reply: result }
    },
    async summarize(summary) {
      const options = { script: [], loose: true, ...(summary ? { summary } : {}) }
      const { result: _, ...turn } = await scripted(options, [], () =>
        unwrap(host.client().session.summarize({ sessionID: id, providerID: "lab", modelID: "plain" })),
      )
      return turn
    },
    async revert(messageID) {
      await rewritten()
      return await unwrap(host.client().session.revert({ sessionID: id, messageID }))
    },
    async unrevert() {
      await rewritten()
      return await unwrap(host.client().session.unrevert({ sessionID: id }))
    },
    rewritten,
    async abort() {
      await unwrap(host.client().session.abort({ sessionID: id }))
    },
    messages: () => unwrap(host.client().session.messages({ sessionID: id })),
    children: () => unwrap(host.client().session.children({ sessionID: id })),
    requests,
  }
}

/** Tells whether the work came to something before it hands on what it came to. */
async function settled<T>(work: Promise<T>, end: (isDone: boolean) => void): Promise<T> {
  try {
    const result = await work
    end(true)
    return result
  } catch (error) {
    end(false)
    throw error
  }
}

/** What the user wrote in a prompt. */
function textsOf({ parts = [] }: Pick<PromptBody, "parts">): string[] {
  return parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : []))
}

function optionsOf(given: Script | PromptOptions): PromptOptions {
  return typeof given === "function" || isSteps(given) ? { script: given } : given
}

function isSteps(given: Script | PromptOptions): given is readonly Step[] {
  return Array.isArray(given)
}

function bodyOf(text: string, options: PromptOptions): Omit<PromptBody, "sessionID"> {
  const { agent, model, variant, system, tools, format, noReply, messageID } = options
  return {
    parts: options.parts ?? [{ type: "text", text }],
    ...(agent ? { agent } : {}),
    ...(model ? { model: { providerID: "lab", modelID: model } } : {}),
    ...(variant ? { variant } : {}),
    ...(system ? { system } : {}),
    ...(tools ? { tools } : {}),
    ...(format ? { format } : {}),
    ...(noReply ? { noReply } : {}),
    ...(messageID ? { messageID } : {}),
  }
}

type Result<T> = { readonly data?: T; readonly error?: unknown }

async function unwrap<T>(result: Promise<Result<T>>): Promise<NonNullable<T>> {
  const { data, error } = await result
  if (data !== undefined && data !== null) return data
  throw new Error(`OpenCode answered with an error: ${JSON.stringify(error) ?? "no body"}`)
}
