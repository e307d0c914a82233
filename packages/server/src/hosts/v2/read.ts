import { joinApart } from "../shared/patch.ts"
import { field, text } from "../shared/untyped.ts"
import type { ToolCall } from "./host.ts"

/** The text that a Read gave, line by line. */
export interface TextRecord {
  readonly kind: "text"
  readonly lines: readonly string[]
  /** The number of the first line, from 1. */
  readonly first: number
  /** Whether it is a page of a longer file. */
  readonly isPage: boolean
  /** Whether the model reads each line with its number before it: so on the stable line, not in July. */
  readonly isNumbered: boolean
}

/** What a Read gave, by its machine-readable record. */
export type ReadRecord =
  | { readonly kind: "directory" }
  /** An image, or a file whose text is not told. */
  | { readonly kind: "no text" }
  | TextRecord

/** A line that the host cut, with its note of that (stable line: behind 2,000 characters). */
const CUT_LINE = /\.\.\. \(line truncated to \d+ chars\)$/
const SHORTEST_CUT = 1_000

/** Below these a host shows the model all of a text: their own limits are 50 KiB and 2,000 lines, and can be set lower. */
const SURELY_WHOLE = { characters: 8_192, lines: 200 }

/** The record of a Read that succeeded. A directory is no file. The MIME type says nothing: that of a `.ts` file is a video's (measured). */
export function readRecord(call: ToolCall): ReadRecord {
  const { result, output } = call
  const stable = field(result, "output")
  const places = [stable, field(output, "structured"), field(result, "value"), field(result, "structured"), result]
  const record = places.find((place) => Array.isArray(field(place, "entries")) || text(place, "content") !== undefined)
  if (record === undefined) return withoutRecord(result)
  if (Array.isArray(field(record, "entries"))) return { kind: "directory" }
  const content = text(record, "content")
  if (content === undefined || field(record, "encoding") === "base64") return { kind: "no text" }
  const offset = field(record, "offset")
  const first = typeof offset === "number" && offset > 0 ? offset : 1
  const isPage = first > 1 || field(record, "truncated") === true || field(record, "next") !== undefined
  return { kind: "text", lines: content.split("\n"), first, isPage, isNumbered: record === stable }
}

/** Only what the model reads is there: numbered lines below a heading (stable line), or nothing but the file's text (July). */
function withoutRecord(result: unknown): ReadRecord {
  const shown = shownText(result)
  if (shown === undefined) return { kind: "no text" }
  if (/^Read directory /.test(shown)) return { kind: "directory" }
  const numbered = numberedLines(shown)
  const first = numbered.keys().next()
  if (/^Read file /.test(shown) && !first.done)
    return { kind: "text", lines: [...numbered.values()], first: first.value, isPage: true, isNumbered: true }
  const isPlain = typeof result === "string" || text(result, "type") === "text"
  return isPlain
    ? { kind: "text", lines: shown.split("\n"), first: 1, isPage: false, isNumbered: false }
    : { kind: "no text" }
}

/** Whether no host cuts a text of this size before the model sees it. */
export function isSurelyWhole({ lines }: TextRecord): boolean {
  const characters = lines.reduce((sum, line) => sum + line.length + 1, 0)
  return lines.length <= SURELY_WHOLE.lines && characters <= SURELY_WHOLE.characters
}

/**
 * The text of a record that no host cuts behind the event: what the event shows of it, or all of it where that has no numbered lines.
 * Where the host cut a line, no literal matches across the cut.
 */
export function surelySeen(record: TextRecord, shown: string | undefined): string {
  const runs = shown === undefined ? [] : numberedRuns(record, shown)
  return textOfRuns(runs.length > 0 ? runs : [record.lines])
}

/** The runs of a record's lines that a text shows, by their numbers. A line counts as far as it is the file's: the host may cut inside one. */
export function numberedRuns({ lines, first }: TextRecord, shown: string): string[][] {
  const runs: string[][] = [[]]
  const seen = numberedLines(shown)
  for (const [index, line] of lines.entries()) {
    // What ends with a line break has an empty line behind it, which no number stands for.
    const isEnd = line === "" && index === lines.length - 1 && seen.has(first + index - 1)
    const own = isEnd ? "" : seen.get(first + index)
    if (own !== undefined && line.startsWith(own)) runs.at(-1)?.push(own)
    if (own !== line) runs.push([])
  }
  return runs.filter((run) => run.length > 0)
}

/** Runs of lines that stand next to each other in the file, as one content in which nothing matches across a joint. */
export function textOfRuns(runs: readonly (readonly string[])[]): string {
  const pieces = runs.flatMap((run) => {
    const own: string[][] = [[]]
    for (const line of run) {
      const isCut = line.length > SHORTEST_CUT && CUT_LINE.test(line)
      own.at(-1)?.push(isCut ? line.replace(CUT_LINE, "") : line)
      if (isCut) own.push([])
    }
    return own.map((lines) => lines.join("\n"))
  })
  return joinApart(pieces) ?? ""
}

/** The lines of a text that begin with a number of their own, by that number. */
function numberedLines(shown: string): Map<number, string> {
  const lines = new Map<number, string>()
  for (const line of shown.split("\n")) {
    const numbered = /^(\d+): (.*)/s.exec(line)
    if (numbered) lines.set(Number(numbered[1]), numbered[2] ?? "")
  }
  return lines
}

/** What a result shows to the model, as far as it is text. */
export function shownText(result: unknown): string | undefined {
  if (typeof result === "string") return result
  const value = field(result, "value")
  if (typeof value === "string") return value
  const parts = [field(result, "content"), value].find(Array.isArray)
  return parts?.flatMap((part: unknown) => text(part, "text") ?? []).join("\n")
}
