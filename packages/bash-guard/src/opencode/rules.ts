import type { Action, PermissionRule } from "../permissions/rules.ts"
import { compileWildcard, matchesWildcard } from "../permissions/wildcard.ts"
import { type ConfigMap, type ConfigValue, emptyMap, fromPlain, mapOf, merge, type Origin } from "./value.ts"

/** A rule, and where it was written; undefined for OpenCode's own. */
export interface SourcedRule extends PermissionRule {
  readonly origin: Origin | undefined
  /** Whose it is; the agent's stand behind the user's. */
  readonly scope: "default" | "user" | "agent"
}

export function isAction(value: unknown): value is Action {
  return value === "allow" || value === "ask" || value === "deny"
}

/** One word stands for everything: `"permission": "ask"`. */
export function normalPermission(permission: ConfigValue | undefined): ConfigMap {
  if (permission?.kind === "map") return permission
  if (permission?.kind !== "leaf" || !isAction(permission.value)) return emptyMap
  return mapOf([["*", permission]])
}

/** The older `tools` as permissions, below those of `permission`: `{ "bash": false }` denies. */
export function withTools(tools: ConfigMap, permission: ConfigMap): ConfigMap {
  const entries = [...tools.entries].flatMap(([name, value]): [string, ConfigValue][] => {
    if (value.kind !== "leaf" || typeof value.value !== "boolean") return []
    const isEdit = ["write", "edit", "patch", "multiedit"].includes(name)
    return [[isEdit ? "edit" : name, fromPlain(value.value ? "allow" : "deny", value.origin)]]
  })
  return merge(mapOf(entries), permission)
}

/** The rules of a `permission` object, in the order of its keys; `~/` and `$HOME/` are the home (1.18.33, measured). */
export function rulesOf(permission: ConfigMap, home: string, scope: SourcedRule["scope"]): readonly SourcedRule[] {
  return [...permission.entries].flatMap(([name, value]) => {
    const patterns: readonly (readonly [string, ConfigValue])[] =
      value.kind === "map" ? [...value.entries] : [["*", value]]
    return patterns.flatMap(([pattern, action]) => {
      if (action.kind !== "leaf" || !isAction(action.value)) return []
      return [{ permission: name, pattern: atHome(pattern, home), action: action.value, origin: action.origin, scope }]
    })
  })
}

/** Effects of a `permission` that are none of OpenCode's three words, which OpenCode 1 does not start with. */
export function invalidActions(
  permission: ConfigValue | undefined,
): readonly { readonly origin: Origin; readonly reason: string }[] {
  if (permission === undefined) return []
  if (permission.kind === "map") return [...permission.entries.values()].flatMap(invalidActions)
  const { origin } = permission
  if (origin === undefined || (permission.kind === "leaf" && isAction(permission.value))) return []
  const value = permission.kind === "leaf" ? JSON.stringify(permission.value) : "a list"
  return [{ origin, reason: `${value} is not "allow", "ask" or "deny"` }]
}

function atHome(pattern: string, home: string): string {
  return pattern.replace(/^(?:~|\$HOME)(?=\/|$)/, () => home)
}

/** What OpenCode 2 calls differently. */
const newNames: Readonly<Record<string, string>> = { bash: "shell", write: "edit", patch: "edit" }

/** Rules in the names of OpenCode 2, as it reads a file of version 1 (2.0.26, `core/v1/config/migrate.ts`). */
export function renamed(rules: readonly SourcedRule[]): readonly SourcedRule[] {
  return rules.map((rule) => ({ ...rule, permission: newNames[rule.permission] ?? rule.permission }))
}

/** The rules of a `permissions` list: `{ action, resource, effect }` (2.0.26, `schema/permission.ts`). */
export function rulesOfList(list: ConfigValue | undefined, scope: SourcedRule["scope"]): readonly SourcedRule[] {
  if (list?.kind !== "list") return []
  return list.items.flatMap((item) => {
    const [permission, pattern, action] = ["action", "resource", "effect"].map((key) => {
      const value = item.kind === "map" ? item.entries.get(key) : undefined
      return value?.kind === "leaf" ? value.value : undefined
    })
    if (typeof permission !== "string" || typeof pattern !== "string" || !isAction(action)) return []
    return [{ permission, pattern, action, origin: item.origin, scope }]
  })
}

/** The permissions that the guard looks at, by the names of OpenCode 2's actions. */
const kinds = [
  ["shell", "bash"],
  ["edit", "edit"],
  ["external_directory", "external_directory"],
] as const

/** Rules of OpenCode 2 in the guard's names, which are those of OpenCode 1: one for each of them that the action matches. */
export function inGuardNames<R extends PermissionRule>(rules: readonly R[]): readonly R[] {
  return rules.flatMap((rule) => {
    const wildcard = compileWildcard(rule.permission)
    return kinds.flatMap(([action, permission]) => (matchesWildcard(action, wildcard) ? [{ ...rule, permission }] : []))
  })
}
