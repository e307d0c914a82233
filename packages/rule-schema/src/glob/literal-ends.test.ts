import { expect, test } from "bun:test"
import fc from "fast-check"
import picomatch from "picomatch"
import { runs } from "../../test/runs.ts"
import { literalEnds } from "./literal-ends.ts"

test.each<[string, string, string]>([
  ["src/**/*.rs", "src", ".rs"],
  ["*.ts", "", ".ts"],
  ["packages/server/**", "packages/server", ""],
  ["a/{b,c}.d.ts", "a", ".d.ts"],
  ["a/b.ts", "", ""],
  ["a*", "", ""],
  ["src/a|lib/*.ts", "", ""],
])("%s begins with %p and ends with %p", (glob, start, end) => {
  expect(literalEnds(glob)).toEqual({ start, end })
})

test("whatever a glob matches has its ends", () => {
  const pieces = ["a", "b", "/", "/", ".", "..", "*", "**", "?", "{a,b}", "[ab]", "(a|b)", "@(a)", "?(b)", "*(a)", "|"]
  const glob = fc.array(fc.constantFrom(...pieces, "+", "!", ",", "\\", "-", "^", "$", '"'), { maxLength: 8 })
  const path = fc.array(fc.constantFrom("a", "b", "/", ".", "-", "ab", "a.b"), { maxLength: 8 })
  fc.assert(
    fc.property(glob, fc.array(path, { minLength: 10, maxLength: 30 }), (parts, paths) => {
      const text = parts.join("")
      if (text === "") return
      let matches: (path: string) => boolean
      try {
        matches = picomatch(text, {
          dot: true,
          windows: false,
          posix: true,
          strictBrackets: true,
          nonegate: true,
          debug: true,
        })
      } catch {
        return
      }
      const { start, end } = literalEnds(text)
      for (const one of [text, ...paths.map((letters) => letters.join(""))]) {
        if (one !== "" && matches(one)) expect([one, one.startsWith(start) && one.endsWith(end)]).toEqual([one, true])
      }
    }),
    { numRuns: runs(3000) },
  )
})
