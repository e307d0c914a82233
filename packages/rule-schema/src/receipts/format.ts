import type { RuleId } from "../identity.ts"
import type { FamilyName, Lifetime } from "../rule.ts"
import type { Reason } from "./reasons.ts"

/** The version of the format. A line of another one is skipped and counted. */
export const RECEIPT_VERSION = 1

/**
 * One change in one session, as one line of JSON. Holds no text of a rule, a prompt or a file. Paths are `/`-separated and relative to the
 * session's folder; a file outside of it has its absolute path.
 */
export type Receipt = ReceiptBase & Change

interface ReceiptBase {
  readonly v: typeof RECEIPT_VERSION
  /** In milliseconds since 1970. */
  readonly at: number
  /**
   * The number of the newest request, from 1, since the newest `session` receipt with `begins`; 0 before the first. What a request
   * itself changes has its own number, and so has what its prompt has matched. A request that the host repeats, with nothing newer in it,
   * keeps its number.
   */
  readonly request: number
}

/** What happened. */
export type Change =
  | SessionChange
  | RequestChange
  | { readonly kind: "matched"; readonly rule: RuleId; readonly by: readonly MatchedBy[] }
  | {
      /** The process's first request shows rules that were in the conversation before it began: after a restart, or in a fork. */
      readonly kind: "found"
      readonly rules: readonly RuleId[]
    }
  | DeliveredChange
  | {
      /**
       * A transient rule came into the requests or left them. It leaves them with the reason "ended", or "matched" when it is durable from
       * here on.
       */
      readonly kind: "transient"
      readonly rule: RuleId
      readonly isOn: boolean
      readonly reason: Reason
      readonly tokens: number
    }
  | { readonly kind: "hook"; readonly rule: RuleId; readonly on: "PreToolUse" | "PostToolUse"; readonly tool: string }
  | StoppedChange
  | {
      /** An attempt to store deliveries. "retry" is a failed attempt: the rules are in each request until one succeeds. */
      readonly kind: "store"
      readonly rules: readonly RuleId[]
      readonly outcome: "stored" | "retry"
    }
  | { readonly kind: "gone"; readonly rule: RuleId; readonly reason: "compacted" | "reverted" }
  | {
      /** A call that ended well added a forbidden literal. */
      readonly kind: "forbidden"
      readonly rule: RuleId
      readonly path: string
      /** From 1; absent where it is not known. */
      readonly line?: number
      /** Which of the rule's `forbid` entries, from 0. */
      readonly literal: number
    }
  | { readonly kind: "followed"; readonly rule: RuleId; readonly path: string }
  | {
      /** At the end of a turn: the rules of which a verdict has changed since the last such receipt. */
      readonly kind: "verdicts"
      readonly rules: Readonly<Record<RuleId, readonly ReceiptVerdict[]>>
    }
  | {
      /** The file has reached its size, and nothing follows. */
      readonly kind: "full"
    }

/** A process began to work on the session (`begins`), or found rules of nested folders in it: all that is new in `rules`. */
export interface SessionChange {
  readonly kind: "session"
  readonly begins: boolean
  readonly sessionID: string
  /** The session's folder, absolute. */
  readonly directory: string
  /** As people know it, such as "OpenCode 1". */
  readonly host: string
  /** The plugin's. */
  readonly plugin: string
  readonly rules: readonly ReceiptRule[]
  /** Rule files that can't be understood: path in the rules folder, by identity. */
  readonly broken: readonly RuleId[]
}

export interface ReceiptRule {
  readonly id: RuleId
  readonly name: string
  /** The first characters of the digest of its text. */
  readonly digest: string
  readonly lifetime: Lifetime
  readonly activation: "always" | "conditions" | "hooks" | "onRequest"
}

/** A request of the session's model, and what the agent did since the one before. One that the host repeats has no second receipt. */
export interface RequestChange {
  readonly kind: "request"
  readonly agent?: string
  /** `providerID/modelID`. */
  readonly model?: string
  /** Whether a prompt of the user came since the request before. */
  readonly prompted: boolean
  readonly did: readonly DidCall[]
  /** Estimated tokens of all rules that the request carries. */
  readonly tokens: number
}

/** One tool call and the files that it showed or changed. At most 100 calls are noted of a request, and 20 files of a call. */
export interface DidCall {
  readonly tool: string
  readonly paths: readonly string[]
  /** A rule stopped it. Absent: it ended well. Calls that failed by themselves are not noted. */
  readonly stopped?: true
}

/** The request carries the rule for the first time, or again. */
export interface DeliveredChange {
  readonly kind: "delivered"
  readonly rule: RuleId
  /** Whether it is in the stored history, or so far in the request alone. */
  readonly how: "stored" | "request"
  /** Why now: "matched", "hook", "reminded", "forbidden", "held", and "compacted" or "reverted" for one that was there before. */
  readonly reason: Reason
  /** Which delivery of the rule it is in this session, from 1. */
  readonly count: number
  /** Estimated. */
  readonly tokens: number
}

/** A call that did not run because of a rule. */
export interface StoppedChange {
  readonly kind: "stopped"
  readonly rule: RuleId
  readonly reason: "blocked" | "held" | "refused"
  readonly tool: string
  readonly paths: readonly string[]
  /** With "refused": which of the rule's `forbid` entries, from 0; the first of several. */
  readonly literal?: number
  /** The line that would have it, from 1; absent where it is not known. */
  readonly line?: number
}

export type MatchedBy =
  | { readonly kind: "always" }
  | { readonly kind: "hook"; readonly tool: string }
  | {
      readonly kind: "condition"
      readonly family: FamilyName
      /** The path, agent, model, branch, command or other name that met it; absent for prompts and where it is not one name. */
      readonly seen?: string
    }

export interface ReceiptVerdict {
  readonly family: FamilyName
  readonly met: boolean
  /** As in `MatchedBy`: what the fact was, met or not. */
  readonly seen?: string
}
