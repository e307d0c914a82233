import type { Facts } from "../facts.ts"
import type { Frontmatter } from "../frontmatter/read.ts"
import type { PathBase } from "../glob/path-form.ts"
import type { RuleId } from "../identity.ts"
import type { FileObservation } from "../observation.ts"
import type { Problems } from "../problems.ts"
import type { Condition, FamilyName, Lifetime } from "../rule.ts"
import type { Field } from "./fields.ts"
import type { FileCondition } from "./file-condition.ts"

/** What a family's file says. `Declared` is the family's own compiled form of what a rule declares. */
export interface FamilyDefinition<Name extends FamilyName, Declared> {
  readonly name: Name
  readonly lifetime: Lifetime
  readonly fields: readonly Field[]
  /** Compiles what is declared; undefined when nothing is, or nothing valid: then `problems` says so. */
  readonly compile: (frontmatter: Frontmatter, problems: Problems) => Declared | undefined
  readonly isMet: (declared: Declared, facts: Facts, rule: RuleId) => boolean
  /** Why it is met or not, for people. */
  readonly explain: (declared: Declared, facts: Facts, rule: RuleId) => string
  /**
   * The one name in the facts that meets it, or that doesn't: a path, an agent, a branch. Undefined where it is not one name; never text
   * of a prompt or a file. Left out: there never is one.
   */
  readonly seen?: (declared: Declared, facts: Facts, rule: RuleId) => string | undefined
  /** A few words for a list of rules. */
  readonly summarise: (declared: Declared) => string
  /** All that is declared. */
  readonly describe: (declared: Declared) => string
  /** Of the family that file observations meet: what it asks of a file. */
  readonly file?: (declared: Declared) => FileCondition
  /** Of the family that file observations meet: why one does or doesn't, for people. */
  readonly explainObservation?: (declared: Declared, observation: FileObservation, base: PathBase) => string
}

/** A family as the table holds it: how it declares, and how a declaration becomes a condition. */
export interface Family<Name extends FamilyName> {
  readonly name: Name
  readonly lifetime: Lifetime
  readonly fields: readonly Field[]
  compile(frontmatter: Frontmatter, problems: Problems): Condition | undefined
}

export function defineFamily<const Name extends FamilyName, Declared>(
  definition: FamilyDefinition<Name, Declared>,
): Family<Name> {
  const { name, lifetime, fields } = definition
  return { name, lifetime, fields, compile: compileCondition }

  function compileCondition(frontmatter: Frontmatter, problems: Problems): Condition | undefined {
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
      seen: (facts, rule) => definition.seen?.(declared, facts, rule),
      explainObservation: (observation, base) => definition.explainObservation?.(declared, observation, base),
    }
  }
}
