import { isRecord } from "@opencode-rulebook/rule-schema/authoring"
import {
  applyEdits,
  type FormattingOptions,
  modify,
  type ParseError,
  parse,
  printParseErrorCode,
} from "jsonc-parser/lib/esm/main.js"
import { UsageError } from "../usage-error.ts"
import { namesPlugin } from "./plugin-spec.ts"

/** The lists that name plugins: OpenCode 1's, which OpenCode 2 reads too, and OpenCode 2's own. */
const LISTS = ["plugin", "plugins"] as const

const SCHEMAS = { opencode: "https://opencode.ai/config.json", tui: "https://opencode.ai/tui.json" } as const

/**
 * Adds the plugin to a config file's list. Comments and formatting stay.
 *
 * @param text the file's text; undefined when there is no file.
 * @param list the list to add to; nothing is added when either list names the plugin already.
 * @returns the new text; undefined when nothing is to be changed.
 * @throws UsageError when the text is not JSON with comments, or the list is not a list.
 */
export function withPlugin(
  text: string | undefined,
  file: string,
  {
    list,
    kind,
    plugin,
  }: { readonly list: (typeof LISTS)[number]; readonly kind: keyof typeof SCHEMAS; readonly plugin: string },
): string | undefined {
  if (text === undefined || text.trim() === "") {
    return `${JSON.stringify({ $schema: SCHEMAS[kind], [list]: [plugin] }, undefined, 2)}\n`
  }
  const config = readConfig(text, file)
  const entries = LISTS.flatMap((name) => entriesOf(config[name], name, file))
  if (entries.some(namesPlugin)) return undefined
  const isThere = config[list] !== undefined
  const path = isThere ? [list, -1] : [list]
  const options = { formattingOptions: formattingOf(text), isArrayInsertion: isThere }
  return applyEdits(text, modify(text, path, isThere ? plugin : [plugin], options))
}

function readConfig(text: string, file: string): Readonly<Record<string, unknown>> {
  const errors: ParseError[] = []
  const config: unknown = parse(text.replace(/^\uFEFF/, " "), errors, { allowTrailingComma: true })
  const [error] = errors
  if (error) {
    const line = text.slice(0, error.offset).split("\n").length
    throw new UsageError(
      `${file}:${line}: not valid JSON (${printParseErrorCode(error.error)}); mend it and run init again`,
    )
  }
  if (!isRecord(config)) throw new UsageError(`${file}: not a JSON object; mend it and run init again`)
  return config
}

/** The names in a list: an entry is a name, a name with options in a list, or an object with `package`. */
function entriesOf(value: unknown, name: string, file: string): string[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw new UsageError(`${file}: "${name}" is not a list; mend it and run init again`)
  return value.flatMap((entry: unknown) => {
    const found = Array.isArray(entry) ? entry[0] : isRecord(entry) ? entry["package"] : entry
    return typeof found === "string" ? [found] : []
  })
}

/** As the file is indented. */
function formattingOf(text: string): FormattingOptions {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? "  "
  const eol = text.includes("\r\n") ? "\r\n" : "\n"
  return indent.startsWith("\t")
    ? { insertSpaces: false, tabSize: 1, eol }
    : { insertSpaces: true, tabSize: indent.length, eol }
}
