/**
 * The few shapes of OpenCode 2 that the guard uses, declared by structure: its packages are not on the registry. Read in the
 * sources of 2.0.26 (`packages/plugin/src/promise`, `packages/core/src/permission.ts`); none of it was measured. Whatever a
 * host lacks is undefined here.
 */
export interface HostContext {
  readonly location?: {
    readonly directory: string
    /** `directory` is the root of the repository, `/` when there is none. */
    readonly project?: { readonly directory: string }
  }
  readonly tool?: {
    hook(name: "execute.before" | "execute.after", callback: (event: ToolEvent) => Promise<void> | void): unknown
  }
  readonly permission?: {
    hook?(name: "evaluate", callback: (event: Evaluation) => Promise<void> | void): unknown
    reply?(input: { readonly sessionID: string; readonly requestID: string; readonly reply: "once" }): Promise<unknown>
  }
  readonly agent?: {
    /** The agent as it is now, the config's rules included: `{ location, data: { permissions } }`. */
    get?(input: { readonly agentID: string }): Promise<unknown>
  }
  readonly session?: {
    /** `permissions` are the session's own rules. */
    get?(input: { readonly sessionID: string }): Promise<unknown>
  }
  readonly event?: { subscribe(): AsyncIterable<unknown> }
}

/** A tool call before it runs, where a throw is an error that the model reads, or after. */
export interface ToolEvent {
  readonly tool: string
  readonly sessionID: string
  readonly agent: string
  /** Calls inside of Code Mode have that of the call around them. A preview of July 2026 calls it `callID` (recorded). */
  readonly id?: string
  readonly callID?: string
  readonly input: unknown
}

/**
 * A request for permission, after rules and saved approvals. It comes for what no rule denies; for a shell call once, with all
 * commands that the host sees in it, and not at all when it sees none.
 */
export interface Evaluation {
  readonly sessionID: string
  /** `shell`, `external_directory`, `edit` … */
  readonly action: string
  readonly resources: readonly string[]
  readonly source?: { readonly type: string; readonly id: string }
  effect: "allow" | "ask" | "deny"
  /** The dialog shows it; of a "deny" the model reads it. */
  message?: string
}
