import { describe, expect, test } from "bun:test"
import { fileProblem, formatProblem } from "./problems.ts"

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
