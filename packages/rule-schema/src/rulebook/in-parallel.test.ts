import { expect, test } from "bun:test"
import { inParallel } from "./in-parallel.ts"

test("so many at a time and no more, in the order of the items whichever ends first", async () => {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const all = inParallel(["a", "b", "c", "d"], 2, async (item) => {
    begun.push(item)
    await new Promise<void>((resolve) => ends.set(item, resolve))
    return item.toUpperCase()
  })
  expect(begun).toEqual(["a", "b"])
  // The second ends first: its place is free for the next, and the one after that has to wait.
  for (const [ended, next] of [
    ["b", "c"],
    ["c", "d"],
  ] as const) {
    ends.get(ended)?.()
    await new Promise(setImmediate)
    expect(begun.at(-1)).toBe(next)
  }
  ends.get("d")?.()
  ends.get("a")?.()
  expect(await all).toEqual(["A", "B", "C", "D"])
  expect(await inParallel([], 2, async () => 1)).toEqual([])
  await expect(inParallel(["a"], 2, () => Promise.reject(new Error("no")))).rejects.toThrow("no")
})
