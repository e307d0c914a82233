import { withTimeout } from "../../with-timeout.ts"
import { field, text } from "../shared/untyped.ts"
import type { V2Context } from "./host.ts"

/** How long the host may take to list its tools or servers, in milliseconds. */
const PATIENCE_MS = 2_000

/** The tool behind which those of MCP servers are, unless their server says otherwise. */
const CODE_MODE = "execute"

/** The names of the tools that a dispatch offers to its model; undefined when it shows none. */
export function offeredTools(tools: unknown): ReadonlySet<string> | undefined {
  return typeof tools === "object" && tools !== null ? new Set(Object.keys(tools)) : undefined
}

/**
 * What a model can use: the tools that its dispatch offers, those behind `execute` if it offers that, and `mcp_<server>` for each
 * connected MCP server. A host that can't list them (previews) tells the offered ones only.
 *
 * @param offered the dispatch's own tools.
 * @param patienceMs how long the host may take to answer each question, in milliseconds.
 */
export async function availableTools(
  context: Pick<V2Context, "tool" | "mcp">,
  offered: ReadonlySet<string> | undefined,
  patienceMs = PATIENCE_MS,
): Promise<ReadonlySet<string> | undefined> {
  const { tool, mcp } = context
  const [tools, servers] = await Promise.all([
    listed(offered?.has(CODE_MODE) && tool.list ? () => tool.list?.() : undefined, patienceMs),
    listed(mcp?.list ? () => mcp.list?.() : undefined, patienceMs),
  ])
  const names = [...tools.filter(isBehindCodeMode).flatMap(effectiveName), ...servers.flatMap(connectedName)]
  return offered === undefined && names.length === 0 ? undefined : new Set([...(offered ?? []), ...names])
}

/** The entries of the host's answer; none when it has none in time. */
async function listed(ask: (() => Promise<unknown> | undefined) | undefined, patienceMs: number): Promise<unknown[]> {
  if (!ask) return []
  try {
    const answer = await withTimeout(Promise.resolve(ask()), patienceMs)
    const value = answer.kind === "done" ? answer.value : undefined
    return [value, field(value, "data")].find(Array.isArray) ?? []
  } catch {
    return []
  }
}

function isBehindCodeMode(tool: unknown): boolean {
  return field(field(tool, "options"), "codemode") !== false
}

function effectiveName(tool: unknown): string[] {
  const name = text(tool, "name")
  const namespace = text(field(tool, "options"), "namespace")
  const composed = name !== undefined && namespace !== undefined ? `${namespace}_${name}` : name
  return [text(tool, "id") ?? composed ?? []].flat()
}

function connectedName(server: unknown): string[] {
  const name = text(server, "name")
  const status = text(field(server, "status"), "status") ?? text(server, "status")
  return name !== undefined && status === "connected" ? [`mcp_${name}`] : []
}
