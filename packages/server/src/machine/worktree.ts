import { stat } from "node:fs/promises"
import { dirname, join } from "node:path"

/**
 * The root of the git working tree around a folder, or undefined outside one.
 *
 * @param directory where to begin, absolute.
 */
export async function gitWorktree(directory: string): Promise<string | undefined> {
  for (let folder = directory; ; folder = dirname(folder)) {
    if (await exists(join(folder, ".git"))) return folder
    if (dirname(folder) === folder) return undefined
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch {
    return false
  }
}
