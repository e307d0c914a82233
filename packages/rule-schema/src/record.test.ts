import { expect, test } from "bun:test"
import { isRecord } from "./record.ts"

test("an object with keys is one; null, a list and what is no object are none", () => {
  expect([{}, { a: 1 }, Object.create(null)].map(isRecord)).toEqual([true, true, true])
  expect([null, [], [1], undefined, "a", 1, true, () => 1].filter(isRecord)).toEqual([])
})
