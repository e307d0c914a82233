/** A stretch of a source, end exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

const CLOSERS: Readonly<Record<string, string>> = { "[": "]", "{": "}", "(": ")" }

/** Offset of the quote that closes the one at `start`, or undefined when none does before `end`. */
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

/** Offset of the bracket that closes the one at `start`; quoted items and comments hold no brackets. */
export function closingBracket(source: string, start: number, end: number): number | undefined {
  const open: string[] = []
  for (let index = start; index < end; index += 1) {
    const char = source[index] ?? ""
    const skipped = skipQuoteOrComment(source, index, end)
    if (skipped !== undefined) {
      index = skipped
    } else if (char === "[" || char === "{") {
      open.push(CLOSERS[char] ?? "")
    } else if (char === open.at(-1)) {
      open.pop()
      if (open.length === 0) return index
    }
  }
  return undefined
}

/** The items of a flow collection: cut at commas outside brackets and quotes, without the blanks and comments around them. */
export function flowItems(source: string, start: number, end: number): readonly Span[] {
  const items: Span[] = []
  let depth = 0
  let item: Span | undefined
  for (let index = start; index < end; index += 1) {
    const char = source[index] ?? ""
    if (char === "," && depth <= 0) {
      if (item) items.push(item)
      item = undefined
      continue
    }
    const skipped = skipQuoteOrComment(source, index, end)
    if ("[{(".includes(char)) depth += 1
    if ("]})".includes(char)) depth -= 1
    const from = index
    if (skipped !== undefined) index = skipped
    const isContent = char.trim() !== "" && !(char === "#" && skipped !== undefined)
    if (isContent) item = { start: item?.start ?? from, end: Math.min(index + 1, end) }
  }
  if (item) items.push(item)
  return items
}

/** The end of a quoted item or comment that begins here: quotes mean something at the start of an item only. */
function skipQuoteOrComment(source: string, index: number, end: number): number | undefined {
  const char = source[index]
  if (char === "#" && /\s/.test(source[index - 1] ?? "")) {
    const newline = source.indexOf("\n", index)
    return newline < 0 ? end : Math.min(newline, end)
  }
  if (char !== '"' && char !== "'") return undefined
  let before = index - 1
  while (before >= 0 && /\s/.test(source[before] ?? "")) before -= 1
  // `{"a":"b"}` is a key and its value, but in `{a: :"}` the quote is part of a plain text.
  const isInPlainText = before === index - 1 && source[before] === ":" && !/["'\]}]/.test(source[before - 1] ?? "")
  if (isInPlainText) return undefined
  return before < 0 || "[{,:".includes(source[before] ?? "") ? closingQuote(source, index, end) : undefined
}
