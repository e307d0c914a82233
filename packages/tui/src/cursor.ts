import type { Row } from "./rows.ts"

/** Names of what can be folded, in the order of the rows, each once. */
function togglesOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.flatMap(({ toggle }) => toggle ?? []))]
}

/**
 * The row group that the cursor is on after it moved: named by its toggle, so that it stays there when rows come and go.
 *
 * @param at where it was; the first group when that is gone.
 * @param step how many groups down, or up when negative. Stops at either end.
 */
export function moveCursor(rows: readonly Row[], at: string | undefined, step: number): string | undefined {
  const toggles = togglesOf(rows)
  const index = at === undefined ? -1 : toggles.indexOf(at)
  const next = Math.max(index, 0) + step
  return toggles[Math.min(Math.max(next, 0), toggles.length - 1)]
}

/**
 * As many rows as there is room for, the cursor's among them and, as far as they fit, what belongs to it.
 *
 * @param height rows there are, at least 1.
 */
export function visibleRows(rows: readonly Row[], at: string | undefined, height: number): readonly Row[] {
  const first = rows.findIndex(({ toggle }) => toggle === at)
  const last = Math.max(rows.length - height, 0)
  const start = Math.min(Math.max(first - Math.floor(height / 3), 0), last)
  return rows.slice(start, start + height)
}
