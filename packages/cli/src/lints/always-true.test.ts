import { describe, expect, test } from "bun:test"
import { matchesEveryCall } from "./always-true.ts"

function matches(source: string, tool: string, argument?: string): boolean {
  return matchesEveryCall({ source, argument, offset: 0, path: "hooks[0].match" }, tool)
}

describe("expressions that every call matches: of any tool, of the shell", () => {
  for (const [source, any, bash] of [
    [".*", true, true],
    ["", true, true],
    ["^", true, true],
    ["$", true, true],
    ["^.*$", true, true],
    ["x|", true, true],
    ["a|.*", true, true],
    ["\\{", true, true],
    ["^\\{.*\\}$", true, true],
    ["\\w*", true, true],
    ["[^a]", true, true],
    ["[^]", true, true],
    ['"', false, true],
    ["command", false, true],
    [":", false, true],
    ["[a-z]", false, true],
    ['"command":"', false, true],
    ['^\\{"command"', false, false],
    ["^.{0,80}$", false, false],
    ["^[^;|&]*$", false, false],
    ["^[^\\n\\\\]*$", false, false],
    ["\\d", false, false],
    ["git", false, false],
    ["^\\{\\}$", false, false],
    ["(?!.*--dry-run)", false, false],
    ["^(?!.*foo)", false, false],
    ["^(?:(?<!x)y|.)*$", false, false],
    ["\\bgit\\b", false, false],
    ["(a)\\1", false, false],
    ["(", false, false],
  ] as const) {
    test(source, () => expect([matches(source, "*"), matches(source, "bash")]).toEqual([any, bash]))
  }
})

test("an expression for one argument: of a tool whose calls all have it", () => {
  expect(matches(".*", "bash", "command")).toBe(true)
  expect(matches("^", "shell", "command")).toBe(true)
  expect(matches("patch|", "patch", "patchText")).toBe(true)
  for (const source of ["[a-z]", ".", "^git", "^[^-]*$", "^(?!git)"]) {
    expect([source, matches(source, "bash", "command")]).toEqual([source, false])
  }
  expect(matches(".*", "bash", "workdir")).toBe(false)
  expect(matches(".*", "*", "command")).toBe(false)
})
