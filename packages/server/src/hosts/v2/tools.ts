/**
 * The tools that a dispatch offers to its model. The tools of MCP servers are behind `execute`
 * (measured): which servers there are, the host doesn't say.
 *
 * @param tools what the dispatch shows: a record by name.
 * @returns undefined when it shows none.
 */
export function availableTools(tools: unknown): ReadonlySet<string> | undefined {
  if (typeof tools !== "object" || tools === null) return undefined
  return new Set(Object.keys(tools))
}
