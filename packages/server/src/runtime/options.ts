import { readSourceOptions, type SourceOptions } from "@opencode-rulebook/rule-schema"
import type { optionsSchema } from "./options-schema.ts"

type OwnOptions = Readonly<typeof optionsSchema.infer>

/** The plugin's options: the second element of `["opencode-rulebook", { … }]` in `opencode.json`. */
export type PluginOptions = OwnOptions & SourceOptions

const DEFAULTS: OwnOptions = { projectCommands: false, projectLinks: false, maxSessions: 200, receipts: true }

/** The options that say where rules are read from: they are checked where the places are known. */
const SOURCE_OPTIONS: readonly (keyof SourceOptions)[] = ["rulesOf", "packs"]

/** What each option takes, by hand and in words. */
const CHECKS: Readonly<
  Record<keyof OwnOptions, { readonly wanted: string; readonly allows: (value: unknown) => boolean }>
> = {
  projectCommands: { wanted: "true or false", allows: (value) => typeof value === "boolean" },
  projectLinks: { wanted: "true or false", allows: (value) => typeof value === "boolean" },
  maxSessions: wholeNumber(10_000),
  receipts: { wanted: "true or false", allows: (value) => typeof value === "boolean" },
  maxTokens: wholeNumber(10_000_000),
}

function wholeNumber(most: number) {
  return {
    wanted: `a whole number from 1 to ${most}`,
    allows: (value: unknown) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most,
  }
}

/**
 * Reads the plugin's options. What is wrong falls back to its default, with a warning that names it.
 *
 * @param given what the host passes; nothing when `opencode.json` gives none.
 */
export function readOptions(given: unknown): { readonly options: PluginOptions; readonly warnings: readonly string[] } {
  if (given === undefined || given === null) return { options: DEFAULTS, warnings: [] }
  if (typeof given !== "object" || Array.isArray(given)) {
    const message = `opencode.json: the plugin's options must be an object, not ${show(given)}; the defaults apply.`
    return { options: DEFAULTS, warnings: [message] }
  }
  const sources = readSourceOptions(given)
  const warnings = [...sources.warnings]
  const accepted: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(given)) {
    if (SOURCE_OPTIONS.some((option) => option === key)) continue
    const field = `opencode.json: the plugin's option ${JSON.stringify(key)}`
    if (!isOption(key)) {
      const names = [...Object.keys(CHECKS), ...SOURCE_OPTIONS].join(", ")
      warnings.push(`${field} is not known and has no effect. The options are ${names}.`)
    } else if (CHECKS[key].allows(value)) {
      accepted[key] = value
    } else {
      warnings.push(`${field} must be ${CHECKS[key].wanted}, not ${show(value)}; the default applies.`)
    }
  }
  return { options: { ...DEFAULTS, ...accepted, ...sources.options }, warnings }
}

function isOption(key: string): key is keyof OwnOptions {
  return Object.hasOwn(CHECKS, key)
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? typeof value
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
