import type { Facts } from "./facts.ts"
import type { FileCondition } from "./families/file-condition.ts"
import type { PathBase } from "./glob/path-form.ts"
import type { HookMatch } from "./hooks/pattern.ts"
import type { RuleDirectory, RuleId, Scope } from "./identity.ts"
import type { FileObservation } from "./observation.ts"
import type { RuleProblem } from "./problems.ts"
import type { Origin } from "./sources/origin.ts"

/** Durable rules are delivered once and stay in the history; transient ones are recomputed for each dispatch. */
export type Lifetime = "durable" | "transient"

/** The condition families. */
export type FamilyName =
  | "file"
  | "keywords"
  | "command"
  | "project"
  | "os"
  | "ci"
  | "agent"
  | "model"
  | "branch"
  | "tools"

/** One family's condition in one rule. Matching it can't fail. */
export interface Condition {
  readonly family: FamilyName
  readonly lifetime: Lifetime
  readonly summary: string
  readonly details: string
  /** What it asks of a file; undefined for every family but the one that file observations meet. */
  readonly file: FileCondition | undefined
  isMet(facts: Facts, rule: RuleId): boolean
  explain(facts: Facts, rule: RuleId): string
  /** The one name in the facts that decides it, met or not: a path, an agent, a branch. Never text of a prompt or a file. */
  seen(facts: Facts, rule: RuleId): string | undefined
  /** Undefined: the family is not met by file observations. */
  explainObservation(observation: FileObservation, place: PathBase): string | undefined
}

/**
 * What brings a rule to the model: "always" (durable, from the first request), its conditions, its hooks alone, or the model's own
 * judgement: an "onRequest" rule is never delivered whole, an index names it with its description and path.
 */
export type Activation = "always" | "conditions" | "hooks" | "onRequest"

/** A rule file as it was read. `path` is absolute. */
export interface RuleFile {
  readonly directory: RuleDirectory
  readonly path: string
  readonly text: string
}

/** A rule that can match. `digest` is that of the file's text; it tells an edit since, and is no part of the identity. */
export interface CompiledRule {
  readonly id: RuleId
  readonly scope: Scope
  readonly file: string
  readonly root: string
  /** As in its rules directory. */
  readonly project?: string | undefined
  readonly name: string
  /** Where it comes from, when not from one of OpenCode's own places. */
  readonly origin?: Origin | undefined
  readonly body: string
  readonly digest: string
  readonly match: "any" | "all"
  readonly activation: Activation
  /** What the frontmatter says the rule is about, on one line. */
  readonly description: string | undefined
  /** In the order of the family table; empty unless `activation` is "conditions". */
  readonly conditions: readonly Condition[]
  readonly hooks: readonly RuleHook[]
  /** Whether a call whose text would make the rule match is held until the model has read the rule. */
  readonly hold: boolean
  /** After how many tokens of conversation the rule is delivered again when its conditions are met anew. Undefined: never. */
  readonly remind: number | undefined
  /** Literals that no text written by the agent may add to a file that the file condition matches, each once. Undefined: none. */
  readonly forbid: readonly string[] | undefined
  /** What is said in place of the body while that is still in the conversation. Trimmed, at most 1,024 characters. */
  readonly reminder: string | undefined
}

/** One tool hook of a rule. `tool` is a tool's name or "*". */
export interface RuleHook {
  readonly type: "PreToolUse" | "PostToolUse"
  readonly tool: string
  /** What the tool is called on either major of OpenCode, lower case. */
  readonly names: readonly string[]
  /** Undefined: every call's arguments will do. */
  readonly match: HookMatch | undefined
  /** `true`: the call is rejected, each time. "once": it is held until the model has read the rule. */
  readonly block: boolean | "once"
  readonly run: string | undefined
}

/** A rule file that can never match, and why. */
export interface BrokenRule {
  readonly id: RuleId
  readonly scope: Scope
  readonly file: string
  readonly name: string
  readonly origin?: Origin | undefined
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
