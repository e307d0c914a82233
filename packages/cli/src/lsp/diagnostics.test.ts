import { expect, test } from "bun:test"
import type { RuleProblem } from "@opencode-rulebook/rule-schema"
import { diagnosticOf } from "./diagnostics.ts"

function problem(line: number, column: number, more: Partial<RuleProblem> = {}): RuleProblem {
  const said = { field: undefined, reason: "is wrong", remedy: "Correct it" }
  return { severity: "warning", code: "odd-pattern", file: "/w/a.md", line, column, ...said, ...more }
}

test("a problem says what is wrong with which field, what follows and what to do", () => {
  const text = "---\nglobs: src\n---\n"
  const range = { start: { line: 1, character: 7 }, end: { line: 1, character: 10 } }
  expect(diagnosticOf(problem(2, 8, { field: "globs" }), text)).toEqual({
    range,
    severity: 2,
    source: "opencode-rulebook",
    code: "odd-pattern",
    message: "`globs`: is wrong. Correct it.",
    data: { field: "globs" },
  })
  expect(diagnosticOf(problem(2, 8, { severity: "error", code: "bad-glob" }), text)).toEqual({
    range,
    severity: 1,
    source: "opencode-rulebook",
    code: "bad-glob",
    message: "is wrong, so this rule never matches. Correct it.",
  })
})

test.each<[text: string, line: number, column: number, marked: string]>([
  ["globs: src/*.ts, b", 1, 8, "src/*.ts"],
  ["globs: [a, b]", 1, 12, "b"],
  ["hooks: { type: x}", 1, 16, "x"],
  ["name: \"a 'b' c\" d", 1, 7, "\"a 'b' c\""],
  ["name: 'a \"b\" c' d", 1, 7, "'a \"b\" c'"],
  ['name: a"b"', 1, 7, "a"],
  ["name: 'open", 1, 7, "'"],
  ["globs: x", 1, 1, "globs"],
  ["a:b: x", 1, 1, "a:b"],
  ["name: x", 1, 6, " "],
  ["name:", 1, 6, ""],
  ["name:", 1, 99, ""],
  ["a\r\nb c\rd", 2, 3, "c"],
  ["a\r\nb c\rd", 3, 1, "d"],
  ["a\nb", 5, 1, ""],
])("in %j the word at %d:%d is marked", (text, line, column, marked) => {
  const { start, end } = diagnosticOf(problem(line, column), text).range
  const written = text.split(/\r\n|\n|\r/)[line - 1] ?? ""
  expect([start.line, end.line, written.slice(start.character, end.character)]).toEqual([line - 1, line - 1, marked])
  expect(start.character).toBe(Math.min(column - 1, written.length))
  expect(end.character).toBeLessThanOrEqual(written.length)
})
