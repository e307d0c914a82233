import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { pathForm } from "@opencode-rulebook/rule-schema/authoring"
import { ANY_FILE, type ProjectPath } from "../lints/lint.ts"

const execute = promisify(execFile)
/** Bytes of git's answer: room for about a million paths. */
const MAX_OUTPUT = 128 * 1024 * 1024

/**
 * Spells paths from the roots that rules have, each root once.
 *
 * @param directory what relative paths would start from, absolute.
 */
export function spelledFrom(directory: string, paths: readonly string[]): (root: string) => readonly ProjectPath[] {
  const known = new Map<string, readonly ProjectPath[]>()
  return (root) => {
    const found = known.get(root)
    if (found) return found
    const spelled = paths.map((path) => {
      const isFolder = path.endsWith("/")
      return { isFolder, form: pathForm(isFolder ? path + ANY_FILE : path, { root, directory }) }
    })
    known.set(root, spelled)
    return spelled
  }
}

/**
 * The files of a git working tree, absolute: tracked ones, new ones that are not added yet, and ignored ones (an ignored
 * folder as one path that ends with `/`).
 *
 * @param worktree its root, absolute.
 * @returns undefined without git, and for a tree that has no file yet.
 */
export async function projectFiles(worktree: string | undefined): Promise<readonly string[] | undefined> {
  if (worktree === undefined) return undefined
  const lists = await Promise.all([
    gitPaths(worktree, "--cached", "--recurse-submodules"),
    gitPaths(worktree, "--others", "--exclude-standard"),
    gitPaths(worktree, "--others", "--ignored", "--exclude-standard", "--directory"),
  ])
  const paths = lists.flatMap((list) => list ?? [])
  if (lists.includes(undefined) || paths.length === 0) return undefined
  return paths.map((path) => join(worktree, path))
}

async function gitPaths(worktree: string, ...options: readonly string[]): Promise<readonly string[] | undefined> {
  try {
    const { stdout } = await execute("git", ["-C", worktree, "ls-files", "-z", ...options], { maxBuffer: MAX_OUTPUT })
    return stdout.split("\0").filter((path) => path !== "")
  } catch {
    return undefined
  }
}
