import type { StoredSession } from "@opencode-rulebook/server/dry-run"
import type { UsageError } from "../usage-error.ts"

/** A stored session before it is read. */
export interface SessionEntry {
  readonly id: string
  /** When it was used last, in milliseconds since 1970; undefined where that is not known before it is read. */
  readonly updated: number | undefined
  /**
   * Reads it.
   *
   * @param command the slash command whose subtask it is.
   * @throws UsageError when it can't be read, or is no session.
   */
  read(command?: string): Promise<StoredSession>
}

/** Where sessions come from. */
export interface SessionSource {
  /** Those that are asked for. */
  readonly entries: readonly SessionEntry[]
  /** What could not be read so far. */
  readonly failures: readonly UsageError[]
  /** The slash command of a session that is a command's subtask, where it is known ahead. */
  readonly commands: ReadonlyMap<string, string>
  /** A subagent's session, where the source has more than the entries. */
  readonly subagent?: (id: string) => SessionEntry
}

/** Whether a text is the id of a session. Nothing else may become a part of a command or an address. */
export function isSessionID(text: string): boolean {
  return /^ses_[0-9A-Za-z]+$/.test(text)
}
