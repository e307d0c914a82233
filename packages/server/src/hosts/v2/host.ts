/**
 * The few shapes of OpenCode v2 that this adapter uses, declared structurally and as loosely as its versions differ: its packages
 * are on no registry. Measured on a preview of July 2026; those of the stable line (2.0.26) were read in its sources. What only
 * some have is optional, what has several forms is unknown and read with care.
 */
export interface V2Context {
  /** The plugin's options, not yet validated. */
  readonly options?: unknown
  /** The folder that this instance of the plugin works for: the stable line makes one instance for each. */
  readonly location?: unknown
  readonly session: {
    /** A name that the host doesn't know is never called (measured). */
    hook(name: "context", callback: (event: ContextEvent) => Promise<void>): MaybePromise<Registration>
    hook(name: "prompt" | "compaction", callback: (event: object) => Promise<void>): MaybePromise<Registration>
    get?(input: { readonly sessionID: string }): Promise<unknown>
    /** The stored messages behind the last compaction, each with its metadata (stable line). */
    context?(input: { readonly sessionID: string }): Promise<unknown>
    synthetic(input: SyntheticInput): Promise<unknown>
  }
  readonly tool: {
    hook(
      name: "execute.before" | "execute.after",
      callback: (event: ToolCall) => Promise<void>,
    ): MaybePromise<Registration>
    /** Every registered tool, those behind `execute` included (stable line). */
    list?(): Promise<unknown>
  }
  /** The MCP servers and their status (stable line). */
  readonly mcp?: { list?(): Promise<unknown> }
  readonly event: { subscribe(): AsyncIterable<unknown> }
}

type MaybePromise<T> = T | Promise<T>

export interface Registration {
  dispose(): unknown
}

/** A message on its way into the conversation. `resume: false` does not wake an idle session. */
export interface SyntheticInput {
  readonly sessionID: string
  /** Kept by the host, and the message's id in `context`. No more than 100 characters. */
  readonly id: string
  readonly text: string
  readonly description: string
  /** Stored, but not shown in `context`. */
  readonly metadata: Readonly<Record<string, unknown>>
  readonly resume: false
}

/** A provider request as it is about to be sent; only changes in place count. A throw ends the turn. */
export interface ContextEvent {
  readonly sessionID: string
  readonly agent?: string
  readonly model?: { readonly id: string; readonly providerID: string }
  readonly messages: V2Message[]
  /** By name. */
  readonly tools?: unknown
}

export interface V2Message {
  /** Tool results have none, nor have the stable line's `system` messages between the others. */
  readonly id?: string
  readonly role: string
  readonly content: readonly unknown[] | string
  /** Messages that the user wrote have it, if only empty; synthetic ones don't (recorded, and so on the stable line). */
  readonly metadata?: unknown
}

/** One call, before and after it runs. A throw before it is a tool error that the model reads. */
export interface ToolCall {
  readonly tool: string
  readonly sessionID: string
  /** The message that holds the call: the same for all calls of a step. */
  readonly messageID?: string
  /** July's preview. */
  readonly callID?: string
  /** The stable line. Calls inside `execute` have their parent's. */
  readonly id?: string
  readonly input: unknown
  /** After the call only. Stable: `{ output?, content[], metadata? }`. July: `{ type: "text" | "json" | "content" | "error", value }`. */
  readonly result?: unknown
  /** July: `{ structured, content }`; absent when the call failed. */
  readonly output?: unknown
  /** Stable: "completed" or "error". */
  readonly status?: string
}
