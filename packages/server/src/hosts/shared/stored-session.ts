import type { FileObservation, RuleId } from "@opencode-rulebook/rule-schema"
import type { Turn } from "../../engine/session.ts"

/** A session as its host exports it, read as what the plugin saw while it ran. Knows no payload of either host. */
export interface StoredSession {
  readonly host: "OpenCode 1" | "OpenCode 2"
  readonly id: string
  /** The session that started it as a subagent's. */
  readonly parentID: string | undefined
  readonly title: string
  /** The folder that it worked in, absolute; undefined where the export does not tell. */
  readonly directory: string | undefined
  /** In milliseconds since 1970. */
  readonly created: number
  readonly updated: number
  /** In the order in which they happened. */
  readonly events: readonly StoredEvent[]
  /** What its messages deliver, as their metadata says. */
  readonly delivered: readonly StoredRule[]
  readonly subagents: readonly Subagent[]
  /** How the host keeps a delivery: as a part of the newest message of the user's, or as a message of so many rules at most. */
  readonly keeps: { readonly kind: "part" } | { readonly kind: "message"; readonly mostRules: number }
  /** How many of its messages could not be read. */
  readonly unread: number
  /** Whether it was exported without its texts, paths and arguments. */
  readonly isRedacted: boolean
}

/** One thing that happened, in milliseconds since 1970. */
export type StoredEvent = { readonly at: number } & (
  | {
      /** A message that the plugin was asked about before it was stored; `turn` has what is new with it. */
      readonly kind: "prompt"
      readonly messageID: string
      readonly turn: Partial<Turn>
      /** The message's estimated tokens, rules left out; absent where nobody asks. */
      readonly tokens?: () => number
    }
  | {
      /** A message that the host stored of its own accord, or an answer. */
      readonly kind: "message"
      readonly messageID: string
      readonly isUsers: boolean
      /** The ids of the calls in it. */
      readonly calls: readonly string[]
      readonly tokens?: () => number
    }
  | { readonly kind: "request"; readonly turn: Partial<Turn> }
  | {
      readonly kind: "call starts"
      readonly call: StoredCall
      /** Whether the host takes a message then, without a further request. */
      readonly isSafePoint: boolean
    }
  | {
      /** Only calls that succeeded end, as far as the plugin sees it. */
      readonly kind: "call ends"
      /** The very call that has started. */
      readonly call: StoredCall
      readonly observations: readonly FileObservation[]
      readonly isSafePoint: boolean
    }
  /** What of files is known only now. */
  | { readonly kind: "observed"; readonly observations: readonly FileObservation[] }
  /** The host takes a message without a further request. */
  | { readonly kind: "safe point" }
  /** The host is about to compact: what counted as delivered is to be looked at anew. */
  | { readonly kind: "compacting" }
  /** From now on requests show nothing older than this message. */
  | { readonly kind: "compacted"; readonly from: string }
  | { readonly kind: "turn ends" }
)

export interface StoredCall {
  readonly id: string
  readonly tool: string
  readonly args: unknown
  /** The file that it is about, if it shows one. */
  readonly file: string | undefined
  /** Whether the host itself makes it, as for a command's subtask: no request follows that answers it. */
  readonly isHosts: boolean
}

/** A rule that a stored message delivers. */
export interface StoredRule {
  readonly rule: RuleId
  /** The number of the first request that shows it, from 1; higher than that of the last one if none did. */
  readonly request: number
}

/** A session that this one started. */
export interface Subagent {
  readonly id: string
  /** The slash command whose subtask it is. */
  readonly command: string | undefined
}

/** How the title of a session begins that was exported with `--sanitize` (measured on OpenCode 1.18.33). */
const REDACTED = "[redacted:"

/** Whether a session was exported without its texts, paths and arguments. */
export function isRedacted(title: string): boolean {
  return title.startsWith(REDACTED)
}

/** The events by time; those of the same millisecond stay as they are. */
export function inOrder(events: readonly StoredEvent[]): StoredEvent[] {
  return events.toSorted((one, other) => one.at - other.at)
}
