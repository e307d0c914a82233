import { type } from "arktype"
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser/lib/esm/main.js"

/** When a command that needs a person's approval is sent back to be written readably. */
export interface RestructureSettings {
  readonly enabled: boolean
  /** Most commands that may stand on a single-line command. */
  readonly max_segments: number
  /** Deepest nesting of substitutions and scripts in strings; the top is 1. */
  readonly max_depth: number
}

/** One file's share: what it sets, and what is wrong with it. */
export interface SettingsLayer {
  readonly settings: Partial<RestructureSettings>
  readonly warnings: readonly string[]
}

export const defaults: RestructureSettings = { enabled: false, max_segments: 3, max_depth: 2 }

const shapes = {
  enabled: { check: type("boolean"), wanted: "true or false" },
  max_segments: { check: type("number.integer >= 1"), wanted: "a whole number from 1" },
  max_depth: { check: type("number.integer >= 1"), wanted: "a whole number from 1" },
} as const

type Key = keyof RestructureSettings

/**
 * Reads one `opencode-bash-guard.jsonc`. A file that is no JSONC turns restructuring off; a bad value sets its setting to
 * the default (`enabled`: off), whatever other files say. Each problem is a warning with file, line, reason and remedy.
 */
export function readLayer(text: string, file: string): SettingsLayer {
  const errors: ParseError[] = []
  const root = parseTree(text.replace(/^\uFEFF/, " "), errors, { allowTrailingComma: true })
  const [error] = errors
  if (error !== undefined)
    return broken(text, file, error.offset, `not valid JSONC (${printParseErrorCode(error.error)})`)
  if (root?.type !== "object") return broken(text, file, 0, "not a JSON object")
  const warnings = unknownKeys(root, ["restructure"], text, file)
  const section = findNodeAtLocation(root, ["restructure"])
  if (section === undefined) return { settings: {}, warnings }
  if (section.type !== "object") return broken(text, file, section.offset, '"restructure" is not an object')
  const settings: { -readonly [K in Key]?: RestructureSettings[K] } = {}
  const report = (key: Key, node: Node): void => {
    warnings.push(
      warning(
        text,
        file,
        node.offset,
        `"restructure.${key}" must be ${shapes[key].wanted}`,
        `${defaults[key]} is used until it is`,
      ),
    )
  }
  const enabled = readSetting(section, "enabled", report)
  if (typeof enabled === "boolean") settings.enabled = enabled
  for (const key of ["max_segments", "max_depth"] as const) {
    const value = readSetting(section, key, report)
    if (typeof value === "number") settings[key] = value
  }
  warnings.push(...unknownKeys(section, Object.keys(shapes), text, file))
  return { settings, warnings }
}

/** Later layers over earlier ones, over the defaults. */
export function mergeLayers(layers: readonly SettingsLayer[]): RestructureSettings {
  return Object.assign({ ...defaults }, ...layers.map((layer) => layer.settings))
}

function readSetting(section: Node, key: Key, report: (key: Key, node: Node) => void): boolean | number | undefined {
  const node = findNodeAtLocation(section, [key])
  if (node === undefined) return undefined
  const value = shapes[key].check(getNodeValue(node))
  if (!(value instanceof type.errors)) return value
  report(key, node)
  return defaults[key]
}

function broken(text: string, file: string, offset: number, reason: string): SettingsLayer {
  const remedy = "restructuring is off until it is corrected; permissions are checked all the same"
  return { settings: { enabled: false }, warnings: [warning(text, file, offset, reason, remedy)] }
}

function unknownKeys(node: Node, known: readonly string[], text: string, file: string): string[] {
  return (node.children ?? []).flatMap((property) => {
    const key: unknown = property.children?.[0]?.value
    if (typeof key !== "string" || known.includes(key)) return []
    return [
      warning(text, file, property.offset, `unknown setting ${JSON.stringify(key)}`, `known here: ${known.join(", ")}`),
    ]
  })
}

function warning(text: string, file: string, offset: number, reason: string, remedy: string): string {
  return `${file}:${text.slice(0, offset).split("\n").length}: ${reason}; ${remedy}.`
}
