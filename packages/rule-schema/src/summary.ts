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
  if (hook.match) parts.push(`arguments match ${quoted(hook.match.source, 200)}`)
  if (hook.block) parts.push("blocks")
  if (hook.run !== undefined) parts.push(`runs ${quoted(hook.run, 200)}`)
  return parts.join(" · ")
}
