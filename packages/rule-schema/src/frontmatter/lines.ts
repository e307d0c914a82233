/** One line of a text without its terminator. `start` is its offset in the text (UTF-16 units). */
export interface Line {
  readonly start: number
  readonly text: string
}

/** A stretch of a text, end exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Characters without width that editors and chats leave behind, the byte-order mark among them. */
const INVISIBLE = "\\u00AD\\u034F\\u061C\\u180E\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u2064\\u2066-\\u2069\\uFEFF"
const INVISIBLE_START = new RegExp(`^[\\u00A0${INVISIBLE}]+`)
const INVISIBLE_STARTS = new RegExp(`^([\\u00A0${INVISIBLE}]+)([^\\r\\n]*)`, "gm")
const INVISIBLE_OR_SPACE = new RegExp(`[\\s${INVISIBLE}]`)

/** The lines of a text; `\r\n`, `\n` and a lone `\r` each end one. */
export function splitLines(text: string): readonly Line[] {
  const lines: Line[] = []
  let start = 0
  for (const terminator of text.matchAll(/\r\n|\n|\r/g)) {
    lines.push({ start, text: text.slice(start, terminator.index) })
    start = terminator.index + terminator[0].length
  }
  lines.push({ start, text: text.slice(start) })
  return lines
}

/** A line without the invisible characters that it begins with. */
export function withoutInvisibleStart(line: string): string {
  return line.replace(INVISIBLE_START, "")
}

/**
 * A text of the same length in which no line begins with an invisible character, so that its indentation is what it looks like: several
 * no-break spaces are one, as text from a web page has it.
 */
export function withoutInvisibleStarts(text: string): string {
  return text.replace(INVISIBLE_STARTS, (_, marks: string, rest: string) => {
    const spaces = marks.replace(/[^\u00A0]/g, "").length
    return `${" ".repeat(spaces > 1 ? spaces : 0)}${rest}`.padEnd(marks.length + rest.length)
  })
}

/** The first place from `start` on that is neither whitespace nor an invisible character. */
export function skipInvisible(text: string, start: number): number {
  let at = start
  while (at < text.length && INVISIBLE_OR_SPACE.test(text[at] ?? "")) at += 1
  return at
}

/** Trimmed of whitespace and of invisible characters. */
export function trimInvisible(text: string): string {
  const start = skipInvisible(text, 0)
  let end = text.length
  while (end > start && INVISIBLE_OR_SPACE.test(text[end - 1] ?? "")) end -= 1
  return text.slice(start, end)
}

/** Line and column, both 1-based. A byte-order mark is not a column. */
export function positionAt(text: string, lines: readonly Line[], offset: number): { line: number; column: number } {
  const index = Math.max(
    lines.findLastIndex((line) => line.start <= offset),
    0,
  )
  const start = lines[index]?.start ?? 0
  const mark = index === 0 && text.startsWith("\uFEFF") ? 1 : 0
  return { line: index + 1, column: Math.max(offset - start - mark, 0) + 1 }
}
