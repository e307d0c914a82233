import { groupsOf } from "./groups.ts"

/** Quotes that keep a comma in them; a typographic one is there by an editor's doing and keeps nothing. */
const PLAIN_QUOTES = "\"'`"
const QUOTES = `${PLAIN_QUOTES}´“”„‟‘’‚‛«»‹›＂＇「」『』`
const SEPARATORS = ",;|\n\r"

/** How many quotes are looked at for the one that ends a pattern: real ones have none inside. */
const MOST_QUOTES = 8

/** `["a", b]` as a text is the list that it looks like: as a class of characters it would mean nothing. */
const LIST = /^\s*\[([^[\]]*[,"'][^[\]]*)\]\s*$/

/**
 * Cuts a list of patterns at its commas, semicolons, bars and line ends, and between quoted ones. A separator in braces,
 * brackets, parentheses or plain quotes is part of its pattern, and so is an escaped one (`\,`). Whitespace and quotes around a
 * pattern have no effect, and neither has the dash of a list; empty patterns are dropped.
 */
export function splitPatterns(text: string): readonly string[] {
  const inner = LIST.exec(text)?.[1]
  if (inner !== undefined) return splitPatterns(inner)
  // A backslash before a group that closes is a folder's end: `src\{a,b}`.
  const groups = groupsOf(text.replace(/\\(?=[[{(])/g, "/"))
  const patterns: string[] = []
  let from = 0
  for (let index = 0; index <= text.length; index += 1) {
    const char = text[index]
    const isEnd = char === undefined || SEPARATORS.includes(char) || isBetweenQuoted(text, from, index)
    if (isEnd) {
      patterns.push(bareText(text.slice(from, index)))
      from = index + 1
    } else if (char === "\\" && index + 1 < text.length && !groups.has(index + 1)) {
      index += 1
    } else if (PLAIN_QUOTES.includes(char) && /^\s*-?\s*!*$/.test(text.slice(from, index))) {
      index = closingQuote(text, index) ?? index
    } else {
      index = groups.get(index) ?? index
    }
  }
  return patterns.filter((pattern) => pattern !== "")
}

/** The quote that ends a quoted pattern: one with the pattern's end behind it. */
function closingQuote(text: string, start: number): number | undefined {
  const quote = text[start] ?? ""
  let end = start
  for (let tries = 0; tries < MOST_QUOTES; tries += 1) {
    end = text.indexOf(quote, end + 1)
    if (end < 0) return undefined
    if (/^\s*(?:$|[,;|\r\n])|^\s+[-!]*\S/.test(text.slice(end + 1, end + 200))) return end
  }
  return undefined
}

/** Whitespace with a quote before it and one behind it: `"a" "b"`. */
function isBetweenQuoted(text: string, from: number, index: number): boolean {
  if (!/\s/.test(text[index] ?? "") || !QUOTES.includes(text[index - 1] ?? " ")) return false
  const next = /^\s*[-!]*(\S)/.exec(text.slice(index, index + 200))?.[1]
  if (next === undefined || !QUOTES.includes(next)) return false
  return !/^\s*-?\s*!*.$/s.test(text.slice(from, index))
}

/** A pattern without what stands around it. Its exclusion mark may stand before its quotes. */
function bareText(part: string): string {
  const text = part.trim().replace(/^-(?:\s+|(?=[!]*["'`´“”„‟‘’‚‛«»‹›＂＇「」『』]))/u, "")
  const marks = /^!*/.exec(text)?.[0] ?? ""
  const bare = unquote(text.slice(marks.length))
  return bare === "" ? "" : marks + bare
}

/** Takes quotes off, also one that an editor or a cut has left alone. An apostrophe at the end may be a name's. */
function unquote(text: string): string {
  let bare = text.trim()
  while (QUOTES.includes(bare[0] ?? " ")) {
    const isClosed = QUOTES.includes(bare.at(-1) ?? " ")
    bare = bare.slice(1, isClosed ? -1 : undefined).trim()
  }
  return bare.replace(/["`“”„«»＂]+$/u, "").trim()
}
