import { type Document, isAlias, isMap, isNode, isScalar, isSeq, parseDocument, visit } from "yaml"

/** What YAML finds wrong, at an offset of its text. */
export type YamlError = Document.Parsed["errors"][number]

/** The anchors (`&name`) and aliases (`*name`) that a whole frontmatter has, as far as they can be told without reading it. */
export interface Names {
  readonly anchors: ReadonlySet<string>
  readonly aliases: ReadonlySet<string>
}

export function namesIn(source: string): Names {
  const find = (sign: string) => {
    const found = source.matchAll(new RegExp(`(?<=[\\s[{,:-])\\${sign}([^\\s,[\\]{}]+)`, "g"))
    return new Set(Array.from(found, (match) => match[1] ?? ""))
  }
  return { anchors: find("&"), aliases: find("*") }
}

/**
 * Never throws for bad YAML: `errors` has what is wrong. A repeated key is none of them, as looking for one takes the library
 * time that grows with the square of the keys: `isReadAsMeant` does.
 */
export function parseYaml(source: string): Document.Parsed {
  return parseDocument(source, { prettyErrors: false, logLevel: "silent", uniqueKeys: false })
}

/**
 * Whether YAML's own reading is what the author meant. It isn't where YAML refuses the text, nor where a sign at the start of a
 * text makes something else of it: a tag (`!dist`), an anchor that nothing uses (`&mut`), an alias of nothing (`*name`), braces
 * around names (`{a,b}`), a key that is a list (`[//]: # comment`) or stands twice.
 */
export function isReadAsMeant(document: Document.Parsed, names: Names): boolean {
  if (document.errors.length > 0 || document.warnings.length > 0) return false
  let isMeant = true
  visit(document, {
    Pair: (_key, { key }) => (isScalar(key) ? undefined : doubt()),
    Alias: (_key, node) => (names.anchors.has(node.source) ? undefined : doubt()),
    Node(_key, node) {
      if (!isNode(node) || isAlias(node)) return undefined
      const isTagged = node.tag !== undefined && !node.tag.startsWith("tag:yaml.org,")
      const isMisread = isTagged || hasIdleAnchor(node, names) || isBraces(node) || hasRepeatedKey(node)
      return isMisread ? doubt() : undefined
    },
  })
  return isMeant

  function doubt(): symbol {
    isMeant = false
    return visit.BREAK
  }
}

/** `&mut` and `&a b` are texts; `&name` before a quote or a collection is an anchor all the same. */
function hasIdleAnchor(node: object, { aliases }: Names): boolean {
  const anchor = "anchor" in node ? node.anchor : undefined
  if (typeof anchor !== "string" || aliases.has(anchor)) return false
  return isScalar(node) && node.type === "PLAIN"
}

/** `{a,b}`: a flow mapping of keys without values. */
function isBraces(node: object): boolean {
  return isMap(node) && node.flow === true && node.items.some(({ value }) => value === null)
}

function hasRepeatedKey(node: object): boolean {
  if (!isMap(node)) return false
  const keys = node.items.map(({ key }) => (isScalar(key) ? key.value : key))
  return new Set(keys).size < keys.length
}

/** Is this a list or a mapping over lines? */
export function isBlock(document: Document.Parsed): boolean {
  const { contents } = document
  return (isMap(contents) || isSeq(contents)) && contents.flow !== true
}

/** What is wrong, in the words of somebody who writes rules. */
export function reasonFor(error: YamlError | undefined): string {
  const message = error?.message ?? "the value can't be read, or has a key twice"
  if (/quote/i.test(message) && error?.code === "MISSING_CHAR") return "a quote is not closed"
  const closer = /\bend with a ([\]}])/.exec(message)?.[1]
  if (closer) return `\`${closer === "]" ? "[" : "{"}\` is not closed`
  if (error?.code === "BAD_DQ_ESCAPE") return "a backslash in double quotes begins an escape that does not exist"
  if (error?.code === "TAB_AS_INDENT") return "the line is indented with a tab"
  if (error?.code === "BAD_INDENT") return "the line is indented differently from the lines above"
  return `not valid YAML: ${message}`
}

export function remedyFor(error: YamlError | undefined): string {
  if (error?.code === "BAD_DQ_ESCAPE") return "Use single quotes: backslashes are plain characters there"
  if (error?.code === "TAB_AS_INDENT") return "Indent with spaces"
  if (error?.code === "BAD_INDENT" && !/end with a/.test(error.message)) {
    return "Indent the items of a list, and the keys of a mapping, equally far"
  }
  return "Put the value in single quotes, or close the bracket or quote that is open"
}
