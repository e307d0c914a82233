import stringWidth from "fast-string-width"
import { wrapAnsi } from "fast-wrap-ansi"
import type { Paint, Style } from "./io.ts"

/** How wide a text is where no terminal says it. */
export const DEFAULT_COLUMNS = 100

/** One line of text before it is wrapped. */
export interface Line {
  readonly text: string
  readonly style?: Style
  /** How far it is indented, in columns; further lines are by `hang` more. */
  readonly indent?: number
  readonly hang?: number
}

export interface Column {
  readonly head: string
  readonly align?: "right"
  /** How much of the room that is left it gets, of all such shares. Without it, it is as wide as its widest line. */
  readonly share?: number
}

/** A row of cells, or a line across all columns. */
export type Row = readonly (readonly Line[])[] | Line

const GAP = "  "
/** A column is never narrower, however narrow the terminal. */
const NARROWEST = 8

/**
 * Lays out a table for a terminal: cells are wrapped at words, long paths anywhere.
 *
 * @param width of the terminal, in columns.
 */
export function formatTable(columns: readonly Column[], rows: readonly Row[], width: number, paint: Paint): string {
  const widths = widthsOf(columns, rows, width)
  const head = columns.map(({ head: text }): readonly Line[] => [{ text, style: "dim" }])
  return [head, ...rows].flatMap((row) => linesOf(row, columns, widths, paint)).join("\n")
}

/** Lines of text, wrapped. */
export function formatLines(lines: readonly Line[], width: number, paint: Paint): string {
  return lines.flatMap((line) => wrap(line, width).map((text) => painted(line, text, paint))).join("\n")
}

function linesOf(row: Row, columns: readonly Column[], widths: readonly number[], paint: Paint): readonly string[] {
  const whole = widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length)
  if (!isCells(row)) return wrap(row, whole).map((text) => painted(row, text, paint))
  const cells = row.map((lines, index) => cellLines(lines, widths[index] ?? 0, columns[index]?.align, paint))
  const height = Math.max(...cells.map(({ length }) => length), 1)
  return Array.from({ length: height }, (_, at) => {
    const line = cells.map((cell, index) => cell[at] ?? " ".repeat(widths[index] ?? 0)).join(GAP)
    return line.trimEnd()
  })
}

function isCells(row: Row): row is readonly (readonly Line[])[] {
  return Array.isArray(row)
}

function cellLines(lines: readonly Line[], width: number, align: "right" | undefined, paint: Paint): readonly string[] {
  return lines.flatMap((line) =>
    wrap(line, width).map((text) => {
      const space = " ".repeat(Math.max(width - stringWidth(text), 0))
      return align === "right" ? space + painted(line, text, paint) : painted(line, text, paint) + space
    }),
  )
}

function painted({ style }: Line, text: string, paint: Paint): string {
  return style ? paint(style, text) : text
}

function wrap({ text, indent = 0, hang = 0 }: Line, width: number): readonly string[] {
  // What wrapping takes away at the beginning would be missing in what is left of the text.
  const whole = text.normalize().trim()
  const [first = ""] = wrapAt(whole, width - indent)
  const rest = whole.slice(first.length).trim()
  const others = rest === "" ? [] : wrapAt(rest, width - indent - hang)
  return [" ".repeat(indent) + first, ...others.map((line) => " ".repeat(indent + hang) + line)]
}

function wrapAt(text: string, width: number): readonly string[] {
  return wrapAnsi(text, Math.max(width, 1), { hard: true }).split("\n")
}

function widthsOf(columns: readonly Column[], rows: readonly Row[], width: number): readonly number[] {
  const natural = columns.map(({ head }, index) => {
    const lines = rows.flatMap((row) => (isCells(row) ? (row[index] ?? []) : []))
    return lines.reduce((widest, { text }) => Math.max(widest, stringWidth(text)), stringWidth(head))
  })
  const fixed = columns.reduce((sum, { share }, index) => sum + (share ? 0 : (natural[index] ?? 0)) + GAP.length, 0)
  const shares = columns.reduce((sum, { share = 0 }) => sum + share, 0)
  const room = width - fixed
  // A column that needs less than its share leaves the rest to the others.
  const needs = (index: number) => (natural[index] ?? 0) / (columns[index]?.share ?? 1)
  const sharing = Array.from(columns.keys()).filter((index) => columns[index]?.share)
  const widths = [...natural]
  let left = room
  let open = shares
  for (const index of sharing.toSorted((a, b) => needs(a) - needs(b))) {
    const share = columns[index]?.share ?? 0
    const own = Math.max(Math.min(natural[index] ?? 0, Math.floor((left * share) / open)), NARROWEST)
    widths[index] = own
    left -= own
    open -= share
  }
  return widths
}
