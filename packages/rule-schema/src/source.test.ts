import { expect, test } from "bun:test"
import { readRuleSource, textsOf } from "./source.ts"

const TEXT = '\uFEFF---\r\npaths: [a/*.ts, "b, c"]\r\nkeywords: ["x "]\r\n---\r\n\r\nFirst.\r\n\r\nFirst.\r\n'
const source = readRuleSource("/app/rule.md", TEXT)

test("words are what is compared: split, trimmed, with the key as it was written", () => {
  expect(source.entries("globs").map(({ text, field }) => `${field} ${text}`)).toEqual([
    "paths a/*.ts",
    "paths b",
    "paths c",
  ])
  expect(source.entries("keywords").map(({ text }) => text)).toEqual(["x"])
  expect(source.entries("agent")).toEqual([])
  expect(source.entries("ci")).toEqual([])
})

test("texts are what was written, with their places", () => {
  expect(textsOf(source.entry("keywords")?.value)).toEqual([{ text: "x ", offset: TEXT.indexOf('"x ') }])
})

test("problems have the place in the file", () => {
  const finding = { code: "test", offset: source.bodyOffset, reason: "r", remedy: "m" }
  expect(source.problem("warning", finding)).toMatchObject({
    severity: "warning",
    file: "/app/rule.md",
    line: 6,
    column: 1,
  })
})

test("a file that can't be read as a rule declares nothing", () => {
  expect(readRuleSource("/app/rule.md", "---\nglobs: [\n---\nx").entries("globs")).toEqual([])
  expect(readRuleSource("/app/rule.md", "").bodyOffset).toBe(0)
})
