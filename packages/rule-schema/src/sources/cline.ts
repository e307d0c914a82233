import type { Tool } from "./tool.ts"

/**
 * Every `.md` and `.txt` file of the folder, or `.clinerules` itself as a file. `paths` makes a rule conditional. Workflows, hooks
 * and skills lie in folders beside the rules.
 */
export const cline: Tool = {
  name: "cline",
  title: "Cline",
  documentation: "https://docs.cline.bot/customization/cline-rules",
  project: [
    { path: ".clinerules", canBeFile: true, files: /\.(?:md|txt)$/i, skips: ["workflows", "hooks", "skills"] },
    { path: ".cline/rules", files: /\.(?:md|txt)$/i },
  ],
  home: [
    { path: "Documents/Cline/Rules", files: /\.(?:md|txt)$/i },
    { path: "Cline/Rules", files: /\.(?:md|txt)$/i },
  ],
  keys: ["paths"],
  emptyMatchesNothing: true,
}
