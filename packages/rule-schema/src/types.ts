import type { Condition } from "./families/table.ts"
import type { HookPattern } from "./hook-pattern.ts"

/** Where a rule comes from: the user's own configuration, or the project. */
export type Scope = "global" | "project"

/** Durable rules are delivered once and stay in the history; transient ones are recomputed for each dispatch. */
export type Lifetime = "durable" | "transient"

declare const brand: unique symbol

/** `${scope}:${prefix}${path inside its rules directory}`, `/`-separated. Derived from the path, never from the text. */
export type RuleId = string & { readonly [brand]: "RuleId" }

/**
 * One rules directory. `root` is the folder that project-relative globs of its rules are relative to;
 * `prefix` keeps the ids of nested directories apart ("" normally).
 */
export interface RuleDirectory {
  readonly scope: Scope
  readonly path: string
  readonly root: string
  readonly prefix: string
}

/** A rule file as it was read. `path` is absolute. */
export interface RuleFile {
  readonly directory: RuleDirectory
  readonly path: string
  readonly text: string
}

/** One thing wrong. "error": the rule never matches. "warning": it works, but probably not as meant. */
export interface RuleProblem {
  readonly severity: "error" | "warning"
  /** Stable and kebab-case: "yaml-syntax", "unclosed-fence", "wrong-type", "empty-value", "bad-glob", … */
  readonly code: string
  /** Absolute path. */
  readonly file: string
  /** 1-based, like `column`; 1:1 when there is no better place. */
  readonly line: number
  readonly column: number
  /** The frontmatter key, or a path such as "hooks[0].match". */
  readonly field: string | undefined
  readonly reason: string
  readonly remedy: string
}

/** One file of one successful tool event. `path` is verbatim; `content` is undefined when only the path is known. */
export interface FileObservation {
  readonly path: string
  readonly tool: string
  readonly content: string | undefined
}

/** What one evaluation knows. undefined: the fact is missing, so its family is not met. */
export interface Facts {
  /** Rules whose File-observation family has been met in this session, and by which path first. */
  readonly observed: ReadonlyMap<RuleId, string>
  readonly prompt: string | undefined
  readonly command: string | undefined
  readonly project: ReadonlySet<string> | undefined
  readonly os: string | undefined
  readonly ci: boolean | undefined
  readonly agent: string | undefined
  readonly model: { readonly providerID: string; readonly modelID: string } | undefined
  readonly branch: string | undefined
  readonly tools: ReadonlySet<string> | undefined
}

/** A rule that can match. `digest` is that of the file's text; it tells an edit since, and is no part of the identity. */
export interface CompiledRule {
  readonly id: RuleId
  readonly scope: Scope
  readonly file: string
  readonly root: string
  readonly name: string
  readonly body: string
  readonly digest: string
  readonly match: "any" | "all"
  /** In the order of the family table. */
  readonly conditions: readonly Condition[]
  readonly hooks: readonly RuleHook[]
}

/** One tool hook of a rule. `tool` is a tool's name or "*". */
export interface RuleHook {
  readonly type: "PreToolUse" | "PostToolUse"
  readonly tool: string
  /** Tested on the JSON of the arguments. */
  readonly match: HookPattern | undefined
  readonly block: boolean
  readonly run: string | undefined
}

/** A rule file that can never match, and why. */
export interface BrokenRule {
  readonly id: RuleId
  readonly scope: Scope
  readonly file: string
  readonly name: string
  readonly digest: string
  readonly problems: readonly RuleProblem[]
}

export type ParsedRule =
  | { readonly kind: "rule"; readonly rule: CompiledRule; readonly problems: readonly RuleProblem[] }
  | { readonly kind: "broken"; readonly rule: BrokenRule }

/**
 * All rules of all directories. `problems` has every problem, those of directories too. `folders` are those in which a change
 * can change the rulebook: the ones looked into, and those of files that symbolic links lead to.
 */
export interface Rulebook {
  readonly rules: readonly CompiledRule[]
  readonly broken: readonly BrokenRule[]
  readonly problems: readonly RuleProblem[]
  readonly folders: readonly string[]
}
