import type { Tool } from "./tool.ts"

/**
 * `*.instructions.md`, in subfolders too. `applyTo` names the files, `**` or `*` alone all requests. Without `applyTo` the file is
 * attached by hand, or chosen by its `description`. Copilot CLI looks in nested folders and in the user's own.
 */
export const copilot: Tool = {
  name: "copilot",
  title: "GitHub Copilot",
  documentation: "https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-custom-instructions",
  project: [{ path: ".github/instructions", isNested: true, files: /\.instructions\.md$/i }],
  home: [{ path: ".copilot/instructions", files: /\.instructions\.md$/i }],
  keys: ["applyTo", "description", "name"],
  byDefault: { key: "alwaysApply", value: "false" },
  everything: ["**", "*", "**/*"],
  unsupported: { excludeAgent: "keeps the file from one of Copilot's own agents" },
}
