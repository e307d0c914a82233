import { expect, test } from "bun:test"
import { createWorkingContext } from "./working-context.ts"

const TITLE = "Files the session has been working on (paths only):"

function projected(...paths: string[]): readonly string[] | undefined {
  const context = createWorkingContext()
  for (const path of paths) context.add(path)
  return context.project()?.split("\n")
}

test("nothing observed is no text", () => {
  expect(projected()).toBeUndefined()
  expect(projected("", " \u202e\n ")).toBeUndefined()
})

test("the latest 20 paths, sorted, each on its line", () => {
  const names = Array.from({ length: 22 }, (_, index) => `f${index + 10}.ts`)
  expect(projected(...names.slice(0, 20))).toEqual([TITLE, ...names.slice(0, 20).map((name) => `- ${name}`)])
  // The first is used again, so the two after it go.
  expect(projected(...names.slice(0, 20), "f10.ts", "z.ts", "a.ts")).toEqual([
    ...[TITLE, "- a.ts", "- f10.ts"],
    ...names.slice(3, 20).map((name) => `- ${name}`),
    "- z.ts",
  ])
})

test("a path is one line without markup; of a long one the end", () => {
  const long = "x".repeat(299)
  expect(projected(`12${long}`, `𝒳${long}`, "a\n\u2028\u202eb", "<c>`d` ")).toEqual([
    TITLE,
    "- &lt;c&gt;'d'",
    "- a b",
    `- …2${long}`,
    `- 𝒳${long}`,
  ])
})
