/**
 * The few shapes of OpenCode v2 that this adapter uses. The preview's packages are not on a registry, so they are declared
 * here, structurally and as loosely as the previews differ: what only some of them have is optional, what was seen in
 * several forms is unknown and read with care. Measured on a preview of July 2026.
 */
export interface V2Context {
  /** The plugin's options, not yet validated. */
  readonly options?: unknown
  /** The folder that this instance of the plugin works for, where the host says so. */
  readonly location?: unknown
  readonly session: {
    /** A name that the host doesn't know is never called (measured). */
    hook(name: "context", callback: (event: ContextEvent) => Promise<void>): MaybePromise<Registration>
    hook(name: "prompt" | "compaction", callback: (event: object) => Promise<void>): MaybePromise<Registration>
    get?(input: { readonly sessionID: string }): Promise<unknown>
    synthetic(input: SyntheticInput): Promise<unknown>
  }
  readonly tool: {
    hook(
      name: "execute.before" | "execute.after",
      callback: (event: ToolCall) => Promise<void>,
    ): MaybePromise<Registration>
  }
  readonly event: { subscribe(): AsyncIterable<unknown> }
}

type MaybePromise<T> = T | Promise<T>

export interface Registration {
  dispose(): unknown
}

/** A message on its way into the conversation. `resume: false` does not wake an idle session. */
export interface SyntheticInput {
  readonly sessionID: string
  /** Kept by the host, and the message's id in `context`. */
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
  /** Tool results have none. */
  readonly id?: string
  readonly role: string
  readonly content: readonly unknown[] | string
  /** Messages that the user wrote have it, synthetic ones don't (recorded). */
  readonly metadata?: unknown
}

/** One call, before and after it runs. A throw before it is a tool error that the model reads. */
export interface ToolCall {
  readonly tool: string
  readonly sessionID: string
  readonly callID?: string
  /** Later previews, in place of `callID`. */
  readonly id?: string
  readonly input: unknown
  /** `{ type: "text" | "json" | "content" | "error", value }`; after the call only. */
  readonly result?: unknown
  /** `{ structured, content }`; absent when the call failed. */
  readonly output?: unknown
  /** Later previews: "completed" or "error". */
  readonly status?: string
}
