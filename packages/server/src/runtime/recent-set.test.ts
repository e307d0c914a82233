import { expect, test } from "bun:test"
import { createRecentSet } from "./recent-set.ts"

test("the latest values stay, however many there were", () => {
  const set = createRecentSet(3)
  for (const value of ["a", "b", "c", "a", "d"]) set.add(value)
  expect(["a", "b", "c", "d"].filter(set.has)).toEqual(["a", "c", "d"])
  for (let index = 0; index < 1000; index += 1) set.add(String(index))
  expect(["a", "996", "997", "998", "999"].filter(set.has)).toEqual(["997", "998", "999"])
})
