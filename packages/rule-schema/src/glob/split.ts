/** A pattern and where it begins in the text that it was cut from. */
export interface Piece {
  readonly text: string
  readonly start: number
}

/**
 * Cuts a list of patterns at its commas. A comma in braces, brackets, parentheses or quotes is part of its pattern, and so is
 * an escaped one (`\,`). Blanks around a pattern and quotes around it say nothing; empty patterns are dropped.
 */
export function splitPatterns(text: string): readonly Piece[] {
  const pieces: Piece[] = []
  const open: string[] = []
  let from = 0
  for (let index = 0; index <= text.length; index += 1) {
    const char = text[index]
    if (char === "\\") {
      index += 1
    } else if ((char === '"' || char === "'") && text.slice(from, index).trim() === "") {
      const close = text.indexOf(char, index + 1)
      if (close > 0) index = close
    } else if (char === "{" || char === "[" || char === "(") {
      open.push(char === "{" ? "}" : char === "[" ? "]" : ")")
    } else if (char !== undefined && char === open.at(-1)) {
      open.pop()
    }
    const isEnd = index >= text.length
    if (!isEnd && (char !== "," || open.length > 0)) continue
    const part = text.slice(from, index)
    const bare = unquote(part.trim()).trim()
    if (bare !== "") pieces.push({ text: bare, start: from + part.indexOf(bare) })
    from = index + 1
  }
  return pieces
}

function unquote(text: string): string {
  return /^(["'])(.*)\1$/s.exec(text)?.[2] ?? text
}
