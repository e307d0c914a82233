import type { HookMatch } from "./hooks/pattern.ts"
import type { CompiledRule } from "./rule.ts"
import { quoted, visible } from "./text.ts"

/** One line: `*.rs · contains "unsafe {"`, `prompt "deploy" or branch main`, `always`, `PreToolUse bash`. */
export function summariseConditions(rule: CompiledRule): string {
  if (rule.activation === "hooks")
    return [...new Set(rule.hooks.map((hook) => `${hook.type} ${visible(hook.tool)}`))].join(", ")
  if (rule.activation === "onRequest") return "on request"
  if (rule.activation === "always") return "always"
  return rule.conditions.map((condition) => condition.summary).join(rule.match === "all" ? " and " : " or ")
}

/** What decides how a rule is described, beside the rule. */
export interface DescriptionOptions {
  /** Whether `run` commands of a project's rules run here. Undefined: not known. */
  readonly projectCommands?: boolean | undefined
}

/** One line for each family and hook, in full. */
export function describeConditions(rule: CompiledRule, options: DescriptionOptions = {}): string[] {
  const conditions = rule.conditions.map((condition) => `${condition.family}: ${condition.details}`)
  const hooks = describeHooks(rule, options)
  if (rule.activation === "onRequest") return ["on request", ...hooks]
  return rule.activation === "always" ? ["always", ...hooks] : [...conditions, ...hooks]
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
