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
  /** What the host shows of the change once it is made, where it does. */
  readonly shown?: readonly ShownHunk[] | undefined
}

/** One place of a changed file. A host may cut what the lines are all indented by (measured on OpenCode 1.18.33). */
export interface ShownHunk {
  /** The number of the first line afterwards, from 1. */
  readonly start: number
  readonly lines: readonly { readonly sign: " " | "-" | "+"; readonly text: string }[]
}

/** How often a text has a literal, each place counted. A literal of several lines is found with either line end, as `fileContains` finds it. */
export function timesIn(text: string, literal: string): number {
  const lines = literal.includes("\n") && text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text
  let times = 0
  for (let at = lines.indexOf(literal); at >= 0; at = lines.indexOf(literal, at + 1)) times += 1
  return times
}

/**
 * How many more times a file has a literal by what a call shows of it: negative when there are fewer. What the host shows of the change
 * counts more than the call's pieces: it has the lines around them, and each place where they stand.
 */
export function gain({ added, removed, shown }: Gaining, literal: string): number {
  // A host may cut the indentation of lines, so that other lines follow each other there than in the file.
  if (shown !== undefined && !literal.includes("\n")) {
    const timesOn = (sign: string) =>
      timesInAll(
        shown.flatMap(({ lines }) => lines.filter((line) => line.sign === sign)).map(({ text }) => text),
        literal,
      )
    return timesOn("+") - timesOn("-")
  }
  return timesInAll(added, literal) - timesInAll(removed, literal)
}

type Gaining = Pick<FileWrite, "added" | "removed" | "shown">

export function timesInAll(texts: readonly string[], literal: string): number {
  return texts.reduce((sum, text) => sum + timesIn(text, literal), 0)
}

/** The number of the line in which a literal that has a new line begins, from 1, where the host shows the change. */
export function shownLine({ shown = [] }: Pick<FileWrite, "shown">, literal: string): number | undefined {
  const wanted = literal.split("\n").map((line) => line.trimStart())
  for (const { start, lines } of shown) {
    const after = lines.filter(({ sign }) => sign !== "-")
    const at = after.findIndex((_line, index) => {
      const there = after.slice(index, index + wanted.length)
      return (
        there.some(({ sign }) => sign === "+") &&
        matchesLines(
          there.map(({ text }) => text),
          wanted,
        )
      )
    })
    if (at >= 0) return start + at
  }
  return undefined
}

/** Whether the wanted lines stand in the given ones: the first to its end, the last from its beginning, indentation aside. */
function matchesLines(lines: readonly string[], wanted: readonly string[]): boolean {
  const last = wanted.length - 1
  return wanted.every((text, at) => {
    const line = lines[at]
    if (line === undefined) return false
    if (last === 0) return line.includes(text)
    if (at === 0) return line.endsWith(text)
    return at === last ? line.trimStart().startsWith(text) : line.trimStart() === text
  })
}

/** The number of the line in which a literal stands first, from 1. */
export function lineIn(text: string, literal: string): number | undefined {
  const lines = text.replaceAll("\r\n", "\n")
  const at = lines.indexOf(literal)
  return at < 0 ? undefined : lines.slice(0, at).split("\n").length
}
