import { quoted } from "../text.ts"
import { TOOL_NAMES } from "./table.ts"
import type { ToolName } from "./tool.ts"

/** Where rules are read from beside OpenCode's own places: two of the plugin's options. */
export interface SourceOptions {
  readonly rulesOf?: readonly ToolName[]
  readonly packs?: readonly string[]
}

/** The names of packages, as npm takes them. */
const PACKAGE_NAME = /^(?:@[a-z0-9~_-][a-z0-9._~-]*\/)?[a-z0-9~_-][a-z0-9._~-]*$/i

const CHECKS: Readonly<Record<keyof SourceOptions, { allows(item: unknown): boolean; readonly wanted: string }>> = {
  rulesOf: {
    allows: (item) => TOOL_NAMES.some((name) => name === item),
    wanted: `one of ${TOOL_NAMES.join(", ")}`,
  },
  packs: { allows: (item) => typeof item === "string" && PACKAGE_NAME.test(item), wanted: "a package's name" },
}

/**
 * Reads `rulesOf` and `packs` of the plugin's options. An entry that can't be meant is left out with a warning that names it.
 *
 * @param given the options as the user wrote them.
 */
export function readSourceOptions(given: unknown): {
  readonly options: SourceOptions
  readonly warnings: readonly string[]
} {
  const options: Partial<Record<keyof SourceOptions, unknown[]>> = {}
  const warnings: string[] = []
  if (typeof given !== "object" || given === null) return { options: {}, warnings }
  for (const key of ["rulesOf", "packs"] as const) {
    const value: unknown = Object.hasOwn(given, key) ? (given as Record<string, unknown>)[key] : undefined
    if (value === undefined) continue
    const { allows, wanted } = CHECKS[key]
    const items: readonly unknown[] = Array.isArray(value) ? value : [value]
    options[key] = [...new Set(items.filter(allows))]
    for (const item of items.filter((each) => !allows(each))) {
      const shown = typeof item === "string" ? quoted(item) : (JSON.stringify(item) ?? typeof item)
      warnings.push(`opencode.json: the plugin's option "${key}" takes ${wanted}, not ${shown}; it is left out.`)
    }
  }
  // The checks above are what makes the items of these types.
  return { options: options as SourceOptions, warnings }
}
