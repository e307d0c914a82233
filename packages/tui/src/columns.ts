import stringWidth from "string-width"

const graphemes = new Intl.Segmenter()

/** How many terminal columns a text takes: wide characters take two, combining ones none. */
export function columnsOf(text: string): number {
  return stringWidth(text)
}

/** Breaks a text into lines of a number of columns: at blanks, and inside a word only where that is too long for a line. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = []
  let line = ""
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`
    if (columnsOf(longer) <= columns) {
      line = longer
      continue
    }
    if (line !== "") lines.push(line)
    const pieces = piecesOf(word, columns)
    lines.push(...pieces.slice(0, -1))
    line = pieces.at(-1) ?? ""
  }
  return [...lines, line]
}

function piecesOf(word: string, columns: number): string[] {
  const pieces: string[] = []
  let piece = ""
  for (const { segment } of graphemes.segment(word)) {
    if (piece !== "" && columnsOf(piece + segment) > columns) {
      pieces.push(piece)
      piece = ""
    }
    piece += segment
  }
  return [...pieces, piece]
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
