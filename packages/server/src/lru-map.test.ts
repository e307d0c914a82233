import { expect, test } from "bun:test"
import { createLruMap } from "./lru-map.ts"

test("the least recently used entry makes room, and whoever cares is told", () => {
  const dropped: string[] = []
  let made = 0
  const map = createLruMap({ most: 2, create: (key) => `${key}${++made}`, onDrop: (key) => dropped.push(key) })
  expect([map.open("a"), map.open("b"), map.open("a")]).toEqual(["a1", "b2", "a1"])
  expect(map.open("c")).toBe("c3")
  expect(dropped).toEqual(["b"])
  expect([map.peek("a"), map.peek("b"), map.peek("c")]).toEqual(["a1", undefined, "c3"])
  // A look is no use.
  map.peek("a")
  map.open("d")
  expect(dropped).toEqual(["b", "a"])
  map.drop("d")
  map.drop("d")
  expect(dropped).toEqual(["b", "a", "d"])
  expect(map.open("d")).toBe("d5")
})
