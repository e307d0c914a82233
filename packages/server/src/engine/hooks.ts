import { argumentsJson, type CompiledRule, hookMatches, type RuleHook } from "@opencode-rulebook/rule-schema"

/** A tool call as hooks see it. */
export interface ToolEvent {
  readonly type: RuleHook["type"]
  readonly sessionID: string
  readonly tool: string
  readonly args: unknown
}

export interface FiredHooks {
  /** Rules whose content goes into the next dispatch. */
  readonly activated: readonly CompiledRule[]
  /** Rules that reject the call, if it has not run yet. */
  readonly blocking: readonly CompiledRule[]
  /** Rules that reject it as long as the model has not read them. */
  readonly blockingOnce: readonly CompiledRule[]
  readonly commands: readonly { readonly rule: CompiledRule; readonly command: string }[]
}

/** The hooks that a tool event fires. A rule's hooks are independent of its conditions. */
export function fireHooks(rules: readonly CompiledRule[], event: ToolEvent): FiredHooks {
  let json: string | undefined
  const text = () => {
    json ??= argumentsJson(event.args)
    return json
  }
  const fired = rules.flatMap((rule) =>
    rule.hooks.filter((hook) => hookMatches(hook, event, text)).map((hook) => ({ rule, hook })),
  )
  /** After a call there is nothing left to block or hold. */
  const stopping = (block: RuleHook["block"]) =>
    unique(fired.filter(({ hook }) => hook.type === "PreToolUse" && hook.block === block).map(({ rule }) => rule))
  return {
    activated: unique(fired.map(({ rule }) => rule)),
    blocking: stopping(true),
    blockingOnce: stopping("once"),
    commands: fired.flatMap(({ rule, hook }) => (hook.run === undefined ? [] : [{ rule, command: hook.run }])),
  }
}

/** What the model reads in place of the rejected call's result. */
export function blockMessage(rules: readonly CompiledRule[]): string {
  return rules.map((rule) => `This call was blocked by the rule "${rule.name}".\n\n${rule.body.trim()}`).join("\n\n")
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}
