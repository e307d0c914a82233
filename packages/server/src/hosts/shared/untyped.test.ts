import { expect, test } from "bun:test"
import { field, number, text, texts } from "./untyped.ts"

const RECORD = {
  name: "a",
  count: 3,
  none: null,
  list: ["x"],
  flag: false,
  huge: Number.POSITIVE_INFINITY,
  no: Number.NaN,
}

test("a field is what is there, of records and lists; of anything else there is none", () => {
  expect(Object.keys(RECORD).map((key) => field(RECORD, key))).toEqual(Object.values(RECORD))
  expect(field(["x", "y"], "1")).toBe("y")
  for (const other of [undefined, null, "name", 5, () => RECORD]) expect(field(other, "length")).toBeUndefined()
})

test("texts and numbers are those of that type, and no number is infinite", () => {
  const keys = [...Object.keys(RECORD), "absent"]
  expect(keys.filter((key) => text(RECORD, key) !== undefined)).toEqual(["name"])
  expect(keys.filter((key) => number(RECORD, key) !== undefined)).toEqual(["count"])
  expect([text(RECORD, "name"), number(RECORD, "count")]).toEqual(["a", 3])
  expect(texts({ one: "1", two: 2, three: "", four: "4" }, ["four", "two", "absent", "three", "one"])).toEqual([
    "4",
    "",
    "1",
  ])
})
