import { expect, test } from "bun:test"
import type { FileObservation, NestedRules } from "@opencode-rulebook/rule-schema"
import { createNestedFolders } from "./nested-folders.ts"

const at = (path: string): FileObservation => ({ path, tool: "read", content: undefined })
const rulesIn = (folder: string) => ({ folder, rulebook: { rules: [] } }) as unknown as NestedRules

test("a folder is looked at once, and one look waits for the one before: it has to know what that found", async () => {
  const held = Promise.withResolvers<void>()
  const looks: (readonly [folders: readonly string[], known: readonly string[]])[] = []
  const taken: string[] = []
  async function find(folders: readonly string[], known: readonly string[]) {
    looks.push([folders, [...known]])
    await held.promise
    return folders.filter((folder) => folder !== "docs").map(rulesIn)
  }
  const folders = createNestedFolders("/app", ["lib"], find, (found) =>
    taken.push(found.map(({ folder }) => folder).join()),
  )
  const first = folders.lookAbove([at("lib/a.ts"), at("web/a.ts"), at("/app/web/b.ts")])
  const second = folders.lookAbove([at("web/c.ts"), at("api/a.ts")])
  let isSecondDone = false
  const third = folders.lookAbove([at("web/d.ts")]).then(() => {
    isSecondDone = taken.length === 2
  })
  held.resolve()
  await Promise.all([first, second, third])
  expect(looks).toEqual([
    [["web"], ["lib"]],
    [["api"], ["lib", "web"]],
  ])
  expect(taken).toEqual(["web", "api"])
  expect(isSecondDone).toBeTrue()
  await folders.lookAbove([at("docs/a.md")])
  await folders.lookAbove([at("docs/b.md"), at("a.md"), at("/etc/passwd")])
  expect(looks).toHaveLength(3)
  expect(taken).toHaveLength(2)
})
