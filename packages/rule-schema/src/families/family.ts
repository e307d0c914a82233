import type { Frontmatter } from "../frontmatter/read.ts"
import type { Place } from "../glob/spelling.ts"
import type { Problems } from "../problems.ts"
import type { Facts, FileObservation, Lifetime, RuleId } from "../types.ts"
import type { Field } from "./fields.ts"
import type { FileCondition } from "./file.ts"

/** What a family's file says. `Declared` is the family's own compiled form of what a rule declares. */
export interface FamilyDefinition<Name extends string, Declared> {
  readonly name: Name
  readonly lifetime: Lifetime
  readonly fields: readonly Field[]
  /** Compiles what is declared; undefined when nothing is, or nothing valid: then `problems` says so. */
  readonly compile: (frontmatter: Frontmatter, problems: Problems) => Declared | undefined
  readonly isMet: (declared: Declared, facts: Facts, rule: RuleId) => boolean
  /** Why it is met or not, for people. */
  readonly explain: (declared: Declared, facts: Facts, rule: RuleId) => string
  /** A few words for a list of rules. */
  readonly summarise: (declared: Declared) => string
  /** All that is declared. */
  readonly describe: (declared: Declared) => string
  /** Of the family that file observations meet: what it asks of a file. */
  readonly file?: (declared: Declared) => FileCondition
  /** Of the family that file observations meet: does this one? */
  readonly observes?: (declared: Declared, observation: FileObservation, place: Place) => boolean
  /** Why it does or doesn't, for people. */
  readonly explainObservation?: (declared: Declared, observation: FileObservation, place: Place) => string
}

/** One family's condition in one rule. Matching it can't fail. */
export interface FamilyCondition<Name extends string> {
  readonly family: Name
  readonly lifetime: Lifetime
  readonly summary: string
  readonly details: string
  /** What it asks of a file; undefined for every family but the one that file observations meet. */
  readonly file: FileCondition | undefined
  isMet(facts: Facts, rule: RuleId): boolean
  explain(facts: Facts, rule: RuleId): string
  observes(observation: FileObservation, place: Place): boolean
  /** Undefined: the family is not met by file observations. */
  explainObservation(observation: FileObservation, place: Place): string | undefined
}

/** A family as the table holds it: how it declares, and how a declaration becomes a condition. */
export interface Family<Name extends string> {
  readonly name: Name
  readonly lifetime: Lifetime
  readonly fields: readonly Field[]
  compile(frontmatter: Frontmatter, problems: Problems): FamilyCondition<Name> | undefined
}

export function defineFamily<const Name extends string, Declared>(
  definition: FamilyDefinition<Name, Declared>,
): Family<Name> {
  const { name, lifetime, fields } = definition
  return { name, lifetime, fields, compile: compileCondition }

  function compileCondition(frontmatter: Frontmatter, problems: Problems): FamilyCondition<Name> | undefined {
    const declared = definition.compile(frontmatter, problems)
    if (declared === undefined) return undefined
    return {
      family: name,
      lifetime,
      summary: definition.summarise(declared),
      details: definition.describe(declared),
      file: definition.file?.(declared),
      isMet: (facts, rule) => definition.isMet(declared, facts, rule),
      explain: (facts, rule) => definition.explain(declared, facts, rule),
      observes: (observation, place) => definition.observes?.(declared, observation, place) ?? false,
      explainObservation: (observation, place) => definition.explainObservation?.(declared, observation, place),
    }
  }
}
