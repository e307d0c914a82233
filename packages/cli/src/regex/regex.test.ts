import { describe, expect, test } from "bun:test"
import { meetsEveryCall } from "./always-true.ts"
import { backtracksExponentially } from "./backtracking.ts"

describe("expressions that can take exponential time", () => {
  for (const [source, expected] of [
    ["(a+)+$", true],
    ["(.*)*x", true],
    ["(a|a)*$", true],
    ["(a|b|ab)*c", true],
    ["(\\w+\\s?)*$", true],
    ["(x+x+)+y", true],
    ["(?=(a+)+b)x", true],
    ["(?:[a-z]{1,100}){1,100}x", true],
    ["(?:a{0,50}?){0,50}?x", true],
    ["(a|b)*", false],
    ["(a|a)*", false],
    ["(foo|bar)+baz", false],
    ["(?:\\w{1,50}\\s){1,50}x", false],
    ["git push.*--force", false],
    ["git.*push.*--force", false],
    ["\\b(npm|yarn) (install|add)\\b", false],
    ['(?:[^"\\\\]|\\\\.)*"', false],
    ["^(?!.*--dry-run).*$", false],
    ["(", false],
  ] as const) {
    test(source, () => expect(backtracksExponentially(source)).toBe(expected))
  }
})

describe("expressions that every call meets: of any tool, of the shell", () => {
  for (const [source, any, bash] of [
    [".*", true, true],
    ["", true, true],
    ["^", true, true],
    ["$", true, true],
    ["^.*$", true, true],
    ["x|", true, true],
    ["a|.*", true, true],
    ["\\{", true, true],
    ['"', true, true],
    ["\\w*", true, true],
    ["command", false, true],
    [":", false, true],
    ["[a-z]", false, true],
    ["git", false, false],
    ["^\\{\\}$", false, false],
    ["(?!.*--dry-run)", false, false],
    ["^(?!.*foo)", false, false],
    ["\\bgit\\b", false, false],
    ["(a)\\1", false, false],
    ["(", false, false],
  ] as const) {
    test(source, () => expect([meetsEveryCall(source, "*"), meetsEveryCall(source, "bash")]).toEqual([any, bash]))
  }
})
