import type { PluginInput } from "@opencode-ai/plugin"
import type { ModelRef } from "../../engine/session.ts"

/** A tool that stands for calls of tools that aren't there; no model is offered it (measured on OpenCode 1.18.33). */
const PSEUDO_TOOL = "invalid"

/**
 * The tools and MCP servers that a model of this host can use: tool ids, and `mcp_<server>` for each connected server.
 * The host tells no plugin the tools of a server.
 *
 * @param model the dispatch's model: the host's tools depend on it.
 * @param switches what the prompt itself says of tools; false takes one away.
 * @returns undefined when the host can't tell.
 */
export async function availableTools(
  client: PluginInput["client"],
  model: ModelRef | undefined,
  switches: Readonly<Record<string, boolean>> | undefined,
): Promise<ReadonlySet<string> | undefined> {
  const [tools, servers] = await Promise.all([toolIds(client, model), connectedServers(client)])
  if (!tools && !servers) return undefined
  const offered = (tools ?? []).filter((id) => id !== PSEUDO_TOOL && switches?.[id] !== false)
  return new Set([...offered, ...(servers ?? []).map((server) => `mcp_${server}`)])
}

async function toolIds(client: PluginInput["client"], model: ModelRef | undefined): Promise<string[] | undefined> {
  try {
    if (!model) return (await client.tool.ids()).data
    const { data } = await client.tool.list({ query: { provider: model.providerID, model: model.modelID } })
    return data?.map(({ id }) => id)
  } catch {
    return undefined
  }
}

async function connectedServers(client: PluginInput["client"]): Promise<string[] | undefined> {
  try {
    const { data } = await client.mcp.status()
    return Object.entries(data ?? {}).flatMap(([name, { status }]) => (status === "connected" ? [name] : []))
  } catch {
    return undefined
  }
}
