import { closingBracket, closingQuote, flowItems, withoutComment } from "./flow.ts"
import { type Line, type Span, splitLines } from "./lines.ts"
import { documentValue, type Entry, OversizedYaml, textValue, type Value } from "./value.ts"
import { isBlock, isReadAsMeant, type Names, parseYaml } from "./yaml.ts"

/** What is around a value that is read without the rest of its document. */
export interface Reading {
  readonly source: string
  /** The offset of the source in the file. */
  readonly base: number
  readonly names: Names
  /** Does the key take texts, so that braces and colons in a value are a text's? Else mappings are expected. */
  readonly takesText: boolean
  /** Lines that belong to the value are indented at least so far. */
  readonly column: number
  readonly depth: number
  /** How many more values are read; shared by all of a frontmatter. */
  readonly budget: { left: number }
}

const MAX_DEPTH = 20
/** A text to YAML and to everybody, told without YAML. */
const PLAIN = /^(?!(?:true|false|null|yes|no|on|off)$)(?:[A-Za-z_]|\*+[./])[\w./*-]*$/i
const KEY = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|(<<|[^\s#"'[\]{},&*!|>%@`?:-][^#:"'[\]{}\n]{0,200}?))\s*:(?=\s|$)/

/** The key at the start of a text, and the length that it takes up with its colon. */
export function keyAt(text: string): { readonly key: string; readonly length: number } | undefined {
  const match = KEY.exec(text)
  return match ? { key: match[1] ?? match[2] ?? match[3] ?? "", length: match[0].length } : undefined
}

/** Does a value begin in the line of its key? */
export function isInline(source: string, start: number): boolean {
  return /^[^\S\n]*(?:#\S|[^\s#])/.test(source.slice(start, start + 500))
}

/**
 * Reads one value by itself: as YAML where that takes it as it is meant, else as a list in brackets, a list of dashes, a mapping,
 * or a text. Undefined: it is none of them.
 *
 * @param canBeBlock whether a list or a mapping over lines can begin here: not behind a key in its line.
 */
export function readValue(reading: Reading, span: Span, canBeBlock: boolean): Value | undefined {
  const { source, base, names, takesText, depth } = reading
  const written = source.slice(span.start, span.end)
  const bare = written.trim()
  if (PLAIN.test(bare)) return textValue(bare, base + span.start + written.indexOf(bare))
  reading.budget.left -= 1
  if (reading.budget.left < 0) throw new OversizedYaml()
  if (/^\s*#\S[^\n]*\s*$/.test(written)) return textValue(written.trim(), base + span.end - written.trimStart().length)
  // Where a block can begin, its lines' columns count.
  const column = canBeBlock ? columnAt(source, span.start) : 0
  const alone = " ".repeat(column) + written
  const document = parseYaml(alone)
  if (isReadAsMeant(document, names) && (canBeBlock || !isBlock(document))) {
    return documentValue(document, alone, base + span.start - column)
  }
  const lines = contentLines(source, span)
  const first = lines[0]
  if (first === undefined || depth > MAX_DEPTH) return undefined
  const inner = { ...reading, depth: depth + 1 }
  const start = first.start + indentOf(first)
  const sign = source[start]
  const content = { start, end: endOf(lines, sign === "[" || sign === "{") }
  if (canBeBlock && isDash(first)) return readDashes(inner, lines, span.end)
  const isClosed = closingBracket(source, content) === content.end - 1
  if (isClosed && sign === "[") return readBrackets({ ...inner, column: 0 }, content)
  if (isQuotedList(source.slice(content.start, content.end))) {
    const list = readBrackets(inner, { start: content.start - 1, end: content.end + 1 })
    return list && { ...list, offset: base + content.start }
  }
  if (takesText) return readText(reading, lines, content)
  if (isClosed) return readEntries({ ...inner, column: 0 }, content.start, flowItems(source, content))
  const isMapping = canBeBlock && keyAt(source.slice(content.start, content.end)) !== undefined
  return isMapping ? readBlock(inner, lines, span.end) : readText(reading, lines, content)
}

function readDashes(reading: Reading, lines: readonly Line[], end: number): Value | undefined {
  const { source, base } = reading
  const column = lineColumn(source, lines[0])
  const dashes = lines.filter((line) => lineColumn(source, line) === column)
  if (!dashes.every(isDash) || lines.some((line) => lineColumn(source, line) < column)) return undefined
  const starts = dashes.map((line) => line.start + indentOf(line))
  const items = starts.map((start, index) => {
    const span = { start: start + 1, end: starts[index + 1] ?? end }
    return readValue({ ...reading, column: column + 1 }, span, true)
  })
  if (!items.every((item) => item !== undefined)) return undefined
  // `- "a", "b"` is two items.
  const flat = items.flatMap((item) =>
    item.kind === "list" && /["']/.test(source[item.offset - base] ?? "") ? item.items : [item],
  )
  return { kind: "list", offset: base + (starts[0] ?? 0), items: flat }
}

function readBrackets(reading: Reading, span: Span): Value | undefined {
  const items = flowItems(reading.source, span).map((item) => readValue(reading, item, false))
  return items.every((item) => item !== undefined)
    ? { kind: "list", offset: reading.base + span.start, items }
    : undefined
}

function readBlock(reading: Reading, lines: readonly Line[], end: number): Value | undefined {
  const { source } = reading
  const column = lineColumn(source, lines[0])
  const keys = lines.filter((line) => lineColumn(source, line) === column)
  const starts = keys.map((line) => line.start + indentOf(line))
  const items = starts.map((start, index) => ({ start, end: starts[index + 1] ?? end }))
  return readEntries({ ...reading, column: column + 1 }, starts[0] ?? 0, items)
}

function readEntries(reading: Reading, start: number, items: readonly Span[]): Value | undefined {
  const { source, base } = reading
  const entries = new Map<string, Entry>()
  for (const item of items) {
    const found = keyAt(source.slice(item.start, item.end))
    if (found === undefined || entries.has(found.key)) return undefined
    const from = item.start + found.length
    const value = readValue(reading, { start: from, end: item.end }, !isInline(source, from))
    if (value === undefined) return undefined
    entries.set(found.key, { key: found.key, offset: base + item.start, value })
  }
  return { kind: "mapping", offset: base + start, entries }
}

/** `"a", 'b'`: a list whose brackets were left out. */
function isQuotedList(text: string): boolean {
  return /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')(?:\s*,\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'))+\s*,?$/.test(text)
}

/** A text of one or several lines. What begins like a quoted text, a list or a block and does not end like one is none. */
function readText(
  { source, base, column, takesText, depth }: Reading,
  lines: readonly Line[],
  span: Span,
): Value | undefined {
  const text = source.slice(span.start, span.end)
  const closing = /^["']/.test(text) ? closingQuote(source, span.start, span.end) : 0
  if (closing === undefined || closing === span.end - 1) return undefined
  const canBeForgotten = text[0] === "[" ? depth === 0 : text[0] === "{" && !takesText
  if (canBeForgotten && /^.[\s\w,.:"'*/-]*$/.test(text)) return undefined
  if (/^[|>][-+\d]*\s*(?:\n|$)/.test(text)) return undefined
  if (lines.some((line, index) => index > 0 && lineColumn(source, line) < column)) return undefined
  return textValue(lines.map((line) => withoutComment(line.text.trim())).join("\n"), base + span.start)
}

/** The lines of a span with something in them. The first may begin within its line. */
function contentLines(source: string, span: Span): readonly Line[] {
  return splitLines(source.slice(span.start, span.end))
    .filter(({ text }) => !/^\s*(?:#|$)/.test(text))
    .map(({ start, text }) => ({ start: start + span.start, text }))
}

/** Where the last line's content ends, its comment aside. */
function endOf(lines: readonly Line[], isCollection: boolean): number {
  const last = lines.at(-1) ?? { start: 0, text: "" }
  const lead = indentOf(last)
  return last.start + lead + withoutComment(last.text.slice(lead), isCollection).length
}

/** `- x`, a dash alone, or one glued to a quote. */
function isDash({ text }: Line): boolean {
  return /^\s*-(?:\s|$|["'])/.test(text)
}

function indentOf({ text }: Line): number {
  return text.length - text.trimStart().length
}

function lineColumn(source: string, line: Line | undefined): number {
  return line === undefined ? 0 : columnAt(source, line.start) + indentOf(line)
}

function columnAt(source: string, offset: number): number {
  return offset - (source.lastIndexOf("\n", offset - 1) + 1)
}
