import { readFile } from "node:fs/promises"
import { isAbsolute, join, resolve } from "node:path"

const HEAD_REF = /^ref:\s*refs\/heads\/(.+?)\s*$/

/**
 * The git branch that a working tree is on, read from its HEAD file without a process.
 *
 * @param worktree the root of the working tree, absolute. Its `.git` is a folder, or a file that names one
 *   (linked worktrees, submodules).
 * @returns the branch, or undefined outside git, on a detached HEAD, or when HEAD can't be read.
 */
export async function gitBranch(worktree: string): Promise<string | undefined> {
  const dotGit = join(worktree, ".git")
  const head = (await read(join(dotGit, "HEAD"))) ?? (await headOfLinkedTree(worktree, dotGit))
  return head?.match(HEAD_REF)?.[1]
}

async function headOfLinkedTree(worktree: string, dotGit: string): Promise<string | undefined> {
  const link = (await read(dotGit))?.match(/^gitdir:\s*(.+?)\s*$/m)?.[1]
  if (link === undefined) return undefined
  return read(join(isAbsolute(link) ? link : resolve(worktree, link), "HEAD"))
}

async function read(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8")
  } catch {
    return undefined
  }
}
