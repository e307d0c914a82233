/** One line of a text without its terminator. `start` is its offset in the text (UTF-16 units). */
export interface Line {
  readonly start: number
  readonly text: string
}

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

/** Line and column, both 1-based. A byte-order mark is no column. */
export function positionAt(text: string, lines: readonly Line[], offset: number): { line: number; column: number } {
  const index = Math.max(
    lines.findLastIndex((line) => line.start <= offset),
    0,
  )
  const start = lines[index]?.start ?? 0
  const mark = index === 0 && text.startsWith("\uFEFF") ? 1 : 0
  return { line: index + 1, column: Math.max(offset - start - mark, 0) + 1 }
}
