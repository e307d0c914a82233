import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises"
import { dirname, join, relative } from "node:path"

/**
 * Makes a folder's files anew while others may read them: each is replaced at once and is never missing or half written. What was there
 * and is not made any more is removed. When `make` rejects, all stays as it was.
 *
 * @param make fills a folder that is empty.
 */
export async function replaceFolder(folder: string, make: (fresh: string) => Promise<void>): Promise<void> {
  await mkdir(dirname(folder), { recursive: true })
  const fresh = await mkdtemp(`${folder}.new-`)
  try {
    await make(fresh)
    const files = await filesIn(fresh)
    for (const file of files) {
      await mkdir(dirname(join(folder, file)), { recursive: true })
      await rename(join(fresh, file), join(folder, file))
    }
    const others = (await filesIn(folder)).filter((file) => !files.includes(file))
    for (const file of others) await rm(join(folder, file), { force: true })
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

/** Paths of the files below a folder, relative to it, in order. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => !entry.isDirectory())
  return files.map((entry) => relative(folder, join(entry.parentPath, entry.name))).toSorted()
}
