/** The options of `init` as they were given. */
export interface InitFlags {
  readonly global?: true
  readonly opencode?: "1" | "2"
  readonly plugin?: string
  readonly rulesOf?: string
  readonly rule: boolean
  readonly skill: boolean
  readonly yes?: true
  readonly dryRun?: true
}

import type { ToolName } from "@opencode-rulebook/rule-schema"

/** What to set up. */
export interface Choices {
  /** For all projects, in the user's configuration; else for the current folder. */
  readonly isGlobal: boolean
  /** The major version of OpenCode. */
  readonly major: 1 | 2
  /** What the config files call the plugin: a package's name, or an absolute folder. */
  readonly plugin: string
  /** Other tools whose rules are to be read where they are. */
  readonly rulesOf: readonly ToolName[]
  readonly writesRule: boolean
  readonly installsSkill: boolean
}
