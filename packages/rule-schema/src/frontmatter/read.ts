import { type Document, isMap, isNode, parseDocument, visit } from "yaml"
import type { Problems } from "../problems.ts"
import { markTextValues } from "./text-values.ts"
import { documentValue, type Entry, OversizedYaml } from "./value.ts"

/** The declared keys by name. */
export type Frontmatter = ReadonlyMap<string, Entry>

const MAX_SOURCE = 256 * 1024

/**
 * Reads the YAML between the fences. `base` is its offset in the file. Undefined when it can't be read, which is one error;
 * empty frontmatter, or frontmatter of comments only, declares nothing.
 */
export function readFrontmatter(
  source: string,
  base: number,
  isPatternKey: (key: string) => boolean,
  problems: Problems,
): Frontmatter | undefined {
  const fail = (code: string, offset: number, reason: string, remedy: string, field?: string) => {
    problems.error({ offset: base + offset, field }, code, reason, remedy)
    return undefined
  }
  if (source.length > MAX_SOURCE) {
    return fail("too-large", 0, "the frontmatter is longer than 256 KB", "Move text below the closing `---`")
  }
  const control = /[\p{Cc}\uFEFF]/u.exec(source.replace(/[\t\n\r]/g, " "))
  if (control) {
    return fail("yaml-syntax", control.index, "the frontmatter has a control character in it", "Remove it")
  }
  // A lone CR ends a line in YAML, but not for the library.
  const lines = source.replace(/\r(?!\n)/g, "\n")
  try {
    const asWritten = parse(lines)
    const isPlain = isReadAsMeant(asWritten)
    const marked = isPlain ? { source: lines, texts: new Map<number, string>() } : markTextValues(lines, isPatternKey)
    const document = isPlain ? asWritten : parse(marked.source)
    const error = document.errors[0]
    if (error) {
      const isDuplicate = error.code === "DUPLICATE_KEY"
      const place = Math.min(error.pos[0], source.length)
      const key = keyAt(source, place, !isDuplicate)
      const offset = key?.isOpenEnded ? key.offset : place
      const reason = isDuplicate ? "the key is declared twice" : `not valid YAML: ${error.message}`
      const remedy = isDuplicate ? "Keep one of them, with a list of both values" : remedyFor(error.code)
      return fail(isDuplicate ? "duplicate-key" : "yaml-syntax", offset, reason, remedy, key?.name)
    }
    const value = documentValue(document, base, marked.texts)
    if (value.kind === "mapping") return value.entries
    if (value.kind === "scalar" && value.value === null) return new Map()
    return fail(
      "not-a-mapping",
      0,
      `the frontmatter is a ${value.kind === "list" ? "list" : "text"}, not \`key: value\` lines`,
      NO_FRONTMATTER,
    )
  } catch (error) {
    const isOversized = error instanceof OversizedYaml || error instanceof RangeError
    const reason = isOversized
      ? "the frontmatter is nested or aliased without bound"
      : `not valid YAML: ${messageOf(error)}`
    return fail("yaml-syntax", 0, reason, "Write the values out, without nesting or aliases")
  }
}

function parse(source: string): Document.Parsed {
  return parseDocument(source, { prettyErrors: false, logLevel: "silent" })
}

/** Whether the YAML library's own reading can stand: nothing refused, and nothing that a pattern or literal may have become. */
function isReadAsMeant(document: Document.Parsed): boolean {
  if (document.errors.length > 0 || document.warnings.length > 0) return false
  let isMeant = true
  visit(document, {
    Alias: () => doubt(),
    Node(_key, node) {
      const hasProperty = isNode(node) && (node.tag !== undefined || ("anchor" in node && node.anchor !== undefined))
      return hasProperty || (isMap(node) && node.flow) ? doubt() : undefined
    },
  })
  return isMeant

  function doubt(): symbol {
    isMeant = false
    return visit.BREAK
  }
}

const NO_FRONTMATTER = "If it is meant as text, put an empty frontmatter (`---` twice) above it"

function remedyFor(code: string): string {
  if (code === "BAD_DQ_ESCAPE") return "Use single quotes: backslashes are plain characters there"
  if (code === "TAB_AS_INDENT") return "Indent with spaces"
  return "Put the value in single quotes, or close the bracket or quote that is open"
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * The top-level key whose value an error is about. An error at the very start of a line is about a value that was never
 * closed in the lines before.
 */
function keyAt(
  source: string,
  offset: number,
  canBeOpen: boolean,
): { name: string; offset: number; isOpenEnded: boolean } | undefined {
  const isOpenEnded = canBeOpen && source[offset - 1] === "\n" && !/^[ \t]*\t/.test(source.slice(offset))
  const lineEnd = source.indexOf("\n", offset)
  const before = source.slice(0, isOpenEnded ? offset : lineEnd < 0 ? source.length : lineEnd)
  const key = Array.from(before.matchAll(/^["']?([A-Za-z_][\w-]*)["']?[ \t]*:/gm)).at(-1)
  return key && { name: key[1] ?? "", offset: key.index, isOpenEnded }
}
