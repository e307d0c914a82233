import { markerRule } from "../../marker.ts"

/**
 * Adds the rule that makes the host ask for a marker to the user's permissions and to each agent's own, last in order.
 * Rules follow the order of the config's keys, the agent's behind the user's (measured on OpenCode 1.18.33): where a
 * wildcard key stands behind `bash`, the rule goes into a key behind that. The user's rules keep their places.
 */
export function addMarkerRule(config: unknown): void {
  if (!isRecord(config)) return
  config["permission"] = withRule(config["permission"])
  for (const key of ["agent", "mode"]) {
    const agents = config[key]
    if (!isRecord(agents)) continue
    for (const agent of Object.values(agents)) {
      if (isRecord(agent) && agent["permission"] !== undefined) agent["permission"] = withRule(agent["permission"])
    }
  }
}

function withRule(permission: unknown): unknown {
  const rule = { [markerRule.pattern]: markerRule.action }
  if (permission === undefined) return { bash: rule }
  if (typeof permission === "string") return { "*": permission, bash: rule }
  if (!isRecord(permission)) return permission
  const keys = Object.keys(permission)
  const isCovered = keys.slice(keys.indexOf("bash") + 1).some((key) => /[*?]/.test(key))
  if (keys.includes("bash") && isCovered) return { ...permission, "bash*": rule }
  const bash = permission["bash"]
  if (typeof bash === "string") return { ...permission, bash: { "*": bash, ...rule } }
  return { ...permission, bash: { ...(isRecord(bash) ? bash : {}), ...rule } }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
