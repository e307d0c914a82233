import { afterEach, beforeEach, expect, test } from "bun:test"
import { mkdtemp, rename, rm, stat, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createRuleCache, loadRulebook, type RuleDirectory } from "../index.ts"
import type { FileGate } from "./file-gate.ts"

let root = ""
let directory: RuleDirectory
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "rulebook-cache-"))
  directory = { scope: "project", path: root, root, prefix: "" }
})
afterEach(() => rm(root, { recursive: true, force: true }))

const put = (name: string, text: string) => writeFile(join(root, name), text)
/** Long after the files were written. */
const later = () => Date.now() + 60_000

test("a file that has not changed is parsed once, one that has is parsed again", async () => {
  const cache = createRuleCache(later)
  await put("a.md", "One")
  await put("b.md", "Two")
  await put("bad.md", "---\nglobs: [\n---\nText")
  const first = await loadRulebook([directory], cache)
  await put("b.md", "Six")
  await put("c.md", "New")
  const second = await loadRulebook([directory], cache)
  expect(second.rules.map(({ body }) => body)).toEqual(["One", "Six", "New"])
  expect(second.rules[0]).toBe(first.rules[0] as never)
  expect(second.broken[0]).toBe(first.broken[0] as never)
  expect(second.problems).toEqual(first.problems)
  await rm(join(root, "a.md"))
  expect((await loadRulebook([directory], cache)).rules.map(({ name }) => name)).toEqual(["b", "c"])
})

test("an edit that keeps size and times, or another file in its place, is seen", async () => {
  const cache = createRuleCache(later)
  const time = new Date(1_700_000_000_000)
  await put("a.md", "One")
  await utimes(join(root, "a.md"), time, time)
  await loadRulebook([directory], cache)
  await put("other", "Two")
  await utimes(join(root, "other"), time, time)
  await rename(join(root, "other"), join(root, "a.md"))
  expect((await loadRulebook([directory], cache)).rules[0]?.body).toBe("Two")
})

test("a file that changed just before it was read is read again", async () => {
  const cache = createRuleCache()
  await put("a.md", "One")
  const first = await loadRulebook([directory], cache)
  const second = await loadRulebook([directory], cache)
  expect(second.rules).toEqual(JSON.parse(JSON.stringify(first.rules)))
  expect(second.rules[0]).not.toBe(first.rules[0] as never)
})

test("two and a half seconds after its last change a file counts as settled", async () => {
  await put("a.md", "One")
  const { ctimeMs } = await stat(join(root, "a.md"))
  for (const [age, isKept] of [
    [2500, false],
    [2501, true],
  ] as const) {
    const cache = createRuleCache(() => ctimeMs + age)
    const [first, second] = [await loadRulebook([directory], cache), await loadRulebook([directory], cache)]
    expect([age, second.rules[0] === first.rules[0]]).toEqual([age, isKept])
  }
})

test("the same file seen from another directory is another rule", async () => {
  const cache = createRuleCache(later)
  await put("a.md", "One")
  await loadRulebook([directory], cache)
  const other = await loadRulebook([{ ...directory, scope: "global", root: "/elsewhere" }], cache)
  expect(other.rules.map(({ id, root: base }) => [id as string, base])).toEqual([["global:a.md", "/elsewhere"]])
})

/** Rule files can be looked at once, and not read. What a file's mode forbids does not hold for root. */
function createUnreadable(): FileGate {
  const looked = new Set<string>()
  return {
    async pass(path, _isForeign, work) {
      if (looked.has(path)) throw new Error("EACCES: permission denied")
      if (path.endsWith(".md")) looked.add(path)
      return work()
    },
  }
}

test("a file that could not be read is tried again", async () => {
  const cache = createRuleCache(later)
  await put("a.md", "One")
  const { broken } = await loadRulebook([directory], cache, createUnreadable())
  expect(broken.map(({ problems }) => problems.map(({ code }) => code))).toEqual([["unreadable"]])
  expect((await loadRulebook([directory], cache)).rules.map(({ body }) => body)).toEqual(["One"])
})
