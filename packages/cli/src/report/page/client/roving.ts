/**
 * One tab stop for many elements, between which the arrow keys move: left and right in a row, up and down to the nearest of the next row,
 * Home and End to the row's ends, with Control to the first and last of all.
 *
 * @param rows the elements, row by row, each with its column; empty rows are left out.
 * @returns makes another element the tab stop; the first one is at first.
 */
export function rove(container: HTMLElement, rows: readonly (readonly Place[])[]): (place: Place) => void {
  let current = rows[0]?.[0]
  for (const { element } of rows.flat()) element.tabIndex = element === current?.element ? 0 : -1

  container.addEventListener("focusin", ({ target }) => {
    const place = rows.flat().find(({ element }) => element === target)
    if (place) moveStop(place)
  })
  container.addEventListener("keydown", (event) => {
    const place = current && next(rows, current, event)
    if (!place) return
    event.preventDefault()
    place.element.focus()
  })
  return moveStop

  function moveStop(place: Place): void {
    if (current) current.element.tabIndex = -1
    place.element.tabIndex = 0
    current = place
  }
}

/** An element that can have the focus. */
export interface Place {
  readonly element: HTMLElement
  readonly column: number
}

function next(rows: readonly (readonly Place[])[], from: Place, event: KeyboardEvent): Place | undefined {
  const at = rows.findIndex((row) => row.includes(from))
  const row = rows[at] ?? []
  const index = row.indexOf(from)
  switch (event.key) {
    case "ArrowLeft":
      return row[index - 1]
    case "ArrowRight":
      return row[index + 1]
    case "ArrowUp":
      return nearest(rows[at - 1], from)
    case "ArrowDown":
      return nearest(rows[at + 1], from)
    case "Home":
      return event.ctrlKey ? rows[0]?.[0] : row[0]
    case "End":
      return event.ctrlKey ? rows.at(-1)?.at(-1) : row.at(-1)
    default:
      return undefined
  }
}

function nearest(row: readonly Place[] | undefined, { column }: Place): Place | undefined {
  return row?.reduce((best, place) => (Math.abs(place.column - column) < Math.abs(best.column - column) ? place : best))
}
