import type { RuleId } from "@opencode-rulebook/rule-schema"
import type { Runtime } from "../../runtime/runtime.ts"
import { createMessageTokens, type MessageTokens } from "../shared/message-tokens.ts"
import { text } from "../shared/untyped.ts"
import { type BlockedCalls, createBlockedCalls } from "./blocked-calls.ts"
import type { V2Context, V2Message } from "./host.ts"
import { isOwnID } from "./ids.ts"
import { createPromptReader, type PromptReader } from "./prompt.ts"
import { createSteps, type Steps } from "./steps.ts"
import { readStored } from "./stored.ts"
import { createUnsureReads, type UnsureReads } from "./unsure-reads.ts"

/** What the adapter itself must remember of a session between hooks. */
export interface V2Session {
  readonly prompts: PromptReader
  readonly steps: Steps
  readonly blocked: BlockedCalls
  readonly reads: UnsureReads
  readonly tokens: MessageTokens
  /** What the latest dispatch offers to its model. */
  offered: ReadonlySet<string> | undefined
  /** That of the session's folder. */
  runtime: Promise<Runtime> | undefined
  /** The rules that messages deliver whose ids don't tell. */
  deliveries: ReadonlyMap<string, readonly RuleId[]>
  /** How often the host may still be asked for the stored messages. */
  questions: number
}

/** Stored messages that have the role of a user in a dispatch. */
const TOLD_TYPES: ReadonlySet<string> = new Set(["user", "synthetic", "skill", "shell"])

/** The host can fail once or twice; it isn't asked at each dispatch for ever. */
const MOST_QUESTIONS = 3

export function createV2Session(): V2Session {
  return {
    prompts: createPromptReader(),
    steps: createSteps(),
    blocked: createBlockedCalls(),
    reads: createUnsureReads(),
    tokens: createMessageTokens(),
    offered: undefined,
    runtime: undefined,
    deliveries: new Map(),
    questions: MOST_QUESTIONS,
  }
}

/**
 * Asks the host for what it has stored, when a dispatch shows a message that nothing is known of: one of a fork, say, to which
 * the messages came with new ids. Of a session that began under the plugin's eyes nothing is asked.
 */
export async function explainMessages(
  session: V2Session,
  host: V2Context["session"],
  sessionID: string,
  messages: readonly V2Message[],
): Promise<void> {
  const isUnknown = (message: V2Message) =>
    !isOwnID(message.id) && message.id !== undefined && !session.prompts.knows(message)
  if (session.questions === 0 || !messages.some(isUnknown)) return
  session.questions -= 1
  const stored = await readStored(host, sessionID)
  if (!stored) return
  session.questions = 0
  session.deliveries = stored.deliveries
  for (const message of stored.messages)
    if (TOLD_TYPES.has(text(message, "type") ?? "")) session.prompts.admitted(message)
}
