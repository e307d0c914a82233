import { tmpdir } from "node:os"
import { join } from "node:path"
import { type AgentRules, agentRules1, normalDocument1 } from "./agents.ts"
import { emptyMap, fromPlain } from "./value.ts"

/** The rules of all agents in a configuration that OpenCode 1 has merged, as plugins get it. */
export function permissionsOfConfig(config: unknown, home: string): AgentRules {
  const value = fromPlain(config)
  const data = process.env["XDG_DATA_HOME"] || join(home, ".local/share")
  return agentRules1(value.kind === "map" ? normalDocument1(value) : emptyMap, { home, data, temporary: tmpdir() })
}
