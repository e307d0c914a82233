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

test("texts are found at any depth, and numbers are none", () => {
  const each = (frontmatter: string) => {
    const value = readRuleSource("/app/rule.md", `---\n${frontmatter}\n---\nx`).entry("keywords")?.value
    return textsOf(value).map(({ text }) => text)
  }
  expect(each("keywords: [a, [b, 'c d'], 5, true, { e: f }]")).toEqual(["a", "b", "c d"])
  expect(each("keywords: { e: f }")).toEqual([])
  expect(each("keywords: a")).toEqual(["a"])
  expect(each("globs: a")).toEqual([])
})

test("what a rule forbids, and the keys in the meaning of its tool, are there too", () => {
  const text = "---\nforbid: ['a ', b, a]\nglobs: '**'\napplyTo: '*.ts'\n---\n\n  Text."
  const own = readRuleSource("/app/rule.md", text)
  expect(own.entries("forbid")).toEqual([
    { text: "a", offset: text.indexOf("'a '"), field: "forbid" },
    { text: "b", offset: text.indexOf("b,"), field: "forbid" },
  ])
  expect(own.entries("globs").map((each) => each.text)).toEqual(["**", "*.ts"])
  expect([own.text, own.body, own.bodyOffset]).toEqual([text, "  Text.", text.indexOf("Text.")])
  const origin = { kind: "tool", tool: "copilot", folder: ".github/instructions" } as const
  const instruction = readRuleSource("/app/a.instructions.md", text, origin)
  expect(instruction.entries("globs").map((each) => each.text)).toEqual(["*.ts"])
  expect(instruction.entry("alwaysApply")?.value).toMatchObject({ value: false, text: "false" })
})

test("problems have the place in the file", () => {
  const finding = { code: "test", offset: source.bodyOffset, reason: "r", remedy: "m" }
  const place = { file: "/app/rule.md", line: 6, column: 1, field: undefined }
  const said = { code: "test", reason: "r", remedy: "m" }
  expect(source.problem("warning", finding)).toEqual({ severity: "warning", ...place, ...said })
  expect(source.problem("error", { ...finding, field: "globs" })).toEqual({
    severity: "error",
    ...place,
    field: "globs",
    ...said,
  })
})

test("a file that can't be read as a rule declares nothing", () => {
  expect(readRuleSource("/app/rule.md", "---\nglobs: [\n---\nx").entries("globs")).toEqual([])
  for (const text of ["", "---\nglobs: a\n\nText", "----\nglobs: a\n----\nText"]) {
    const { body, bodyOffset } = readRuleSource("/app/rule.md", text)
    expect([text, body, bodyOffset]).toEqual([text, "", 0])
  }
  expect(readRuleSource("/app/rule.md", "---\nname: x\n---\n  ").bodyOffset).toBe("---\nname: x\n---".length)
})
