import { isAbsolute, join, resolve } from "node:path"
import { fileGate, readRegularFile } from "@opencode-rulebook/rule-schema"

const HEAD_REF = /^ref:\s*refs\/heads\/(.+?)\s*$/
/** Larger files are neither a HEAD nor a link to one. */
const MOST_BYTES = 64 * 1024

/**
 * The git branch that a working tree is on, read from its HEAD file without a process. A repository that keeps its references in another
 * format has a HEAD that names no branch: `refs/heads/.invalid` (measured on git's reftable format). Its branch is not known.
 *
 * @param worktree the root of the working tree, absolute. Its `.git` is a folder, or a file that names one
 *   (linked worktrees, submodules).
 * @returns the branch, or undefined outside git, on a detached HEAD, or when HEAD can't be read.
 */
export async function gitBranch(worktree: string): Promise<string | undefined> {
  const dotGit = join(worktree, ".git")
  const head = (await read(join(dotGit, "HEAD"), false)) ?? (await headOfLinkedTree(worktree, dotGit))
  const branch = head?.match(HEAD_REF)?.[1]
  return branch !== undefined && isBranchName(branch) ? branch : undefined
}

/** What git takes as a branch's name, as far as it matters here: no part of one begins with a dot. */
function isBranchName(name: string): boolean {
  return name.split("/").every((part) => part !== "" && !part.startsWith("."))
}

async function headOfLinkedTree(worktree: string, dotGit: string): Promise<string | undefined> {
  const link = (await read(dotGit, false))?.match(/^gitdir:\s*(.+?)\s*$/)?.[1]
  if (link === undefined) return undefined
  return read(join(isAbsolute(link) ? link : resolve(worktree, link), "HEAD"), true)
}

/** @param isForeign whether it may be on any file system. */
async function read(path: string, isForeign: boolean): Promise<string | undefined> {
  try {
    const file = await fileGate.pass(path, isForeign, () => readRegularFile(path, MOST_BYTES))
    return file.kind === "bytes" ? new TextDecoder().decode(file.bytes) : undefined
  } catch {
    return undefined
  }
}
