import type { Receipt } from "@opencode-rulebook/rule-schema"

/** Takes the receipts of sessions. Nothing waits for it, and it must not throw. */
export interface ReceiptSink {
  /** The host's name, as people know it. */
  readonly host: string
  /** The plugin's version. */
  readonly plugin: string
  note(sessionID: string, receipt: Receipt): void
}
