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

test("what is found ahead of an observation is taken when it is needed, else with the first file observed below", async () => {
  const taken: string[][] = []
  const looks: string[] = []
  async function find(folders: readonly string[]) {
    looks.push(...folders)
    return folders.map(rulesIn)
  }
  const folders = createNestedFolders("/app", [], find, (found) => taken.push(found.map(({ folder }) => folder)))
  const asked: unknown[] = []
  const needs = (isNeeded: boolean) => (rules: unknown) => asked.push(rules) > 0 && isNeeded
  await folders.lookAhead(["web/a.ts", "api/a.ts", "top.ts"], needs(false))
  expect([looks, taken, asked]).toEqual([["web", "api"], [], [[], []]])
  // Those of another folder stay where they are.
  await folders.lookAhead(["lib/x/a.ts"], needs(true))
  await folders.lookAhead(["lib/x/b.ts"], needs(true))
  expect(taken).toEqual([["lib", "lib/x"]])
  await folders.lookAhead(["web/b.ts"], needs(true))
  expect(taken.slice(1)).toEqual([["web"]])
  await folders.lookAbove(["docs/a.md", "api/b.ts"])
  expect(taken.slice(2)).toEqual([["api", "docs"]])
  await folders.lookAbove(["api/c.ts", "web/c.ts"])
  expect(taken).toHaveLength(3)
  expect(looks).toEqual(["web", "api", "lib", "lib/x", "docs"])
})
