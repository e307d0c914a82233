import type { Span } from "./lines.ts"

const CLOSERS: Readonly<Record<string, string>> = { "[": "]", "{": "}", "(": ")" }

/** Offset of the quote that closes the one at `start`. */
export function closingQuote(source: string, start: number, end: number): number | undefined {
  const quote = source[start]
  for (let index = start + 1; index < end; index += 1) {
    if (quote === '"' && source[index] === "\\") {
      index += 1
    } else if (source[index] === quote) {
      if (quote === "'" && source[index + 1] === "'") index += 1
      else return index
    }
  }
  return undefined
}

/** Offset of the bracket that closes the one at the span's start. */
export function closingBracket(source: string, span: Span): number | undefined {
  const open: string[] = []
  for (let index = span.start; index < span.end; index += 1) {
    const char = source[index] ?? ""
    index = skipQuoted(source, index, span.end)
    if (char === "[" || char === "{") open.push(CLOSERS[char] ?? "")
    else if (char === open.at(-1)) open.pop()
    if (open.length === 0) return index
  }
  return undefined
}

/** The items in a bracket's span: cut at commas outside brackets and quotes, without whitespace and comments around them. */
export function flowItems(source: string, span: Span): readonly Span[] {
  const items: Span[] = []
  let depth = 0
  let item: Span | undefined
  for (let index = span.start + 1; index < span.end - 1; index += 1) {
    const char = source[index] ?? ""
    const from = index
    if (char === "," && depth === 0) {
      if (item) items.push(item)
      item = undefined
      continue
    }
    index = skipQuoted(source, index, span.end - 1)
    if (char in CLOSERS) depth += 1
    if ("]})".includes(char)) depth = Math.max(depth - 1, 0)
    const isContent = char.trim() !== "" && !(char === "#" && index > from)
    if (isContent) item = { start: item?.start ?? from, end: Math.min(index + 1, span.end - 1) }
  }
  return item ? [...items, item] : items
}

/** The end of a quoted item or a comment (`# …`) that begins here, else the place itself. */
function skipQuoted(source: string, index: number, end: number): number {
  const char = source[index]
  if (char === "#" && /\s/.test(source[index - 1] ?? "") && /\s/.test(source[index + 1] ?? "")) {
    const newline = source.indexOf("\n", index)
    return newline < 0 ? end : Math.min(newline, end)
  }
  if (char !== '"' && char !== "'") return index
  let at = index - 1
  while (at >= 0 && /\s/.test(source[at] ?? "")) at -= 1
  const before = source[at]
  return before === undefined || "[{,:!".includes(before) ? (closingQuote(source, index, end) ?? index) : index
}

/** Cuts a trailing ` # comment`; a `#` inside a quoted part is text, and so is one glued to an item of a collection. */
export function withoutComment(text: string, isCollection = false): string {
  const startsQuoted = /^["']/.test(text)
  let quote = ""
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index] ?? ""
    if (quote !== "") {
      if (char === quote) quote = ""
    } else if (startsQuoted && (char === '"' || char === "'")) {
      quote = char
    } else if (char === "#" && isComment(text, index, isCollection)) {
      return text.slice(0, index).trimEnd()
    }
  }
  return text.trimEnd()
}

function isComment(text: string, index: number, isCollection: boolean): boolean {
  const isGlued = isCollection && /\S/.test(text[index + 1] ?? " ")
  return index > 0 && /\s/.test(text[index - 1] ?? "") && !isGlued
}
