import { expect, test } from "bun:test"
import type { NestedRules } from "@opencode-rulebook/rule-schema"
import { createNestedFolders } from "./nested-folders.ts"

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
  const first = folders.lookAbove(["lib/a.ts", "web/a.ts", "/app/web/b.ts"])
  const second = folders.lookAbove(["web/c.ts", "api/a.ts"])
  let isSecondDone = false
  const third = folders.lookAbove(["web/d.ts"]).then(() => {
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
  await folders.lookAbove(["docs/a.md"])
  await folders.lookAbove(["docs/b.md", "a.md", "/etc/passwd"])
  expect(looks).toHaveLength(3)
  expect(taken).toHaveLength(2)
})
