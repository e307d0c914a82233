import { AT_FILE, type Tool } from "./tool.ts"

/**
 * `alwaysApply: true`; `globs`, when a file matches; a `description` alone, when the agent decides; neither, when the user mentions
 * the rule. A rule without `alwaysApply` is one with `false`. `.md` and `.mdc`, in subfolders too, and in nested folders.
 */
export const cursor: Tool = {
  name: "cursor",
  title: "Cursor",
  documentation: "https://cursor.com/docs/context/rules",
  project: [{ path: ".cursor/rules", isNested: true }],
  home: [],
  keys: ["description", "globs", "alwaysApply"],
  byDefault: { key: "alwaysApply", value: "false" },
  includes: AT_FILE,
}
