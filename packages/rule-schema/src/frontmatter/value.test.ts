import { describe, expect, test } from "bun:test"
import { documentValue, isEmptyValue, OversizedYaml, textValue, type Value } from "./value.ts"
import { parseYaml } from "./yaml.ts"

const read = (source: string) => documentValue(parseYaml(source), source, 100)
const scalar = (offset: number, value: unknown, text: string) => ({ kind: "scalar", offset, value, text }) as Value

function plain(value: Value): unknown {
  if (value.kind === "scalar") return value.value
  if (value.kind === "list") return value.items.map(plain)
  return Object.fromEntries([...value.entries].map(([key, entry]) => [key, plain(entry.value)]))
}

describe("a document's values have their places and are as they are written", () => {
  for (const [source, value] of [
    ["a", scalar(100, "a", "a")],
    ["1.10", scalar(100, 1.1, "1.10")],
    ["0x10", scalar(100, 16, "0x10")],
    ["12345678901234567890", scalar(100, 12345678901234567000, "12345678901234567890")],
    ["True", scalar(100, true, "True")],
    ["~", scalar(100, null, "~")],
    ["", scalar(100, null, "")],
    ["'1'", scalar(100, "1", "1")],
    ["a\n  b \n c", scalar(100, "a b c", "a\nb\nc")],
    ["a\t\n \tb", scalar(100, "a b", "a\nb")],
    ['"a\n b"', scalar(100, "a b", "a b")],
    ["|\n a\n b\n", scalar(100, "a\nb\n", "a\nb\n")],
    [
      "[a, [b]]",
      {
        kind: "list",
        offset: 100,
        items: [scalar(101, "a", "a"), { kind: "list", offset: 104, items: [scalar(105, "b", "b")] }],
      },
    ],
    [
      "- a\n- #include",
      { kind: "list", offset: 100, items: [scalar(102, "a", "a"), scalar(106, "#include", "#include")] },
    ],
    ["- a\n- # b", { kind: "list", offset: 100, items: [scalar(102, "a", "a"), scalar(106, null, "")] }],
    [
      "x: a\ny:\n  z: 1",
      {
        kind: "mapping",
        offset: 100,
        entries: new Map([
          ["x", { key: "x", offset: 100, value: scalar(103, "a", "a") }],
          [
            "y",
            {
              key: "y",
              offset: 105,
              value: {
                kind: "mapping",
                offset: 110,
                entries: new Map([["z", { key: "z", offset: 110, value: scalar(113, 1, "1") }]]),
              },
            },
          ],
        ]),
      },
    ],
    [
      "1: a",
      {
        kind: "mapping",
        offset: 100,
        entries: new Map([["1", { key: "1", offset: 100, value: scalar(103, "a", "a") }]]),
      },
    ],
    [
      "? [k]\n: a\nb: c",
      {
        kind: "mapping",
        offset: 100,
        entries: new Map([["b", { key: "b", offset: 110, value: scalar(113, "c", "c") }]]),
      },
    ],
  ] as const) {
    test(JSON.stringify(source), () => expect(read(source)).toEqual(value as Value))
  }

  test("aliases and merge keys are followed: own keys win, then earlier sources", () => {
    expect(plain(read("x: &x {a: 1, b: 2}\ny: &y {b: 3, c: 4}\nz: {c: 5, <<: [*x, *y]}"))).toEqual({
      x: { a: 1, b: 2 },
      y: { b: 3, c: 4 },
      z: { a: 1, b: 2, c: 5 },
    })
    expect(plain(read("x: &x {a: 1}\ny: {<<: *x, a: 2}\nz: {<<: text, b: *x}"))).toEqual({
      x: { a: 1 },
      y: { a: 2 },
      z: { b: { a: 1 } },
    })
  })

  test("twenty thousand nodes, and fifty levels, are read, and not one more", () => {
    // The mapping, a list of a hundred, and one of 195 times that and some more.
    const source = (more: number) => {
      return `x: &x [${Array(100).fill("a")}]\ny: [${[...Array(195).fill("*x"), ...Array(more).fill("a")].join(", ")}]`
    }
    expect(read(source(7)).kind).toBe("mapping")
    expect(() => read(source(8))).toThrow(OversizedYaml)
    const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels)
    expect(read(deep(51)).kind).toBe("list")
    expect(() => read(deep(52))).toThrow(OversizedYaml)
    const maps = (levels: number) => `${"{a: ".repeat(levels)}b${"}".repeat(levels)}`
    expect(read(maps(50)).kind).toBe("mapping")
    expect(() => read(maps(51))).toThrow(OversizedYaml)
    expect(() => read("a: &x { b: *x }")).toThrow(OversizedYaml)
  })
})

test("a text of several lines is one line as a value", () => {
  expect(textValue("a \n\n b\n c", 7)).toEqual(scalar(7, "a b c", "a \n\n b\n c") as never)
})

test("nothing is written in an empty text, an empty list and a missing value", () => {
  for (const source of ["", "~", "null", "''", "' '", "[]"])
    expect([source, isEmptyValue(read(source))]).toEqual([source, true])
  for (const source of ["0", "false", "a", "[~]", "{}"])
    expect([source, isEmptyValue(read(source))]).toEqual([source, false])
})
