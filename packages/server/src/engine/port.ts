import type { RuleId } from "@opencode-rulebook/rule-schema"

/** A durable delivery on its way into the stored history. */
export interface DurableDelivery {
  /** Names this attempt in the history, so that one whose answer was lost can be recognised. */
  readonly id: string
  readonly rules: readonly RuleId[]
  /** All rules in one frame, for a host that stores a delivery where the next request shows it. */
  readonly text: string
  /** The same rules by the place where requests are to show them, for a host that stores a delivery anywhere. */
  readonly parts: readonly DeliveredPart[]
}

export interface DeliveredPart {
  readonly rules: readonly RuleId[]
  readonly text: string
  /** Undefined: where it is stored. */
  readonly place: HistoryPlace | undefined
}

/** Where a text stands in the conversation: right after a message, named by its id or by a tool call in it. */
export type HistoryPlace =
  | { readonly kind: "message"; readonly id: string }
  | { readonly kind: "call"; readonly id: string }

/**
 * What became of one attempt to store a delivery.
 * - `stored`: the host has taken it, into the history or to become history with a later step.
 * - `failed`: not confirmed. That does not say that the host stored nothing; its history tells.
 * - `open`: not confirmed either, and only a dispatch can tell.
 */
export type PersistOutcome =
  | { readonly kind: "stored"; readonly messageID: string | undefined }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "open"; readonly messageID: string; readonly reason: string }

export interface StoredDelivery {
  readonly messageID: string
  /** The attempt's id; undefined when the part carries none. */
  readonly id: string | undefined
  readonly rules: readonly RuleId[]
}

/** The deliveries in a session's visible history, or that it could not be read, which does not mean that they are gone. */
export type StoredDeliveries =
  | { readonly kind: "read"; readonly deliveries: readonly StoredDelivery[] }
  | { readonly kind: "unreadable"; readonly reason: string }

export type LogLevel = "debug" | "info" | "warn" | "error"

/** What the engine asks of a host. One implementation per OpenCode major; none holds policy. */
export interface HostPort {
  /** Stores a delivery without a reply and without a further provider request. */
  persist(sessionID: string, delivery: DurableDelivery): Promise<PersistOutcome>
  /** The most rules that one delivery can hold; any number where it is left out. */
  readonly mostRules?: number
  /** Reads the stored history, as far as a compaction has not hidden it. Absent where only dispatches show it. */
  readonly storedDeliveries?: (sessionID: string) => Promise<StoredDeliveries>
  /** Writes to the host's log. Fire and forget. */
  log(level: LogLevel, message: string): void
}

/** One delivered part that a dispatch shows. */
export interface VisibleDelivery {
  readonly messageID: string
  /** Where the part is in its message; the adapter's own index. */
  readonly part: number
  readonly rules: readonly RuleId[]
  /** The message that the part is to stand after; undefined when it stands where it is stored. */
  readonly after?: string | undefined
}

/** The history as one dispatch shows it: the only delivery evidence that counts. */
export interface VisibleHistory {
  /** Message ids, oldest first. */
  readonly messages: readonly string[]
  readonly deliveries: readonly VisibleDelivery[]
  /**
   * The estimated tokens of a message by its index, rules left out. Asked for only where a rule has `remind`; absent where the host's
   * messages are not known.
   */
  readonly tokensOf?: ((index: number) => number) | undefined
}

/** What a dispatch must carry beside the stored history. */
export interface DispatchEdits {
  /** Framed texts, each to stand right after the message named; in this order where two name the same. */
  readonly insertions: readonly { readonly after: string; readonly text: string }[]
  /** Delivered parts whose text is to be replaced, or left out when undefined, because it stands elsewhere already. */
  readonly rewrites: readonly { readonly messageID: string; readonly part: number; readonly text: string | undefined }[]
  /** Delivered parts, rewritten or not, that are to stand right after another message, ahead of what is inserted there. */
  readonly moves: readonly { readonly messageID: string; readonly part: number; readonly after: string }[]
}
