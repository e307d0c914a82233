import { expect, test } from "bun:test"
import fc from "fast-check"
import picomatch from "picomatch"
import { runs } from "../../test/runs.ts"
import { endingsOf, hasEnds, literalEnds } from "./literal-ends.ts"

test.each<[string, string, string]>([
  ["src/**/*.rs", "src", ".rs"],
  ["*.ts", "", ".ts"],
  ["packages/server/**", "packages/server", ""],
  ["a/{b,c}.d.ts", "a", ".d.ts"],
  ["a/b.ts", "a", "b.ts"],
  ["a*", "", ""],
  ["src/a.b/*/c-d.e.ts", "src/a.b", "c-d.e.ts"],
  ["./a/*.ts", "", ".ts"],
  ["A9_-/B9_-.C9_-/*Z9_-.Y9_-.X", "A9_-/B9_-.C9_-", "Z9_-.Y9_-.X"],
  ["_a/{b,c}_d", "_a", "_d"],
  ["a//b/*c", "a", "c"],
  ["a/b.*.c", "a", ".c"],
  ["../a/*..ts", "", ""],
  ['*"a', "", ""],
  ["src/a|lib/*.ts", "", ""],
  // Long names are no work.
  ["x".repeat(2000), "", ""],
  [`${"a-b.".repeat(400)}c/*.${"d.".repeat(400)}e`, `${"a-b.".repeat(400)}c`, `.${"d.".repeat(400)}e`],
])("%s begins with %p and ends with %p", (glob, start, end) => {
  expect(literalEnds(glob)).toEqual({ start, end })
})

test("a text that can meet a pattern has its ends, or ends with a slash", () => {
  const ends = literalEnds("src/*/b.ts")
  const texts = ["src/a/b.ts", "src/a/b.ts/", "lib/a/b.ts", "src/a/b.tsx", "src/a/"]
  expect(texts.filter((text) => hasEnds(text, ends))).toEqual(["src/a/b.ts", "src/a/b.ts/", "src/a/"])
})

test("whatever a glob matches has its ends", () => {
  const pieces = ["a", "b", "/", "/", ".", "..", "*", "**", "?", "{a,b}", "[ab]", "(a|b)", "@(a)", "?(b)", "*(a)", "|"]
  const simple = fc.constantFrom("a", "b", "/", ".", "..", "*", "**", "{a,b}", "{", "}", ",", "-")
  const any = fc.constantFrom(...pieces, "+", "!", ",", "\\", "-", "^", "$", '"')
  const glob = fc.oneof(fc.array(simple, { maxLength: 8 }), fc.array(any, { maxLength: 8 }))
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
      const ends = literalEnds(text)
      for (const one of [text, ...paths.map((letters) => letters.join(""))]) {
        if (one !== "" && matches(one)) expect([one, hasEnds(one, ends)]).toEqual([one, true])
      }
    }),
    { numRuns: runs(3000) },
  )
})

for (const [glob, endings] of [
  ["*.ts", [".ts"]],
  ["src/**/*.test.ts", [".ts"]],
  ["docs/a.md", [".md"]],
  ["**/*.{ts,tsx}", [".ts", ".tsx"]],
  ["*.{d.ts,ts}", [".ts"]],
  ["*.{A_9-z,b.C}", [".A_9-z", ".C"]],
  ["*.{ts}", [".ts"]],
  ["*.{ts,}", [""]],
  ["**/.env", [".env"]],
  ["*.{ts,rs}.bak", [".bak"]],
  ["src/**", [""]],
  ["*file", [""]],
  ["*.t?", [""]],
  ["*.{t*,rs}", [""]],
  ["{a.ts,b.rs}", [""]],
  ["*", [""]],
] as const) {
  test(`what ${glob} matches ends with ${endings.join(" or ") || "anything"}`, () => {
    expect(endingsOf(glob)).toEqual([...endings])
  })
}
