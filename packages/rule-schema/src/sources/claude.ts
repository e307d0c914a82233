import { AT_FILE, type Tool } from "./tool.ts"

/** A rule without `paths` is loaded at the start; one with `paths` when a matching file is read. Found recursively, links followed. */
export const claude: Tool = {
  name: "claude",
  title: "Claude Code",
  documentation: "https://code.claude.com/docs/en/memory",
  project: [{ path: ".claude/rules" }],
  home: [{ path: ".claude/rules" }],
  keys: ["paths"],
  includes: AT_FILE,
}
