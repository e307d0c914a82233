import { trimInvisible } from "./frontmatter/lines.ts"

/** A key without what doesn't tell keys apart: case, `-`, `_`, invisible characters, the ending of a plural. */
export function simpleForm(key: string): string {
  return trimInvisible(key)
    .toLowerCase()
    .replace(/[\s_-]/g, "")
    .replace(/(?<=\p{L}{2})(?:(?<=ch)es|s)$/u, "")
}

/** Is this probably a typo of that key? Short keys are few edits from many words. */
export function isTypoOf(key: string, known: string): boolean {
  if (key.length > 40) return false
  const allowed = known.length <= 3 ? 0 : known.length <= 7 ? 1 : 2
  return distance(simpleForm(key), simpleForm(known)) <= allowed
}

/** Edits (insert, delete, replace, swap of neighbours) from one text to the other. */
function distance(a: string, b: string): number {
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1
      let best = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + cost,
      )
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (isSwap) best = Math.min(best, (before[column - 2] ?? 0) + 1)
      current.push(best)
    }
    before = previous
    previous = current
  }
  return previous[b.length] ?? 0
}
