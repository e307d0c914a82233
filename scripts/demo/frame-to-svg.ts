import { type Colour, type Run, readFrame } from "./frame.ts"

/** Size of one cell, in pixels. */
const CELL = { width: 8.4, height: 18 }
const MARGIN = 12
const FOREGROUND = "#e0e0e0"
const BACKGROUND = "#0a0a0a"
const FONT = "'JetBrains Mono', 'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace"

/**
 * Draws a terminal's frame.
 *
 * @param frame its lines with SGR escape sequences, as `tmux capture-pane -e` gives them.
 * @param title what the picture shows, for those who can't see it.
 */
export function frameToSvg(
  frame: string,
  size: { readonly columns: number; readonly rows: number },
  title: string,
): string {
  const width = Math.ceil(size.columns * CELL.width + 2 * MARGIN)
  const height = Math.ceil(size.rows * CELL.height + 2 * MARGIN)
  const lines = readFrame(frame).slice(0, size.rows)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<title>${Bun.escapeHTML(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${BACKGROUND}"/>`,
    `<g font-family="${FONT}" font-size="14" xml:space="preserve">`,
    ...lines.flatMap((runs, row) => runs.flatMap((run) => drawBackground(run, row))),
    ...lines.flatMap((runs, row) => runs.flatMap((run) => drawText(run, row))),
    "</g>",
    "</svg>",
    "",
  ].join("\n")
}

function drawBackground({ column, columns, background }: Run, row: number): string[] {
  if (background === undefined) return []
  const place = `x="${x(column)}" y="${round(MARGIN + row * CELL.height)}"`
  return [`<rect ${place} width="${round(columns * CELL.width)}" height="${CELL.height}" fill="${hex(background)}"/>`]
}

function drawText({ column, columns, text, foreground, bold, dim, italic, underline }: Run, row: number): string[] {
  if (text.trim() === "") return []
  const attributes = [
    `x="${x(column)}"`,
    `y="${round(MARGIN + row * CELL.height + 13.5)}"`,
    // However wide the reader's font is, the columns stay where they are.
    `textLength="${round(columns * CELL.width)}" lengthAdjust="spacingAndGlyphs"`,
    `fill="${foreground === undefined ? FOREGROUND : hex(foreground)}"`,
    ...(bold ? ['font-weight="bold"'] : []),
    ...(dim ? ['opacity="0.6"'] : []),
    ...(italic ? ['font-style="italic"'] : []),
    ...(underline ? ['text-decoration="underline"'] : []),
  ]
  return [`<text ${attributes.join(" ")}>${Bun.escapeHTML(text)}</text>`]
}

function x(column: number): number {
  return round(MARGIN + column * CELL.width)
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function hex(colour: Colour): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, "0")).join("")}`
}
