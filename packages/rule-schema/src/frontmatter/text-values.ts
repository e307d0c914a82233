import { CST, Lexer } from "yaml"
import { closingBracket, closingQuote, flowItems, type Span } from "./flow.ts"
import { type IndicatorContext, isForgottenClose, isMisreadText } from "./indicators.ts"
import { type Line, splitLines } from "./lines.ts"

/** A source of the same length that YAML can read, and the texts that its placeholders stand for, by offset. */
export interface MarkedSource {
  readonly source: string
  readonly texts: ReadonlyMap<number, string>
}

interface Marker {
  readonly source: string
  readonly anchors: ReadonlySet<string>
  readonly aliases: ReadonlySet<string>
  readonly isPatternKey: (key: string) => boolean
  readonly spans: Span[]
}

/**
 * Finds the values that YAML refuses or reads as something else only because of an indicator (`*.ts, *.tsx`, `{a,b}/*.ts`,
 * `!dist`, `@ts-ignore`, `"a", "b"`, `key: value`) and puts placeholders of the same length in their place, so that the YAML
 * library still reads all structure and every offset stays that of the file.
 */
export function markTextValues(source: string, isPatternKey: (key: string) => boolean): MarkedSource {
  const anchors = new Set(Array.from(source.matchAll(/(?<=[\s[{,:-])&([^\s,[\]{}]+)/g), (match) => match[1] ?? ""))
  const aliases = new Set(Array.from(source.matchAll(/(?<=[\s[{,:-])\*([^\s,[\]{}]+)/g), (match) => match[1] ?? ""))
  const marker: Marker = { source, anchors, aliases, isPatternKey, spans: [] }
  const scalarLines = linesInsideScalars(source)
  const lines = splitLines(source)
  let done = 0
  let owner = ""
  // A key without a value in its line: the value may be in the next one.
  let waiting: { readonly key: string; readonly column: number } | undefined
  for (const [index, line] of lines.entries()) {
    if (line.start < done || scalarLines.has(line.start) || /^\s*(?:#.*)?$/.test(line.text)) continue
    const place =
      /^(\s*)((?:-(?:[ \t]+|$))*)(?:("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[A-Za-z_][\w.-]*)[ \t]*:(?=[ \t]|$)[ \t]*)?/.exec(
        line.text,
      )
    const [lead = "", indent = "", dashes = "", quotedKey] = place ?? []
    const lineEnd = line.start + line.text.length
    const start = line.start + lead.length
    if (dashes === "" && quotedKey === undefined) {
      if (waiting && indent.length > waiting.column) {
        const end = regionEnd(lines, index, waiting.column)
        done = markBlockValue(marker, { start, end, lineEnd, key: waiting.key, isBehindKey: true })
      }
      waiting = undefined
      continue
    }
    const key = quotedKey?.replace(/^["']|["']$/g, "")
    if (key !== undefined && dashes === "") owner = key
    const column = key === undefined ? indent.length : indent.length + dashes.length
    waiting = /^(?:#.*)?$/.test(line.text.slice(lead.length)) ? { key: key ?? owner, column } : undefined
    const end = regionEnd(lines, index, column)
    done = markBlockValue(marker, { start, end, lineEnd, key: key ?? owner, isBehindKey: key !== undefined })
  }
  return {
    source: replaceSpans(source, marker.spans),
    texts: new Map(marker.spans.map((span) => textOf(source, span))),
  }
}

/** What stands behind a key or dash: its first line, and the lines that can continue it. */
interface BlockValue extends Span {
  readonly lineEnd: number
  /** The key that it belongs to: its own, or that of its list. */
  readonly key: string
  readonly isBehindKey: boolean
}

/** Marks one block value. Returns the offset up to which lines are dealt with. */
function markBlockValue(marker: Marker, region: BlockValue): number {
  const { source, spans } = marker
  const { lineEnd, key, isBehindKey } = region
  const text = plainText(source.slice(region.start, lineEnd))
  const line = { start: region.start, end: region.start + text.length }
  const first = text[0]
  if (first === undefined || first === "#") return lineEnd
  if (first === "[" || first === "{") {
    const close = closingBracket(source, region.start, region.end)
    if (close === undefined) {
      if (!isForgottenClose(text)) spans.push(line)
      return lineEnd
    }
    if (isBlank(source, close + 1)) {
      markCollection(marker, { start: region.start, end: close + 1 }, key)
      return close + 1
    }
    if (close < line.end) spans.push(line)
    return lineEnd
  }
  if (first === '"' || first === "'") {
    const close = closingQuote(source, region.start, lineEnd)
    if (close !== undefined && close + 1 < line.end && (isBehindKey || source[close + 1] !== ":")) spans.push(line)
    return lineEnd
  }
  const hasMore = source.slice(lineEnd, region.end).trim() !== ""
  const misread = isMisreadText(text, { ...marker, place: "block", hasMore })
  const isPair = !isBehindKey && /:(?:\s|$)/.test(text) && /^[^@`%,\]}*&!|>?:-]/.test(text)
  if (misread && !isPair) spans.push(line)
  return lineEnd
}

function markCollection(marker: Marker, span: Span, key: string): void {
  const { source } = marker
  const items = flowItems(source, span.start + 1, span.end - 1)
  if (source[span.start] === "[") {
    for (const item of items) markFlowItem(marker, item, key)
    return
  }
  const pairs = items.map((item) => ({
    item,
    pair: /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'{}[\],:]+)\s*:(?:\s+|$)/.exec(slice(source, item)),
  }))
  if (pairs.some(({ pair }) => pair === null)) {
    marker.spans.push(span)
    return
  }
  for (const { item, pair } of pairs) {
    if (pair) markFlowItem(marker, { start: item.start + pair[0].length, end: item.end }, pair[1] ?? "")
  }
}

function markFlowItem(marker: Marker, item: Span, key: string): void {
  const { source, spans } = marker
  const text = slice(source, item)
  const first = text[0]
  const context: IndicatorContext = { ...marker, place: "flow", hasMore: false }
  if (first === undefined) return
  if (first === '"' || first === "'") {
    const close = closingQuote(source, item.start, item.end)
    if (close !== undefined && close + 1 < item.end && !/^\s*:/.test(source.slice(close + 1, item.end)))
      spans.push(item)
    return
  }
  const isCollection = (first === "[" || first === "{") && closingBracket(source, item.start, item.end) === item.end - 1
  if (isCollection && !marker.isPatternKey(key)) {
    markCollection(marker, item, key)
    return
  }
  if (isCollection || isMisreadText(text, context)) spans.push(item)
}

/** The starts of lines that belong to a block scalar, or to a quoted or plain scalar of several lines. */
function linesInsideScalars(source: string): ReadonlySet<number> {
  const inside = new Set<number>()
  let offset = 0
  let isScalar = false
  let sawHeader = false
  for (const token of new Lexer().lex(source)) {
    const kind = CST.tokenType(token)
    if (kind === "scalar") isScalar = true
    if (kind === "scalar" || kind === "doc-mode" || kind === "flow-error-end") continue
    if (isScalar || token.startsWith('"') || token.startsWith("'")) {
      for (const line of splitLines(token)) {
        if (line.start > 0 || (sawHeader && isScalar)) inside.add(offset + line.start)
      }
      // The line after a scalar that ends with its newline is outside again.
      if (/[\r\n]$/.test(token)) inside.delete(offset + token.length)
    }
    if (isScalar) sawHeader = false
    isScalar = false
    if (kind === "block-scalar-header") sawHeader = true
    offset += token.length
  }
  return inside
}

/** The end of the lines that can continue a value: those indented deeper than its key or dash, blank ones, lone closers. */
function regionEnd(lines: readonly Line[], index: number, column: number): number {
  let end = 0
  for (let at = index; at < lines.length; at += 1) {
    const { text = "", start = 0 } = lines[at] ?? {}
    const indent = text.length - text.trimStart().length
    const goesOn = text.trim() === "" || indent > column || /^\s*[\]}][\s\]},]*(?:#.*)?$/.test(text)
    if (at > index && !goesOn) break
    end = start + text.length
  }
  return end
}

/** Cuts a trailing ` # comment`; a `#` inside a leading quoted part is text. */
function plainText(text: string): string {
  let quote = ""
  const startsQuoted = /^["']/.test(text)
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index] ?? ""
    if (quote !== "") {
      if (char === quote) quote = ""
    } else if (startsQuoted && (char === '"' || char === "'")) {
      quote = char
    } else if (char === "#" && index > 0 && /\s/.test(text[index - 1] ?? "")) {
      return text.slice(0, index).trimEnd()
    }
  }
  return text.trimEnd()
}

function isBlank(source: string, from: number): boolean {
  const rest = /^[^\r\n]*/.exec(source.slice(from))?.[0] ?? ""
  return /^\s*(?:(?<=\s)#.*)?$/.test(rest)
}

function slice(source: string, span: Span): string {
  return source.slice(span.start, span.end)
}

function textOf(source: string, span: Span): readonly [number, string] {
  return [span.start, slice(source, span).replace(/\s*[\r\n]\s*/g, " ")]
}

function replaceSpans(source: string, spans: readonly Span[]): string {
  let result = ""
  let from = 0
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    result += source.slice(from, span.start) + "x".repeat(span.end - span.start)
    from = span.end
  }
  return result + source.slice(from)
}
