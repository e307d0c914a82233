import { afterEach, beforeEach, expect, test } from "bun:test"
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { replaceFolder } from "./replace-folder.ts"

let root = ""
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "rulebook-replace-"))
})
afterEach(() => rm(root, { recursive: true }))

const makes = (files: Readonly<Record<string, string>>) => async (folder: string) => {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
}

/** All that is below the root, by name. */
async function found(): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const texts = await Promise.all(files.toSorted().map((file) => readFile(file, "utf8")))
  return Object.fromEntries(files.toSorted().map((file, index) => [file.slice(root.length + 1), texts[index] ?? ""]))
}

test("a folder has what is made, and nothing of before; what stands beside it stays", async () => {
  await makes({ "dist/a.js": "old", "dist/deep/gone.js": "old", "other.js": "other" })(root)
  await replaceFolder(join(root, "dist"), makes({ "a.js": "new", "deep/b.js": "new" }))
  expect(await found()).toEqual({ "dist/a.js": "new", "dist/deep/b.js": "new", "other.js": "other" })
})

test("one that was not there is made", async () => {
  await replaceFolder(join(root, "packages/dist"), makes({ "a.js": "new" }))
  expect(await found()).toEqual({ "packages/dist/a.js": "new" })
})

test("when the making fails, all stays as it was", async () => {
  await makes({ "dist/a.js": "old" })(root)
  const fails = async (folder: string) => {
    await makes({ "a.js": "half" })(folder)
    throw new Error("no luck")
  }
  expect(replaceFolder(join(root, "dist"), fails)).rejects.toThrow("no luck")
  expect(await found()).toEqual({ "dist/a.js": "old" })
})

test("a reader never misses a file, whatever is made meanwhile", async () => {
  const dist = join(root, "dist")
  await replaceFolder(dist, makes({ "a.js": "0".repeat(10_000) }))
  let isDone = false
  const building = (async () => {
    for (let round = 1; round < 20; round += 1) {
      await Promise.all([1, 2].map(() => replaceFolder(dist, makes({ "a.js": String(round % 10).repeat(10_000) }))))
    }
    isDone = true
  })()
  while (!isDone) expect(await readFile(join(dist, "a.js"), "utf8")).toHaveLength(10_000)
  await building
})
