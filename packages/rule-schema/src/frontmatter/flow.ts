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
  return pairsIn(source, span, "[{").get(span.start)
}

/** The items in a bracket's span: cut at commas outside brackets and quotes, without whitespace and comments around them. */
export function flowItems(source: string, span: Span): readonly Span[] {
  const inside = { start: span.start + 1, end: span.end - 1 }
  const pairs = pairsIn(source, inside, "[{(")
  const items: Span[] = []
  let closed = inside.start
  let item: Span | undefined
  for (let index = inside.start; index < inside.end; index += 1) {
    const char = source[index] ?? ""
    const from = index
    if (char === "," && index >= closed) {
      if (item) items.push(item)
      item = undefined
      continue
    }
    index = skipQuoted(source, index, inside.end)
    closed = Math.max(closed, pairs.get(index) ?? 0)
    const isContent = char.trim() !== "" && !(char === "#" && index > from)
    if (isContent) item = { start: item?.start ?? from, end: Math.min(index + 1, inside.end) }
  }
  return item ? [...items, item] : items
}

/** The brackets that have a partner, each opening one with the offset of it. One without is a sign of a text, as in `[f(, x {]`. */
function pairsIn(source: string, span: Span, openers: string): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>()
  const open: { readonly start: number; readonly closer: string }[] = []
  /** How many of them wait for each closer: a search that can only succeed ends what it passes over. */
  const waiting = new Map<string, number>()
  const wait = (closer: string, by: number) => waiting.set(closer, (waiting.get(closer) ?? 0) + by)
  for (let index = span.start; index < span.end; index += 1) {
    const char = source[index] ?? ""
    const from = index
    index = skipQuoted(source, index, span.end)
    if (openers.includes(char)) {
      const closer = CLOSERS[char] ?? ""
      open.push({ start: from, closer })
      wait(closer, 1)
      continue
    }
    if (!waiting.get(char)) continue
    for (let last = open.pop(); last !== undefined; last = open.pop()) {
      wait(last.closer, -1)
      if (last.closer !== char) continue
      pairs.set(last.start, from)
      break
    }
  }
  return pairs
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
  return /\s/.test(text[index - 1] ?? "") && !isGlued
}
