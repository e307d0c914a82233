import type { Activation, Lifetime, RuleId } from "@opencode-rulebook/rule-schema"

/** What all sessions of a project came to. Times in milliseconds since 1970; tokens are estimates. */
export interface Figures {
  readonly sessions: number
  readonly requests: number
  /** Of all rules in all requests together. */
  readonly tokens: number
  readonly startedAt: number
  readonly endedAt: number
  /** Those that are on disk and those that are not any more, by identity. */
  readonly rules: readonly RuleFigures[]
  /** Rule files that can't be understood, the most sessions first. */
  readonly broken: readonly { readonly id: RuleId; readonly sessions: number }[]
  /** By the day on which a session began, the oldest first. */
  readonly days: readonly DayFigures[]
  readonly files: readonly TouchedFile[]
  /** Whether there were more files than are kept in `files`. */
  readonly hasMoreFiles: boolean
  readonly skipped: Skipped
}

/** What was not taken into account. */
export interface Skipped {
  /** Lines that are torn or of another version. */
  readonly lines: number
  /** Files that name no session. */
  readonly files: number
  /** Sessions of which the file reached its size, so that their end is missing. */
  readonly full: number
}

/** One rule over all sessions that had it. Only sessions that sent a request count. */
export interface RuleFigures {
  readonly id: RuleId
  readonly name: string
  readonly lifetime: Lifetime
  readonly activation: Activation
  /** How many sessions had it. */
  readonly sessions: number
  /** In how many it matched. */
  readonly matched: number
  /** In how many each request carried it. */
  readonly throughout: number
  /** How often it came into the requests. */
  readonly arrivals: number
  /** Its size at its newest arrival; undefined before the first. */
  readonly tokens: number | undefined
  /** How many requests carried it. */
  readonly carried: number
  /** Its tokens in all these requests together. */
  readonly cost: number
  readonly stopped: Readonly<Record<"blocked" | "held" | "refused", number>>
  /** How often a call added what it forbids, and how often one followed it. */
  readonly forbidden: number
  readonly followed: number
  /** The sessions in which it matched, and after which request: equal for rules that always match together. */
  readonly moments: string
}

export interface DayFigures {
  /** `2026-11-30`, in the system's time zone. */
  readonly day: string
  readonly sessions: number
  readonly requests: number
  readonly tokens: number
}

/** A file that the agent read or changed. */
export interface TouchedFile {
  /** Relative to the project's root, `/`-separated. */
  readonly path: string
  /** In how many sessions. */
  readonly sessions: number
  /** Whether a rule matched by it. */
  readonly hasMatched: boolean
}

/** How often a rule was kept, of all times that it could be seen; undefined where that is never. */
export function adherence({ forbidden, followed, stopped }: RuleFigures): number | undefined {
  const all = followed + forbidden + stopped.refused
  return all === 0 ? undefined : followed / all
}
