import type { CompiledRule } from "@opencode-rulebook/rule-schema"
import type { PathForm, ProblemInput, RuleSource } from "@opencode-rulebook/rule-schema/authoring"
import type { KnownNames } from "../known-names.ts"

/** A rule that can match, with its author's text. */
export interface LintedRule {
  readonly rule: CompiledRule
  readonly source: RuleSource
}

/** What the lints know beside the one rule. */
export interface Surroundings {
  /** The folder OpenCode is started in, absolute. */
  readonly directory: string
  /** The project's files, each in its path form from a root, absolute. Undefined outside git. */
  readonly files: ((root: string) => readonly ProjectPath[]) | undefined
  /** The project's tags. */
  readonly tags: ReadonlySet<string>
  readonly os: string
  /** What agents, commands, tools and models are called here. */
  readonly names: KnownNames
  /** All rules that are checked with it, in order. */
  readonly rules: readonly LintedRule[]
}

/** Stands for the files of a folder that nobody looks into. */
export const ANY_FILE = "x"

/** A file of the project, or any file of an ignored folder. */
export interface ProjectPath {
  readonly isFolder: boolean
  readonly form: PathForm
}

/** One thing that is valid, but probably a mistake. Each lint is one file, one row of the table and one case of `codes.test.ts`. */
export interface Lint {
  /** Stable and kebab-case. */
  readonly code: string
  /** What it warns about, for the reference. */
  readonly about: string
  check(subject: LintedRule, surroundings: Surroundings): readonly LintFinding[]
}

export type LintFinding = Omit<ProblemInput, "code">

/**
 * The rule can never match when all conditions are needed or this is the only one, and no hook delivers it; else a condition of it is
 * dead.
 */
export function consequence({ rule }: LintedRule): string {
  const isDecisive = rule.hooks.length === 0 && (rule.match === "all" || rule.conditions.length === 1)
  return isDecisive ? "so the rule never matches" : "so the condition is never met"
}

/** Whether files can make a rule match. */
export function hasFileCondition({ conditions }: CompiledRule): boolean {
  return conditions.some(({ file }) => file !== undefined)
}

/** The families that a rule declares beside this one. */
export function otherFamilies({ rule }: LintedRule, family: string): readonly string[] {
  return rule.conditions.map((condition): string => condition.family).filter((name) => name !== family)
}
