/** A wildcard pattern, taken apart once. */
export interface Wildcard {
  /** The pattern, with slashes for backslashes. */
  readonly pattern: string
  /** The texts between its `*`s; a single one when it has none. */
  readonly parts: readonly string[]
  /** The same without a trailing ` *`, which is optional. */
  readonly short: readonly string[] | undefined
  /** The characters before the first wildcard: what every matching text begins with, a trailing space aside. */
  readonly prefix: string
}

/**
 * OpenCode's wildcards, measured on OpenCode 1.18.33: `*` is any text, newlines included; `?` is one character; a
 * trailing ` *` also matches nothing at all (`ls *` matches `ls`); everything else stands for itself; case counts;
 * backslashes count as slashes on both sides.
 */
export function compileWildcard(pattern: string): Wildcard {
  const slashed = withSlashes(pattern)
  const short = slashed.endsWith(" *") ? slashed.slice(0, -2) : undefined
  const [prefix = ""] = (short ?? slashed).split(/[*?]/, 1)
  return { pattern: slashed, parts: slashed.split("*"), short: short?.split("*"), prefix }
}

/** Whether OpenCode's wildcard pattern matches the text. Time grows with the text's length times the pattern's. */
export function matchesWildcard(text: string, wildcard: Wildcard): boolean {
  return matchesSlashed(withSlashes(text), wildcard)
}

/** The same for a text that went through `withSlashes` already. */
export function matchesSlashed(text: string, { prefix, parts, short }: Wildcard): boolean {
  if (!text.startsWith(prefix)) return false
  return matchesParts(text, parts) || (short !== undefined && matchesParts(text, short))
}

export function withSlashes(text: string): string {
  return text.includes("\\") ? text.replaceAll("\\", "/") : text
}

/** Each part at the first place where it fits: if any choice of places works, this one does. */
function matchesParts(text: string, parts: readonly string[]): boolean {
  const first = parts[0] ?? ""
  if (parts.length === 1) return text.length === first.length && fitsAt(text, 0, first)
  const last = parts.at(-1) ?? ""
  const end = text.length - last.length
  if (!fitsAt(text, 0, first) || !fitsAt(text, end, last)) return false
  let from = first.length
  for (const part of parts.slice(1, -1)) {
    const at = placeOf(text, from, end - part.length, part)
    if (at === undefined) return false
    from = at + part.length
  }
  return from <= end
}

function placeOf(text: string, from: number, to: number, part: string): number | undefined {
  if (!part.includes("?")) {
    const at = text.indexOf(part, from)
    return at === -1 || at > to ? undefined : at
  }
  for (let at = from; at <= to; at += 1) if (fitsAt(text, at, part)) return at
  return undefined
}

function fitsAt(text: string, at: number, part: string): boolean {
  if (!part.includes("?")) return text.startsWith(part, at)
  if (at + part.length > text.length) return false
  for (let index = 0; index < part.length; index += 1) {
    if (part[index] !== "?" && part[index] !== text[at + index]) return false
  }
  return true
}

/** More comparisons than this for one text and pattern, and they count as a possible match. */
const mostCompared = 20_000_000

/**
 * Whether the pattern could match a text of which only the fragments are known, with anything (or nothing) between
 * them: `["git ", ""]` could be matched by `git push *`, `["git log ", ""]` could not.
 */
export function couldMatch(fragments: readonly string[], wildcard: Wildcard): boolean {
  const [head = "", ...rest] = fragments.map(withSlashes)
  const common = Math.min(head.length, wildcard.prefix.length)
  if (head.slice(0, common) !== wildcard.prefix.slice(0, common)) return false
  if (rest.length === 0) return matchesSlashed(head, wildcard)
  const texts = [head, ...rest]
  const length = texts.reduce((sum, text) => sum + text.length + 1, 0)
  if (length * wildcard.pattern.length > mostCompared) return true
  const { short } = wildcard
  return overlap(texts, wildcard.parts.join("*")) || (short !== undefined && overlap(texts, short.join("*")))
}

/** Whether texts with gaps between them and a pattern have a common filling. `row[j]`: what was read so far, and the pattern's first `j` characters, can agree. */
function overlap(texts: readonly string[], pattern: string): boolean {
  let row = startRow(pattern)
  for (const [index, text] of texts.entries()) {
    if (index > 0) row = afterGap(row)
    for (const character of text.split("")) {
      row = afterCharacter(row, character, pattern)
      if (!row.includes(1)) return false
    }
  }
  return row.at(-1) === 1
}

function startRow(pattern: string): Uint8Array {
  const row = new Uint8Array(pattern.length + 1)
  row[0] = 1
  for (let at = 0; pattern[at] === "*"; at += 1) row[at + 1] = 1
  return row
}

/** A gap holds any text: every later place of the pattern can be reached. */
function afterGap(row: Uint8Array): Uint8Array {
  return row.fill(1, row.indexOf(1))
}

function afterCharacter(row: Uint8Array, character: string, pattern: string): Uint8Array {
  const next = new Uint8Array(row.length)
  for (let at = 0; at < pattern.length; at += 1) {
    const wanted = pattern[at]
    if (wanted === "*") {
      if (row[at] === 1 || row[at + 1] === 1 || next[at] === 1) next[at + 1] = 1
    } else if (row[at] === 1 && (wanted === "?" || wanted === character)) next[at + 1] = 1
  }
  return next
}
