import type { PluginInput } from "@opencode-ai/plugin"
import type { UserMessage } from "@opencode-ai/sdk"
import picomatch from "picomatch"
import { field, text } from "../shared/untyped.ts"

type Client = PluginInput["client"]

/** A tool that stands for calls of tools that aren't there; no model is offered it (measured on OpenCode 1.18.33). */
const PSEUDO_TOOL = "invalid"

/** Tools that one permission governs together (measured on OpenCode 1.18.33). */
const EDIT_TOOLS = ["edit", "write", "apply_patch"]

/** One entry of the host's ordered permissions. */
interface Permission {
  readonly permission: string
  readonly pattern: string
  readonly action: string
}

/**
 * The tools and MCP servers that the next dispatch of a session offers to its model: tool ids, and `mcp_<server>` for each
 * connected server. The host tells no plugin the tools of a server.
 *
 * @param newest the session's newest user message: it decides model and agent.
 * @returns undefined when the host can't tell.
 */
export async function availableTools(
  client: Client,
  sessionID: string,
  newest: UserMessage | undefined,
): Promise<ReadonlySet<string> | undefined> {
  const [tools, servers, permissions] = await Promise.all([
    toolIds(client, newest?.model),
    connectedServers(client),
    permissionsOf(client, sessionID, newest?.agent),
  ])
  if (!tools && !servers) return undefined
  const offered = (tools ?? []).filter((id) => id !== PSEUDO_TOOL && isOffered(id, permissions))
  return new Set([...offered, ...(servers ?? []).map((server) => `mcp_${server}`)])
}

/** A tool is not offered when the last entry that speaks of it denies everything (measured on OpenCode 1.18.33). */
function isOffered(tool: string, permissions: readonly Permission[]): boolean {
  const name = EDIT_TOOLS.includes(tool) ? "edit" : tool
  const last = permissions.findLast(({ permission }) => permission === name || picomatch.isMatch(name, permission))
  return last === undefined || last.pattern !== "*" || last.action !== "deny"
}

/** The agent's permissions, then the session's own: a prompt's `tools` are among these. */
async function permissionsOf(client: Client, sessionID: string, agent: string | undefined): Promise<Permission[]> {
  const [agents, session] = await Promise.all([
    answer(() => client.app.agents()),
    answer(() => client.session.get({ path: { id: sessionID } })),
  ])
  const own = Array.isArray(agents) ? agents.find((one) => field(one, "name") === agent) : undefined
  return [...readPermissions(field(own, "permission")), ...readPermissions(field(session, "permission"))]
}

/** Both are lists of entries on the host, whatever the v1 client's types say. */
function readPermissions(value: unknown): Permission[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((entry: unknown) => {
    const [permission, pattern, action] = [text(entry, "permission"), text(entry, "pattern"), text(entry, "action")]
    return permission !== undefined && pattern !== undefined && action !== undefined
      ? [{ permission, pattern, action }]
      : []
  })
}

async function toolIds(client: Client, model: UserMessage["model"] | undefined): Promise<string[] | undefined> {
  if (!model) return answer(() => client.tool.ids())
  const query = { provider: model.providerID, model: model.modelID }
  return (await answer(() => client.tool.list({ query })))?.map(({ id }) => id)
}

async function connectedServers(client: Client): Promise<string[] | undefined> {
  const servers = await answer(() => client.mcp.status())
  return servers && Object.entries(servers).flatMap(([name, { status }]) => (status === "connected" ? [name] : []))
}

/** What the host answers, or undefined when it doesn't. */
async function answer<T>(ask: () => Promise<{ readonly data?: T | undefined }>): Promise<T | undefined> {
  try {
    return (await ask()).data
  } catch {
    return undefined
  }
}
