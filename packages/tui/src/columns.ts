const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })

/** How many terminal columns a text takes: wide characters take two, combining ones none. */
export function columnsOf(text: string): number {
  return Bun.stringWidth(text)
}

/** Cuts a text to a number of columns, at whole characters as a reader sees them, and says so with an ellipsis. */
export function shorten(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text
  let kept = ""
  let used = 0
  for (const { segment } of graphemes.segment(text)) {
    used += columnsOf(segment)
    if (used > columns - 1) break
    kept += segment
  }
  return columns < 1 ? "" : `${kept.trimEnd()}…`
}
