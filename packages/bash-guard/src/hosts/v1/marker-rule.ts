import { markerRule } from "../../marker.ts"
import { compileWildcard, matchesWildcard } from "../../permissions/wildcard.ts"
import { isRecord } from "../../shape.ts"

/**
 * Adds the rule that makes the host ask for a marker to the user's permissions and to each agent's own, last in order,
 * wherever they say something about bash. Rules follow the order of the config's keys, the agent's behind the user's
 * (measured on OpenCode 1.18.33): where a wildcard key stands behind `bash`, the rule goes into a key behind that. The
 * user's rules keep their places. Where the last word on bash is to deny everything, nothing is added: the host then
 * keeps the tool from the model, and would offer it again if another rule came last.
 */
export function addMarkerRule(config: unknown): void {
  if (!isRecord(config)) return
  for (const section of sectionsOf(config)) {
    if (section["permission"] !== undefined) section["permission"] = withRule(section["permission"])
  }
}

function sectionsOf(config: Record<string, unknown>): readonly Record<string, unknown>[] {
  const agents = [config["agent"], config["mode"]].filter(isRecord).flatMap((group) => Object.values(group))
  return [config, ...agents.filter(isRecord)]
}

function withRule(permission: unknown): unknown {
  if (typeof permission !== "string" && !isRecord(permission)) return permission
  const rule = { [markerRule.pattern]: markerRule.action }
  const sections = isRecord(permission) ? permission : { "*": permission }
  const keys = Object.keys(sections).filter((key) => matchesWildcard("bash", compileWildcard(key)))
  const last = keys.at(-1)
  if (last === undefined || deniesAll(sections[last])) return permission
  const bash = sections["bash"]
  if (last !== "bash") return { ...sections, [bash === undefined ? "bash" : "bash*"]: rule }
  return { ...sections, bash: { ...(isRecord(bash) ? bash : { "*": bash }), ...rule } }
}

function deniesAll(rules: unknown): boolean {
  if (!isRecord(rules)) return rules === "deny"
  const [pattern, action] = Object.entries(rules).at(-1) ?? []
  return pattern === "*" && action === "deny"
}
