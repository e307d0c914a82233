import { expect, test } from "bun:test"
import { compilePathPattern } from "../glob/compile.ts"
import { pathForm } from "../glob/path-form.ts"
import { createPathIndex } from "./path-index.ts"

const LISTS: readonly (readonly string[])[] = [
  ["src/**/*.ts"],
  ["*.ts"],
  ["docs/**"],
  ["**"],
  ["*.{ts,tsx}"],
  ["!src/**", "lib/*.rs"],
  ["src/a/b.md"],
  ["!**/*.ts"],
  ["*.ts", "src/**", "*.md"],
  ["src/a/*.d.ts"],
  [],
]

/** Of a pattern it is known which folder and which ending a path must have: those lists are candidates, and no others. */
test.each<[path: string, candidates: number[]]>([
  ["src/x.ts", [0, 1, 3, 4, 8]],
  ["src/a/b/c.ts", [0, 1, 3, 4, 8, 9]],
  ["src/a/x.d.ts", [0, 1, 3, 4, 8, 9]],
  ["src/a/b.md", [3, 6, 8]],
  ["b.md", [3, 8]],
  ["src", [3, 8]],
  ["srcs/x.ts", [1, 3, 4, 8]],
  ["lib/src/x.ts", [1, 3, 4, 8]],
  ["lib/x.rs", [3, 5]],
  ["x.rs", [3]],
  ["docs/readme", [2, 3]],
  ["docs", [2, 3]],
  ["docs/x.tsx", [2, 3, 4]],
  ["x.d.tsx", [3, 4]],
  ["", [3]],
])("of many pattern lists, %j may be included by those of its folder and ending", (path, candidates) => {
  const lists = LISTS.map((patterns) =>
    patterns.map((source) => {
      const result = compilePathPattern(source)
      return result.kind === "pattern" ? result.pattern : expect.unreachable()
    }),
  )
  const found = createPathIndex(lists).candidatesFor(pathForm(path, { root: "/w", directory: "/w" }))
  expect([...found].toSorted((a, b) => a - b)).toEqual(candidates)
})
