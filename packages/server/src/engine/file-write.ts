/**
 * What a call is about to write to one file, or has written, as far as the call itself shows it. `added` and `removed` are pieces of the
 * file as it will be and as it was, context lines in both: what a call only repeats is on both sides.
 */
export interface FileWrite {
  /** Verbatim; where the file is afterwards. */
  readonly path: string
  /** Where it was, when the call moves it. */
  readonly movedFrom?: string | undefined
  readonly kind: "write" | "edit" | "delete"
  /** The file's whole new text; undefined where the call gives pieces only. */
  readonly whole: string | undefined
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

/** How often a text has a literal, each place counted. A literal of several lines is found with either line end, as `fileContains` finds it. */
export function timesIn(text: string, literal: string): number {
  const lines = literal.includes("\n") && text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text
  let times = 0
  for (let at = lines.indexOf(literal); at >= 0; at = lines.indexOf(literal, at + 1)) times += 1
  return times
}

/** How many more times a file has a literal by its pieces: negative when they take it away. */
export function gain({ added, removed }: Pick<FileWrite, "added" | "removed">, literal: string): number {
  const timesInAll = (texts: readonly string[]) => texts.reduce((sum, text) => sum + timesIn(text, literal), 0)
  return timesInAll(added) - timesInAll(removed)
}
