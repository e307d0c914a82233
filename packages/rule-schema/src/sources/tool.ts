/** Tools whose rules are read where they are, by the names that the option `rulesOf` takes. */
export type ToolName = "cursor" | "claude" | "copilot" | "windsurf" | "kiro" | "cline" | "continue"

/** A key whose value says when a rule applies, as `readActivation` knows it. */
export interface ModeDefault {
  readonly key: "alwaysApply" | "inclusion"
  readonly value: "true" | "false" | "always"
}

/** A folder of rules. `files` are the names that count as rules; a folder named in `skips` holds something else. */
export interface ToolFolder {
  readonly path: string
  /** Whether such folders below the one that OpenCode was started in count too. */
  readonly isNested?: boolean
  /** Whether a single file in the folder's place is a rule. */
  readonly canBeFile?: boolean
  readonly files?: RegExp
  readonly skips?: readonly string[]
}

/** What a tool's documentation says of its rules, as far as it decides how they are read. Data only: one file for each tool. */
export interface Tool {
  readonly name: ToolName
  /** As people know it. */
  readonly title: string
  /** Where its vendor describes its rules. */
  readonly documentation: string
  /** Below each project folder. */
  readonly project: readonly ToolFolder[]
  /** Below the user's home folder. */
  readonly home: readonly ToolFolder[]
  /** The keys that it gives a meaning to; a key of another tool, or of ours, has no effect there. */
  readonly keys: readonly string[]
  /** What it takes a rule for that has no such key; left out where that is as with us: always, unless it has patterns. */
  readonly byDefault?: ModeDefault
  /** Patterns that alone mean: the rule always applies. */
  readonly everything?: readonly string[]
  /** Whether an empty list of patterns matches nothing, in place of counting as none. */
  readonly emptyMatchesNothing?: boolean
  /** Keys of its own that can't be honoured here, and what they do there. */
  readonly unsupported?: Readonly<Record<string, string>>
  /** Files that the tool puts into the text: what such a reference looks like, its path in the first group. */
  readonly includes?: RegExp
}

/** `@path/to/file.md` of a word's own, as two tools have it; a name with a slash and no ending is a package's or a person's. */
export const AT_FILE =
  /(?<=^|[\s(])@((?:\.{0,2}\/|~\/)?[\w.-]+(?:\/[\w.-]+)*\.[A-Za-z][A-Za-z0-9]{0,5})(?=$|[\s),;:]|\.(?:\s|$))/gmu
