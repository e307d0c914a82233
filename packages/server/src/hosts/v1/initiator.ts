import type { Message, UserMessage } from "@opencode-ai/sdk"

/** The header by which GitHub Copilot counts requests: those that the user initiated are billed. */
const HEADER = "x-initiator"

/** Tells GitHub Copilot who initiated a session's requests. */
export interface Initiator {
  /**
   * A request of a turn is about to be sent.
   *
   * @param before the last message that the host has for it.
   * @param after the last one with the rules in it.
   */
  dispatched(before: Entry | undefined, after: Entry | undefined): void
  /** Sets the request's header to what it is without the rules. */
  mark(
    request: {
      readonly agent: string
      readonly model: { readonly providerID: string }
      readonly message: Pick<UserMessage, "agent">
    },
    headers: Record<string, string>,
  ): void
}

interface Entry {
  readonly info: Pick<Message, "role">
}

/**
 * The host takes a request for the user's when its last message has the role `user`, and a header that a plugin sets goes
 * before that (measured on OpenCode 1.18.33). Behind a tool's result the last message would be a rule.
 */
export function createInitiator(): Initiator {
  let isAgents = false
  return {
    dispatched(before, after) {
      isAgents = before?.info.role === "assistant" && after?.info.role === "user"
    },
    mark({ agent, model, message }, headers) {
      // A title's request goes out beside the turn's and has an agent of its own.
      if (isAgents && agent === message.agent && model.providerID.includes("github-copilot")) headers[HEADER] = "agent"
    },
  }
}
