import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { moveCursor, visibleRows } from "./cursor.ts"
import type { Row } from "./rows.ts"

const row = (toggle: string | undefined): Row => ({ spans: [], indent: 0, toggle })
/** A heading without a toggle, and rules of one or two rows. */
const ROWS = ["section", undefined, "a", "b", "b", "c"].map(row)

describe("the cursor", () => {
  test.each<[at: string | undefined, step: number, next: string | undefined]>([
    [undefined, 0, "section"],
    [undefined, 1, "a"],
    ["a", 1, "b"],
    ["b", 1, "c"],
    ["c", 1, "c"],
    ["c", -1, "b"],
    ["section", -1, "section"],
    ["a", 10, "c"],
    ["gone", 0, "section"],
  ])("from %p by %p is on %p", (at, step, next) => {
    expect(moveCursor(ROWS, at, step)).toBe(next)
  })

  test("has no place where nothing folds", () => {
    expect(moveCursor([row(undefined)], undefined, 1)).toBeUndefined()
    expect(moveCursor([], undefined, 0)).toBeUndefined()
  })
})

describe("the rows that there is room for", () => {
  const many = Array.from({ length: 50 }, (_, index) => row(`r${index}`))
  const shown = (at: string, height: number) => visibleRows(many, at, height).map(({ toggle }) => toggle)

  test("all, if they fit", () => {
    expect(visibleRows(ROWS, "c", ROWS.length)).toEqual(ROWS)
  })

  test.each<[at: string, first: string, last: string]>([
    ["r0", "r0", "r8"],
    ["r20", "r17", "r25"],
    ["r49", "r41", "r49"],
  ])("around %p", (at, first, last) => {
    expect(shown(at, 9).at(0)).toBe(first)
    expect(shown(at, 9).at(-1)).toBe(last)
  })

  test("always the cursor's, and never more than fit", () => {
    fc.assert(
      fc.property(fc.nat(49), fc.integer({ min: 1, max: 60 }), (index, height) => {
        const toggles = shown(`r${index}`, height)
        expect(toggles).toContain(`r${index}`)
        expect(toggles).toHaveLength(Math.min(height, many.length))
      }),
    )
  })
})
