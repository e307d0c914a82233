import { isInline, keyAt } from "./lenient.ts"
import { type Line, type Span, splitLines, withoutInvisibleStart } from "./lines.ts"

/** A top-level key with the lines that belong to it. */
export interface RawEntry {
  readonly key: string
  readonly start: number
  readonly end: number
  readonly column: number
  readonly value: Span
  /** What separates it from the content above: a blank line, or a heading (in YAML a comment) below a blank line. */
  readonly gap: "none" | "blank" | "heading"
  /** Is its line indented with a tab? */
  readonly isTabbed: boolean
  /** The lines below the key's own. */
  readonly rest: readonly Line[]
  /** Lines that are indented no deeper than the key, and are neither items of its list nor closing brackets. */
  readonly strays: readonly StrayLine[]
}

export interface StrayLine extends Line {
  /** Does it follow the line above directly, as the second line of a text does? */
  readonly isAdjoining: boolean
}

/** The entries of a mapping, told by its lines alone, and the first line above them that belongs to none. */
export interface RawEntries {
  readonly entries: readonly RawEntry[]
  readonly leading: Line | undefined
}

export function splitEntries(source: string): RawEntries {
  const lines = splitLines(source)
  const keyed = lines.filter(({ text }) => keyIn(text) !== undefined && !/^\s*\t/.test(text))
  const column = keyed.reduce((least, { text }) => Math.min(least, indentOf(text)), Number.POSITIVE_INFINITY)
  const starts: number[] = []
  for (const [index, { text }] of lines.entries()) {
    if (keyIn(text) === undefined) continue
    const above = lines[starts.at(-1) ?? -1]
    const isBelowInline =
      above === undefined || isInline(above.text, indentOf(above.text) + (keyIn(above.text)?.length ?? 0))
    if (indentOf(text) === column || (/^\s*\t/.test(text) && isBelowInline)) starts.push(index)
  }
  const entries = starts.map((first, index) =>
    rawEntry(source, lines.slice(first, starts[index + 1]), gapAbove(lines, first)),
  )
  const leading = lines.slice(0, starts[0]).find(({ text }) => isContent(text))
  return { entries, leading }
}

function gapAbove(lines: readonly Line[], index: number): RawEntry["gap"] {
  let hasHeading = false
  for (let above = index - 1; above >= 0; above -= 1) {
    const text = lines[above]?.text ?? ""
    if (text.trim() === "") return hasHeading ? "heading" : "blank"
    if (isContent(text)) return "none"
    hasHeading ||= /^#{1,6}\s+\S/.test(text)
  }
  return "none"
}

function rawEntry(source: string, [first, ...rest]: readonly Line[], gap: RawEntry["gap"]): RawEntry {
  const { start: lineStart, text } = first ?? { start: 0, text: "" }
  const column = indentOf(text)
  const start = lineStart + text.length - withoutInvisibleStart(text.slice(column)).length
  const found = keyIn(text) ?? { key: "", length: 0 }
  const last = rest.at(-1) ?? { start: lineStart, text }
  const end = last.start + last.text.length
  const value = { start: start + found.length, end }
  // Until a line that is no item: what follows that is not the list's.
  let canBeList = !isInline(source, value.start)
  // A list in brackets may go on at the margin.
  const isOpen = /^\s*[[{](?!.*[\]}]\s*(?:#.*)?$)/.test(text.slice(column + found.length)) && rest.some(isCloser)
  const strays = rest.flatMap((line, index) => {
    const isItem = canBeList && /^\s*-(?:\s|$|["'])/.test(line.text)
    const isStray = !isOpen && isContent(line.text) && indentOf(line.text) <= column && !isItem && !isCloser(line)
    if (isStray) canBeList = false
    const above = index === 0 ? first : rest[index - 1]
    return isStray ? [{ ...line, isAdjoining: above !== undefined && isContent(above.text) }] : []
  })
  return { key: found.key, start, end, column, value, gap, rest, isTabbed: /^\s*\t/.test(text), strays }
}

function keyIn(line: string): ReturnType<typeof keyAt> {
  return keyAt(withoutInvisibleStart(line.trimStart()))
}

function isCloser({ text }: Line): boolean {
  return /^\s*[\]}]/.test(text)
}

/** Neither blank nor a comment. */
function isContent(line: string): boolean {
  return !/^\s*(?:#|$)/.test(line)
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}
