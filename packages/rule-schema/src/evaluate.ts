import type { Facts } from "./facts.ts"
import type { PathBase } from "./glob/path-form.ts"
import type { FileObservation } from "./observation.ts"
import type { CompiledRule, FamilyName, Lifetime } from "./rule.ts"

/** One family's part in an evaluation, for debug logs and explanations. */
export interface Verdict {
  readonly family: FamilyName
  readonly met: boolean
  readonly why: string
}

export type Evaluation =
  | { readonly matched: false; readonly why: string; readonly verdicts: readonly Verdict[] }
  | { readonly matched: true; readonly why: string; readonly lifetime: Lifetime; readonly verdicts: readonly Verdict[] }

/** Does a rule match, with which lifetime, and why? Use `matchLifetime` where the reasons are not shown. */
export function evaluateRule(rule: CompiledRule, facts: Facts): Evaluation {
  const verdicts = rule.conditions.map((condition) => ({
    family: condition.family,
    met: condition.isMet(facts, rule.id),
    why: condition.explain(facts, rule.id),
  }))
  const lifetime = matchLifetime(rule, facts)
  if (lifetime === undefined) return { matched: false, why: whyUnmatched(rule), verdicts }
  const why = verdicts.length === 0 ? "no conditions" : rule.match === "all" ? "all conditions met" : "a condition met"
  return { matched: true, why, lifetime, verdicts }
}

function whyUnmatched(rule: CompiledRule): string {
  if (rule.activation === "hooks") return "hooks only"
  if (rule.activation === "onRequest") {
    return rule.description === undefined
      ? "on request, without a description: never delivered"
      : "on request: the index in the turn's first request names it"
  }
  return rule.match === "all" ? "not all conditions met" : "no condition met"
}

/** The lifetime with which a rule matches, or undefined. Builds no texts. */
export function matchLifetime(rule: CompiledRule, facts: Facts): Lifetime | undefined {
  if (rule.activation !== "conditions") return rule.activation === "always" ? "durable" : undefined
  if (rule.match === "all") {
    return rule.conditions.every((condition) => condition.isMet(facts, rule.id)) ? ruleLifetime(rule) : undefined
  }
  let lifetime: Lifetime | undefined
  for (const condition of rule.conditions) {
    if (lifetime === "transient" && condition.lifetime === "transient") continue
    if (!condition.isMet(facts, rule.id)) continue
    if (condition.lifetime === "durable") return "durable"
    lifetime = "transient"
  }
  return lifetime
}

/** The lifetime of a rule's declaration: transient when it can only ever match so. */
export function ruleLifetime(rule: CompiledRule): Lifetime {
  if (rule.conditions.length === 0) return "durable"
  const isTransient = (condition: { readonly lifetime: Lifetime }) => condition.lifetime === "transient"
  const isOnlyTransient = rule.match === "all" ? rule.conditions.some(isTransient) : rule.conditions.every(isTransient)
  return isOnlyTransient ? "transient" : "durable"
}

/** Why one observation meets a rule's file family or not, for people; undefined when the rule has none. */
export function explainObservation(
  rule: CompiledRule,
  observation: FileObservation,
  directory: string,
): string | undefined {
  const place = placeOf(rule, directory)
  return rule.conditions.map((condition) => condition.explainObservation(observation, place)).find(isText)
}

export function declares(rule: CompiledRule, family: FamilyName): boolean {
  return rule.conditions.some((condition) => condition.family === family)
}

function placeOf({ root, project }: CompiledRule, directory: string): PathBase {
  return { root, directory, project }
}

function isText(value: string | undefined): value is string {
  return value !== undefined
}
