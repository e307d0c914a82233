import { claude } from "./claude.ts"
import { cline } from "./cline.ts"
import { continueDev } from "./continue.ts"
import { copilot } from "./copilot.ts"
import { cursor } from "./cursor.ts"
import { kiro } from "./kiro.ts"
import type { Tool, ToolName } from "./tool.ts"
import { windsurf } from "./windsurf.ts"

/** Every tool whose rules can be read in place. A new one is one file and one row here. */
export const TOOLS = { cursor, claude, copilot, windsurf, kiro, cline, continue: continueDev } as const satisfies {
  readonly [Name in ToolName]: Tool
}

export const TOOL_NAMES: readonly ToolName[] = Object.values(TOOLS).map(({ name }) => name)
