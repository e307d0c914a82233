import { expect, test } from "bun:test"
import fc from "fast-check"
import { impossibleEnd } from "./json-ends.ts"

for (const [source, expected] of [
  ["^git push", "start"],
  ["^(?:git|npm) ", "start"],
  ["^(|a)git", "start"],
  ["^(|{)git", undefined],
  ["git(b|)$", "end"],
  ["(^git|^npm) ", "start"],
  ["^\\s*git", "start"],
  ["^\\bgit", "start"],
  ["^[a-z]+", "start"],
  ["^git|^npm", "start"],
  ["push$", "end"],
  ["(push|pull)$", "end"],
  ["git.*push\\s*$", "end"],
  ["git( push)?$", "end"],
  ["^git|npm", undefined],
  ["(^|\\s)git", undefined],
  ["^{", undefined],
  ['^\\{"command":"git', undefined],
  ["^.*git", undefined],
  ["^[^a]", undefined],
  ["^(?!x)", undefined],
  ["^$", undefined],
  ["^x*", undefined],
  ["push.*$", undefined],
  ['push"}$', undefined],
  ["git push", undefined],
  ["(x)\\1$", undefined],
  ["(x)^\\1", undefined],
  ["$git", undefined],
  ["git^", undefined],
  ["\\bgit", undefined],
  ["(^git|npm) ", undefined],
  ["(^)git", "start"],
  ["(^)\\{", undefined],
  ["((^)\\s)git", "start"],
  ["^x+\\{", "start"],
  ["^\\s*\\{", undefined],
  ["^\\{*git", undefined],
  ["^\\{+git", undefined],
  ["^(x|\\s*)\\{", undefined],
  ["^(x|\\s*)(y|z)", "start"],
  ["^(a)\\1", "start"],
  ["^(?!a)git", "start"],
  ["^(a|b)?(c|d)", "start"],
  ["(?:^git|^npm) ", "start"],
  ["(?:^git|npm) ", undefined],
  ["(?:a$)", "end"],
  ["^(|\\s)x\\{", "start"],
  ["^(?:|\\s)\\s*\\{", undefined],
  ["^\\s*(x|y)\\{", "start"],
  ["(git push)$", "end"],
  ["(git })$", undefined],
  ["(}git)$", "end"],
  ["}(a$)", "end"],
  ["a(}$)", undefined],
  ["}($)", undefined],
  ["a($)", "end"],
  ["(a$|b$)", "end"],
  ["(a$|b)", undefined],
  ["a$|b", undefined],
  ["a$|b$", "end"],
  ["}x?$", undefined],
  ["}x+$", "end"],
  ["^git$", "start"],
  ["^\\{x$", "end"],
  ["^\\{$", "end"],
] as const) {
  test(`${source}: ${expected ?? "may match"}`, () => expect(impossibleEnd(source)).toBe(expected))
}

test("what is called impossible matches no object's JSON", () => {
  const part = fc.constantFrom(
    "^",
    "$",
    "git",
    "{",
    "}",
    "a*",
    "(x|{)",
    "(?:y|^z)",
    "[^a]",
    ".",
    "|",
    "\\b",
    "(?=g)",
    '"',
  )
  const source = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(""))
  const compiles = (text: string) => {
    try {
      return new RegExp(text) instanceof RegExp
    } catch {
      return false
    }
  }
  fc.assert(
    fc.property(
      source.filter(compiles),
      fc.dictionary(fc.string(), fc.constantFrom("git", "x", "{", "}")),
      (text, args) => {
        if (impossibleEnd(text) !== undefined) expect(new RegExp(text).test(JSON.stringify(args))).toBe(false)
      },
    ),
    { numRuns: 1000 },
  )
})
