import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser/lib/esm/main.js"

import { type Case, readCases } from "./cases.ts"

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
  readonly cases: readonly Case[]
  readonly warnings: readonly string[]
}

export const defaults: RestructureSettings = { enabled: false, max_segments: 3, max_depth: 2 }

type Key = keyof RestructureSettings
type Setting = boolean | number

const isSwitch = (value: unknown): value is Setting => typeof value === "boolean"
const isCount = (value: unknown): value is Setting => Number.isSafeInteger(value) && Number(value) >= 1

const shapes: Readonly<Record<Key, { is(value: unknown): value is Setting; readonly wanted: string }>> = {
  enabled: { is: isSwitch, wanted: "true or false" },
  max_segments: { is: isCount, wanted: "a whole number from 1" },
  max_depth: { is: isCount, wanted: "a whole number from 1" },
}

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
  const warnings = unknownKeys(root, ["restructure", "cases"], text, file)
  const list = findNodeAtLocation(root, ["cases"])
  const lineAt = (offset: number): number => lineOf(text, offset)
  const cases =
    list === undefined
      ? []
      : readCases(list, file, lineAt, (offset, reason, remedy) => {
          warnings.push(warning(text, file, offset, reason, remedy))
        })
  const section = findNodeAtLocation(root, ["restructure"])
  if (section === undefined) return { settings: {}, cases, warnings }
  if (section.type !== "object") {
    const layer = broken(text, file, section.offset, '"restructure" is not an object')
    return { ...layer, cases, warnings: [...warnings, ...layer.warnings] }
  }
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
  return { settings, cases, warnings }
}

/** Later layers over earlier ones, over the defaults. */
export function mergeLayers(layers: readonly SettingsLayer[]): RestructureSettings {
  return Object.assign({ ...defaults }, ...layers.map((layer) => layer.settings))
}

function readSetting(section: Node, key: Key, report: (key: Key, node: Node) => void): Setting | undefined {
  const node = findNodeAtLocation(section, [key])
  if (node === undefined) return undefined
  const value: unknown = getNodeValue(node)
  if (shapes[key].is(value)) return value
  report(key, node)
  return defaults[key]
}

function broken(text: string, file: string, offset: number, reason: string): SettingsLayer {
  const remedy = "restructuring is off until it is corrected; permissions are checked all the same"
  return { settings: { enabled: false }, cases: [], warnings: [warning(text, file, offset, reason, remedy)] }
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
  return `${file}:${lineOf(text, offset)}: ${reason}; ${remedy}.`
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length
}
