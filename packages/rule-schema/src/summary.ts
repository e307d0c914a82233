import type { HookMatch } from "./hooks/pattern.ts"
import type { CompiledRule, RuleHook } from "./rule.ts"
import { quoted, visible } from "./text.ts"

/** One line: `*.rs · contains "unsafe {"`, `prompt "deploy" or branch main`, `always`, `PreToolUse bash`. */
export function summariseConditions(rule: CompiledRule): string {
  if (rule.activation === "hooks")
    return [...new Set(rule.hooks.map((hook) => `${hook.type} ${visible(hook.tool)}`))].join(", ")
  if (rule.activation === "onRequest") return "on request"
  if (rule.activation === "always") return "always"
  return rule.conditions.map((condition) => condition.summary).join(rule.match === "all" ? " and " : " or ")
}

/** One line for each family and hook, in full. */
export function describeConditions(rule: CompiledRule): string[] {
  const conditions = rule.conditions.map(
    (condition) => `${condition.family}: ${condition.details} (${condition.lifetime})`,
  )
  const hooks = rule.hooks.map(describeHook)
  if (rule.activation === "onRequest") return ["on request", ...hooks]
  return rule.activation === "always" ? ["always", ...hooks] : [...conditions, ...hooks]
}

function describeHook(hook: RuleHook): string {
  const parts = [`hook: ${hook.type} ${visible(hook.tool)}`]
  if (hook.match) parts.push(describeMatch(hook.match))
  if (hook.block) parts.push("blocks")
  if (hook.run !== undefined) parts.push(`runs ${quoted(hook.run, 200)}`)
  return parts.join(" · ")
}

function describeMatch(match: HookMatch): string {
  if (match.kind === "json") return `arguments match ${quoted(match.pattern.source, 200)}`
  const each = Array.from(match.patterns, ([name, { source }]) => `${visible(name)} matches ${quoted(source, 200)}`)
  return each.join(" and ")
}
