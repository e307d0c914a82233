import { TOOLS } from "./table.ts"
import type { Tool, ToolFolder, ToolName } from "./tool.ts"

/** Where a rules directory comes from when it is not one of OpenCode's own: another tool, or a package that is installed. */
export type Origin =
  | { readonly kind: "tool"; readonly tool: ToolName; readonly folder: string }
  | { readonly kind: "pack"; readonly name: string; readonly version: string }

/** The source's name for people: `Cursor`, `@acme/rules 1.2.0`. */
export function originLabel(origin: Origin): string {
  return origin.kind === "tool" ? TOOLS[origin.tool].title : `${origin.name} ${origin.version}`
}

/** The tool that a rules directory is one of, if any. */
export function toolOf(origin: Origin | undefined): Tool | undefined {
  return origin?.kind === "tool" ? TOOLS[origin.tool] : undefined
}

/** How the tool's folder is looked through; undefined for other directories. */
export function toolFolderOf(origin: Origin | undefined): ToolFolder | undefined {
  if (origin?.kind !== "tool") return undefined
  const { project, home }: Tool = TOOLS[origin.tool]
  return [...project, ...home].find(({ path }) => path === origin.folder)
}
