import { describeEnforcement, summariseEnforcement } from "./enforcement/describe.ts"
import type { HookMatch } from "./hooks/pattern.ts"
import type { CompiledRule, Condition } from "./rule.ts"
import { quoted, visible } from "./text.ts"

/**
 * One line: `*.rs · contains "unsafe {"`, `prompt "deploy" or branch main`, `always · hold · forbids 2`, `PreToolUse bash`; and
 * `✓ prompt "deploy" and • branch main` where it is known what is met.
 */
export function summariseConditions(rule: CompiledRule, options: DescriptionOptions = {}): string {
  return [summariseTriggers(rule, options), ...summariseEnforcement(rule)].join(" · ")
}

function summariseTriggers(rule: CompiledRule, options: DescriptionOptions): string {
  if (rule.activation === "hooks")
    return [...new Set(rule.hooks.map((hook) => `${hook.type} ${visible(hook.tool)}`))].join(", ")
  if (rule.activation === "onRequest") return "on request"
  if (rule.activation === "always") return "always"
  const parts = rule.conditions.map((condition) => `${metMark(condition, options)}${condition.summary}`)
  return parts.join(rule.match === "all" ? " and " : " or ")
}

/** What decides how a rule is described, beside the rule. */
export interface DescriptionOptions {
  /** Whether `run` commands of a project's rules run here. Undefined: not known. */
  readonly projectCommands?: boolean | undefined
  /** The condition families that are met. Each condition is marked as met or not then. */
  readonly met?: ReadonlySet<string> | undefined
}

function metMark({ family }: Condition, { met }: DescriptionOptions): string {
  return met === undefined ? "" : met.has(family) ? "✓ " : "• "
}

/** One line for each family, hook and key such as `hold`, in full. */
export function describeConditions(rule: CompiledRule, options: DescriptionOptions = {}): string[] {
  const conditions = rule.conditions.map(
    (condition) => `${metMark(condition, options)}${condition.family}: ${condition.details}`,
  )
  const others = [...describeHooks(rule, options), ...describeEnforcement(rule)]
  if (rule.activation === "onRequest") return ["on request", ...others]
  return rule.activation === "always" ? ["always", ...others] : [...conditions, ...others]
}

/** One line for each hook of a rule, in full. */
export function describeHooks(rule: CompiledRule, options: DescriptionOptions = {}): string[] {
  return rule.hooks.map((hook) => {
    const parts = [`hook: ${hook.type} ${visible(hook.tool)}`]
    if (hook.match) parts.push(describeMatch(hook.match))
    if (hook.block !== false) parts.push(hook.block === "once" ? "blocks once" : "blocks")
    if (hook.run !== undefined) parts.push(`runs ${quoted(hook.run, 200)}${runNote(rule, options)}`)
    return parts.join(" · ")
  })
}

/** The user's own commands always run; those of a project's rules only when the user says so. */
function runNote({ scope }: CompiledRule, { projectCommands }: DescriptionOptions): string {
  if (scope === "global" || projectCommands === true) return ""
  return projectCommands === false ? " (off: projectCommands)" : " (only with projectCommands)"
}

function describeMatch(match: HookMatch): string {
  if (match.kind === "json") return `arguments match ${quoted(match.pattern.source, 200)}`
  const each = Array.from(match.patterns, ([name, { source }]) => `${visible(name)} matches ${quoted(source, 200)}`)
  return each.join(" and ")
}
