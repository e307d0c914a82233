/** Built-in tools that the two majors of OpenCode call by different names: on v1, on v2. Rules may use either. */
const RENAMED = [
  ["bash", "shell"],
  ["apply_patch", "patch"],
  ["task", "subagent"],
] as const

/** What OpenCode v2 calls a tool of v1, where it is another name. */
export function namesOnV2(tool: string): string[] {
  return RENAMED.flatMap(([v1, v2]) => (v1 === tool ? [v2] : []))
}

/** What OpenCode v1 calls a tool of v2, where it is another name. */
export function namesOnV1(tool: string): string[] {
  return RENAMED.flatMap(([v1, v2]) => (v2 === tool ? [v1] : []))
}
