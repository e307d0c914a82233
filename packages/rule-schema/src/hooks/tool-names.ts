/** Built-in tools that the two majors of OpenCode call by different names: on v1, on v2. */
const RENAMED = [
  ["bash", "shell"],
  ["apply_patch", "patch"],
  ["task", "subagent"],
] as const

/**
 * The names of a tool on either major of OpenCode, the given one first: a rule that uses one of them means the tool.
 *
 * @param tool the name as a rule has it, in any case.
 */
export function toolNames(tool: string): readonly string[] {
  const pair = RENAMED.find((names) => names.some((name) => name === tool.toLowerCase()))
  return [tool, ...(pair ?? []).filter((name) => name !== tool.toLowerCase())]
}
