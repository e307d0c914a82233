import { isRecord } from "@opencode-rulebook/rule-schema/authoring"

/** The lists that name plugins: OpenCode 1's, which OpenCode 2 reads too, and OpenCode 2's own. */
export const PLUGIN_LISTS = ["plugin", "plugins"] as const

export type PluginList = (typeof PLUGIN_LISTS)[number]

/** One entry of such a list, whichever way the two majors of OpenCode write it. */
export interface ListedPlugin {
  readonly list: PluginList
  readonly index: number
  /** As the file has it: a name, a name with options in a list, or an object with `package` and `options`. */
  readonly entry: unknown
  /** The package's name or the path; what is not text is no plugin's. */
  readonly spec: unknown
  readonly options: unknown
}

/** The entries of a config file's lists, in their order. What is not a list has none. */
export function listedPlugins(settings: Readonly<Record<string, unknown>>): readonly ListedPlugin[] {
  return PLUGIN_LISTS.flatMap((list) => {
    const entries = settings[list]
    if (!Array.isArray(entries)) return []
    return entries.map((entry: unknown, index): ListedPlugin => {
      if (Array.isArray(entry)) return { list, index, entry, spec: entry[0], options: entry[1] }
      if (isRecord(entry)) return { list, index, entry, spec: entry["package"], options: entry["options"] }
      return { list, index, entry, spec: entry, options: undefined }
    })
  })
}
