import type { Rulebook, RuleDirectory, RuleProblem } from "@opencode-rulebook/rule-schema"
import type { Span } from "./rows.ts"
import type { SectionTheme } from "./section.tsx"

/** Where a session's rules are. */
export interface SessionPlaces {
  readonly directories: readonly RuleDirectory[]
  /** What the rules have wrong beside what is in their files. */
  readonly problemsOf?: (rulebook: Rulebook) => Promise<readonly RuleProblem[]>
}

/** What the sidebar asks of a host's TUI. One implementation per OpenCode major. */
export interface TuiHost {
  places(sessionID: string): SessionPlaces
  /** The session that is on the screen; undefined where there is none. */
  currentSession(): string | undefined
  /** The theme of the moment. */
  theme(): Readonly<Record<Span["tone"], SectionTheme[Span["tone"]]>>
}
