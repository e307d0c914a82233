import { expect, test } from "bun:test"
import { createDid } from "./did.ts"

test("each request has the calls since the one before, in their order", () => {
  const did = createDid()
  did.add({ tool: "read", paths: ["a.rs", "b.rs", "a.rs"], isStopped: false })
  did.add({ tool: "write", paths: [], isStopped: true })
  expect(did.take()).toEqual([
    { tool: "read", paths: ["a.rs", "b.rs"] },
    { tool: "write", paths: [], stopped: true },
  ])
  expect(did.take()).toEqual([])
  did.add({ tool: "x".repeat(5_000), paths: [], isStopped: false })
  expect(did.take()).toEqual([{ tool: "x".repeat(100), paths: [] }])
})

test("at most 100 calls of a request are noted, and 20 files of a call", () => {
  const did = createDid()
  const paths = Array.from({ length: 21 }, (_, at) => `${at}.rs`)
  for (let at = 0; at < 101; at += 1) did.add({ tool: String(at), paths: ["0.rs", ...paths], isStopped: false })
  const taken = did.take()
  expect(taken.map(({ tool }) => tool)).toEqual(Array.from({ length: 100 }, (_, at) => String(at)))
  expect(taken[0]?.paths).toEqual(paths.slice(0, 20))
  did.add({ tool: "next", paths: [], isStopped: false })
  expect(did.take()).toHaveLength(1)
})
