import { describe, expect, test } from "bun:test"
import { collectProblems, fileProblem, formatProblem } from "./problems.ts"

describe("a problem in one line says what is wrong, what follows, and what to do", () => {
  const t = (file: string, severity: "error" | "warning", line: string) => {
    test(line, () => {
      expect(formatProblem(fileProblem(file, severity, "wrong-type", "is odd", "Repair it"))).toBe(line)
    })
  }
  t("/r/a.md", "error", "/r/a.md:1:1: is odd, so this rule never matches. Repair it.")
  t("/r/a.MDC", "error", "/r/a.MDC:1:1: is odd, so this rule never matches. Repair it.")
  t("/r/a.md", "warning", "/r/a.md:1:1: is odd. Repair it.")
  t("/r", "error", "/r:1:1: is odd. Repair it.")
})

test("a field is named, sentences end once, and nothing else than text is shown", () => {
  const problem = fileProblem("/r/a\n.md", "warning", "wrong-type", "is odd!", "Repair it?")
  expect(formatProblem({ ...problem, field: "globs\u001b", line: 3, column: 4 })).toBe(
    "/r/a\\n.md:3:4 globs\\u001b: is odd! Repair it?",
  )
  expect(formatProblem({ ...problem, reason: "is odd.", remedy: "" })).toBe("/r/a\\n.md:1:1: is odd.")
})

test("places are lines and columns of the file, however its lines end, and a byte-order mark is no column", () => {
  const text = "\uFEFFab\r\ncd\ref\n\ng"
  const problems = collectProblems("/r/a.md", text)
  for (let offset = 0; offset <= text.length + 1; offset += 1) problems.error({ offset }, "wrong-type", "r", "m")
  expect(problems.all.map(({ line, column }) => `${line}:${column}`)).toEqual([
    ...["1:1", "1:1", "1:2", "1:3", "1:4"],
    ...["2:1", "2:2", "2:3"],
    ...["3:1", "3:2", "3:3"],
    ...["4:1"],
    ...["5:1", "5:2", "5:3"],
  ])
  const last = problems.all.length
  problems.warning({ offset: 5, field: "globs" }, "wrong-type", "r", "m")
  expect(problems.all[last]).toEqual({
    ...{ severity: "warning", code: "wrong-type", file: "/r/a.md", line: 2, column: 1 },
    ...{ field: "globs", reason: "r", remedy: "m" },
  })
})
