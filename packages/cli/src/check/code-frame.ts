import { splitLines, visible } from "@opencode-rulebook/rule-schema/authoring"

const MAX_WIDTH = 100

/**
 * The line of a place with a mark under it. Tabs and control characters are shown as escapes, long lines around the mark.
 *
 * @param place 1-based.
 * @returns no lines when the place is on none, or on an empty one.
 */
export function codeFrame(text: string, place: { readonly line: number; readonly column: number }): string[] {
  const bare = text.replace(/^\uFEFF/, "")
  const line = splitLines(bare)[place.line - 1]?.text
  if (line === undefined || line.trim() === "") return []
  const start = Math.min(place.column - 1, line.length)
  const token = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s,\]}]+)/.exec(line.slice(start))?.[0] ?? ""
  const skipped = Math.max(visible(line.slice(0, start)).length - MAX_WIDTH / 2, 0)
  const before = visible(line.slice(0, start)).slice(skipped)
  const shown = (before + visible(line.slice(start))).slice(0, MAX_WIDTH)
  const width = Math.max(Math.min(visible(token).length, MAX_WIDTH - before.length), 1)
  const number = String(place.line)
  const margin = " ".repeat(number.length)
  return [
    `  ${number} | ${skipped > 0 ? "…" : ""}${shown}`.trimEnd(),
    `  ${margin} | ${skipped > 0 ? " " : ""}${" ".repeat(before.length)}${"^".repeat(width)}`,
  ]
}
