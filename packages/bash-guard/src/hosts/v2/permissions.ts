import { markerName } from "../../marker.ts"
import type { PermissionRule } from "../../permissions/rules.ts"
import { compileWildcard, matchesWildcard } from "../../permissions/wildcard.ts"
import type { AgentDraft, HostRule } from "./host.ts"

/** Version 2 calls the tool `shell`; its permission is found under either name. */
const shellActions = ["shell", "bash"] as const

/** A marked command as the host may see it: parsed into commands, or as one text. */
const markerResources = [`${markerName}*`, `case . in :) ${markerName}*`]

/**
 * Remembers every agent's rules, and adds the rules that make the host ask for a marker, last in order. Not where the last
 * word on shell commands is to deny them all: a host may keep the tool from the model for that.
 */
export function takeRules(draft: AgentDraft, known: Map<string, readonly PermissionRule[]>): void {
  for (const agent of draft.list()) {
    known.set(agent.id, (agent.permissions ?? []).filter((rule) => !isOwn(rule)).map(toRule))
    if (deniesAll(agent.permissions ?? [])) continue
    draft.update(agent.id, (changing) => {
      const others = (changing.permissions ?? []).filter((rule) => !isOwn(rule))
      changing.permissions = [...others, ...markerRules()]
    })
  }
}

function markerRules(): HostRule[] {
  return shellActions.flatMap((action) =>
    markerResources.map((resource): HostRule => ({ action, resource, effect: "ask" })),
  )
}

function deniesAll(rules: readonly HostRule[]): boolean {
  const meetsShell = (rule: HostRule): boolean =>
    shellActions.some((action) => matchesWildcard(action, compileWildcard(rule.action)))
  const last = rules.findLast(meetsShell)
  return last?.resource === "*" && last.effect === "deny"
}

function isOwn(rule: HostRule): boolean {
  return rule.resource.includes(markerName)
}

function toRule(rule: HostRule): PermissionRule {
  return { permission: rule.action === "shell" ? "bash" : rule.action, pattern: rule.resource, action: rule.effect }
}
