import type { MatchedRuleState, Rulebook, RuleDirectory, RuleProblem } from "@opencode-rulebook/rule-schema"
import type { StyledText } from "./rows.ts"
import type { SectionTheme } from "./section.tsx"

/** Where a session's rules are. */
export interface SessionPlaces {
  /** The rules directories as far as they are known without a state. */
  readonly directories: readonly RuleDirectory[]
  /** All of them, once a state says what its session reads beside OpenCode's own places. Must not reject. */
  readonly directoriesOf?: (state: MatchedRuleState) => Promise<readonly RuleDirectory[]>
  /** What the rules have wrong beside what is in their files. */
  readonly problemsOf?: (rulebook: Rulebook, directories: readonly RuleDirectory[]) => Promise<readonly RuleProblem[]>
}

/** What the sidebar asks of a host's TUI. One implementation per OpenCode major. */
export interface TuiHost {
  places(sessionID: string): SessionPlaces
  /** The session that is on the screen; undefined where there is none. */
  currentSession(): string | undefined
  /** The theme of the moment. */
  theme(): Readonly<Record<StyledText["tone"], SectionTheme[StyledText["tone"]]>>
}
