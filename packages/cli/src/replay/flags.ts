import type { Command } from "commander"
import { readLimit, readSince } from "../since.ts"

/** The options of `replay` as they were given. */
export interface ReplayFlags {
  readonly rules?: string
  readonly diff?: true
  readonly since?: string
  readonly limit?: string
  readonly server?: string
  readonly json?: true
}

export function addReplayOptions(command: Command): Command {
  return command
    .argument(
      "[sessions...]",
      "session ids, files that `opencode export` wrote, and folders of them; default: OpenCode's",
    )
    .option(
      "--rules <folder>",
      "a folder of rules, or another checkout of the project, in place of the project's rules",
    )
    .option("--diff", "compare with what was delivered then; exit with 1 if a rule is gained or lost")
    .option(
      "--since <date>",
      "leave out sessions that were used last before: a day (2026-11-30), or how long ago (12h, 7d, 2w)",
    )
    .option("--limit <number>", "only so many sessions, the newest ones; those of their subagents come along")
    .option("--server <url>", "ask this running OpenCode 1 server for the sessions")
    .option("--json", "print the result as JSON")
}

/** Which sessions are wanted. */
export interface Wanted {
  /** Those that were used last since then, in milliseconds since 1970. */
  readonly since: number
  /** So many of the newest. */
  readonly limit: number
}

/**
 * @param now in milliseconds since 1970.
 * @throws UsageError for what is not a date, or not a number.
 */
export function wantedSessions({ since, limit }: ReplayFlags, now: number): Wanted {
  return {
    since: since === undefined ? 0 : readSince(since, now),
    limit: limit === undefined ? Number.POSITIVE_INFINITY : readLimit(limit),
  }
}
