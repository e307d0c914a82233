import { isRecord } from "@opencode-rulebook/rule-schema/authoring"
import {
  applyEdits,
  type FormattingOptions,
  modify,
  type ParseError,
  parse,
  printParseErrorCode,
} from "jsonc-parser/lib/esm/main.js"
import { type ListedPlugin, listedPlugins, PLUGIN_LISTS, type PluginList } from "../listed-plugins.ts"
import { UsageError } from "../usage-error.ts"
import { namesPlugin } from "./plugin-spec.ts"

const SCHEMAS = { opencode: "https://opencode.ai/config.json", tui: "https://opencode.ai/tui.json" } as const

/** What a config file is to say of the plugin. */
export interface PluginEdit {
  /** The list to add it to. It is not added when either list names it already. */
  readonly list: PluginList
  readonly kind: keyof typeof SCHEMAS
  /** What the list is to call it. */
  readonly plugin: string
  /** Tools for its option of that name; those that are there stay. */
  readonly rulesOf: readonly string[]
}

/**
 * Adds the plugin to a config file's list, with options if need be. Comments and formatting stay.
 *
 * @param text the file's text; undefined when there is no file.
 * @returns the new text; undefined when nothing is to be changed.
 * @throws UsageError when the text is not JSON with comments, or the list is not a list.
 */
export function withPlugin(text: string | undefined, file: string, edit: PluginEdit): string | undefined {
  const { list, kind } = edit
  if (text === undefined || text.trim() === "") {
    return `${JSON.stringify({ $schema: SCHEMAS[kind], [list]: [newEntry(edit)] }, undefined, 2)}\n`
  }
  const config = readConfig(text, file)
  for (const name of PLUGIN_LISTS) {
    if (config[name] !== undefined && !Array.isArray(config[name]))
      throw new UsageError(`${file}: "${name}" is not a list; correct it and run init again`)
  }
  const own = listedPlugins(config).find(({ spec }) => typeof spec === "string" && namesPlugin(spec))
  if (own) return withRulesOf(text, own, edit.rulesOf)
  const isThere = config[list] !== undefined
  const path = isThere ? [list, -1] : [list]
  const options = { formattingOptions: formattingOf(text), isArrayInsertion: isThere }
  return applyEdits(text, modify(text, path, isThere ? newEntry(edit) : [newEntry(edit)], options))
}

/** The two majors of OpenCode write an entry with options differently. */
function newEntry({ list, plugin, rulesOf }: PluginEdit): unknown {
  if (rulesOf.length === 0) return plugin
  return list === "plugins" ? { package: plugin, options: { rulesOf } } : [plugin, { rulesOf }]
}

/** Adds tools to the option of an entry that is there; undefined when it has them all. */
function withRulesOf(
  text: string,
  { list, index, entry, options }: ListedPlugin,
  tools: readonly string[],
): string | undefined {
  const before = isRecord(options) && Array.isArray(options["rulesOf"]) ? options["rulesOf"].map(String) : []
  if (tools.every((tool) => before.includes(tool))) return undefined
  const rulesOf = [...new Set([...before, ...tools])]
  const formattingOptions = formattingOf(text)
  if (typeof entry === "string") {
    const value = newEntry({ list, kind: "opencode", plugin: entry, rulesOf })
    return applyEdits(text, modify(text, [list, index], value, { formattingOptions }))
  }
  const path = [list, index, Array.isArray(entry) ? 1 : "options", "rulesOf"]
  return applyEdits(text, modify(text, path, rulesOf, { formattingOptions }))
}

function readConfig(text: string, file: string): Readonly<Record<string, unknown>> {
  const errors: ParseError[] = []
  const config: unknown = parse(text.replace(/^\uFEFF/, " "), errors, { allowTrailingComma: true })
  const [error] = errors
  if (error) {
    const line = text.slice(0, error.offset).split("\n").length
    throw new UsageError(
      `${file}:${line}: not valid JSON (${printParseErrorCode(error.error)}); correct it and run init again`,
    )
  }
  if (!isRecord(config)) throw new UsageError(`${file}: not a JSON object; correct it and run init again`)
  return config
}

/** As the file is indented. */
function formattingOf(text: string): FormattingOptions {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? "  "
  const eol = text.includes("\r\n") ? "\r\n" : "\n"
  return indent.startsWith("\t")
    ? { insertSpaces: false, tabSize: 1, eol }
    : { insertSpaces: true, tabSize: indent.length, eol }
}
