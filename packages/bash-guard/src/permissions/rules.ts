import { type NormalPattern, normalPattern } from "./normal-form.ts"
import { compileWildcard, matchesSlashed, matchesWildcard, type Wildcard, withSlashes } from "./wildcard.ts"

export type Action = "allow" | "ask" | "deny"

/** One rule of the host's merged permissions: defaults, the user's config, the agent's, the session's, in that order. */
export interface PermissionRule {
  readonly permission: string
  readonly pattern: string
  readonly action: Action
}

/** A rule that can be matched. `order` is its place: of the rules that match, the one that stands last wins. */
export interface CompiledPermission extends PermissionRule {
  readonly order: number
  readonly wildcard: Wildcard
  /** The pattern taken apart, when it names a program. */
  readonly normal: NormalPattern | undefined
  /** Whether an "always" answer allows the text where this rule would ask. */
  isApproved(text: string): boolean
  /** OpenCode's own rule about folders outside of the project, which stands before the user's. */
  readonly isHostDefault: boolean
}

/** Whether a person has allowed a text of a permission for good. */
export type Approved = (permission: string, text: string) => boolean

/** The rules of the permissions the guard looks at. */
export interface Permissions {
  readonly bash: readonly CompiledPermission[]
  readonly edit: readonly CompiledPermission[]
  readonly externalDirectory: readonly CompiledPermission[]
}

/** What the rules say about a text, and the rule that says it; without a matching rule the host asks. */
export interface Match {
  readonly action: Action
  readonly order: number
  readonly pattern: string
}

const severity: Readonly<Record<Action, number>> = { allow: 0, ask: 1, deny: 2 }

/**
 * @param ignored rules for which the guard itself is the author.
 * @param approved turns "ask" into "allow", and never a "deny": what was approved counts where the asking rule stands, so
 * that a "deny" behind that rule still wins.
 */
export function compilePermissions(
  rules: readonly PermissionRule[],
  ignored: (rule: PermissionRule) => boolean = () => false,
  approved: Approved = () => false,
): Permissions {
  const compiled = rules.flatMap((rule, order) =>
    ignored(rule) ? [] : [compileRule(rule, order, isHostDefault(rule, rules[order - 1]))],
  )
  const rulesFor = (permission: string): readonly CompiledPermission[] =>
    compiled
      .filter((rule) => matchesWildcard(permission, compileWildcard(rule.permission)))
      .map((rule) => ({ ...rule, isApproved: (text: string) => approved(permission, text) }))
  return { bash: rulesFor("bash"), edit: rulesFor("edit"), externalDirectory: rulesFor("external_directory") }
}

function compileRule(
  rule: PermissionRule,
  order: number,
  isHostDefault: boolean,
): Omit<CompiledPermission, "isApproved"> {
  return {
    ...rule,
    order,
    wildcard: compileWildcard(rule.pattern),
    normal: normalPattern(rule.pattern),
    isHostDefault,
  }
}

/** OpenCode 1.18.33's rules begin with `*`, `doom_loop` and `external_directory` in this order (seen in `GET /agent`). */
function isHostDefault(rule: PermissionRule, before: PermissionRule | undefined): boolean {
  const isAsked = rule.permission === "external_directory" && rule.pattern === "*" && rule.action === "ask"
  return isAsked && before?.permission === "doom_loop"
}

/** The last matching rule wins. */
export function evaluate(rules: readonly CompiledPermission[], text: string): Match {
  const slashed = withSlashes(text)
  const rule = rules.findLast((candidate) => matchesSlashed(slashed, candidate.wildcard))
  if (rule === undefined) return { action: "ask", order: -1, pattern: "(no pattern)" }
  return rule.action === "ask" && rule.isApproved(text) ? { ...rule, action: "allow" } : rule
}

/** Deny over ask over allow; of equals the first. */
export function mostRestrictive<T extends Match>(matches: readonly T[]): T | undefined {
  return matches.reduce<T | undefined>(
    (worst, match) => (worst === undefined || isStricter(match.action, worst.action) ? match : worst),
    undefined,
  )
}

export function isStricter(left: Action, right: Action): boolean {
  return severity[left] > severity[right]
}

/** Whether no text at all could be asked about or denied. */
export function allowsEverything(rules: readonly CompiledPermission[]): boolean {
  const last = rules.findLastIndex((rule) => /^\*+$/.test(rule.pattern))
  return last !== -1 && rules.slice(last).every((rule) => rule.action === "allow")
}
