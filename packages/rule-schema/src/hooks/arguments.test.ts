import { describe, expect, test } from "bun:test"
import { argumentOf, argumentsJson } from "./arguments.ts"

describe("the JSON of a call's arguments", () => {
  test("has a value that comes twice both times, and none inside of itself", () => {
    const shared = { name: "a" }
    const list: unknown[] = [shared, { again: shared }]
    const args: Record<string, unknown> = { list, shared, text: "b", none: null, number: 1.5, left: undefined }
    expect(argumentsJson(args)).toBe(
      '{"list":[{"name":"a"},{"again":{"name":"a"}}],"shared":{"name":"a"},"text":"b","none":null,"number":1.5}',
    )
    list.push(list, { up: args })
    args["self"] = args
    expect(argumentsJson(args)).toBe(
      '{"list":[{"name":"a"},{"again":{"name":"a"}},"[cyclic]",{"up":"[cyclic]"}],"shared":{"name":"a"},"text":"b","none":null,"number":1.5,"self":"[cyclic]"}',
    )
  })

  test.each<[args: unknown, json: string]>([
    [{ count: 12345678901234567890n }, '{"count":"12345678901234567890"}'],
    [
      { a: "x", b: ["x", 1, "x"], c: [1, [1]], d: [null, [null]] },
      '{"a":"x","b":["x",1,"x"],"c":[1,[1]],"d":[null,[null]]}',
    ],
    ["text", '"text"'],
    [null, "null"],
    [undefined, ""],
    [() => 1, ""],
    [
      {
        toJSON() {
          throw new Error("no")
        },
      },
      "",
    ],
  ])("of %p is %s", (args, json) => expect(argumentsJson(args)).toBe(json))
})

test("an argument is one of the call's own, and one that can't be read is none", () => {
  const args = Object.defineProperty({ a: 1, b: undefined }, "c", {
    get() {
      throw new Error("no")
    },
  })
  expect(["a", "b", "c", "d", "toString"].map((name) => argumentOf(args, name))).toEqual([1, ...Array(4)])
  expect(argumentOf(["x", "y"], "1")).toBe("y")
  for (const none of [undefined, null, "text", 5]) expect(argumentOf(none, "length")).toBeUndefined()
})
