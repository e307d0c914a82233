/**
 * The few shapes of OpenCode 2 that the guard uses, declared by structure: the packages are not on the registry. Tool
 * hooks were measured on a preview of July 2026; `agent.transform` is what `@opencode-ai/plugin` 1.18.33 declares in its
 * `v2/promise` entry. Whatever is missing on a host is undefined here.
 */
export interface HostContext {
  readonly tool?: {
    hook(name: "execute.before", callback: (event: ToolEvent) => Promise<void> | void): unknown
  }
  readonly agent?: {
    transform(callback: (draft: AgentDraft) => void): unknown
  }
  readonly options?: unknown
}

export interface ToolEvent {
  readonly tool: string
  readonly sessionID: string
  readonly agent: string
  readonly input: unknown
}

export interface AgentDraft {
  list(): readonly HostAgent[]
  update(id: string, change: (agent: HostAgent) => void): void
}

export interface HostAgent {
  readonly id: string
  permissions?: HostRule[]
}

/** A rule as version 2 writes it. */
export interface HostRule {
  readonly action: string
  readonly resource: string
  readonly effect: "allow" | "ask" | "deny"
}
