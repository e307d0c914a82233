import { readdir, realpath, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileProblem } from "../problems.ts"
import type { RuleDirectory, RuleProblem } from "../types.ts"

/** A rule file that was found, with its size in bytes. */
export interface FoundFile {
  readonly directory: RuleDirectory
  readonly path: string
  readonly size: number
}

export interface Discovery {
  readonly files: readonly FoundFile[]
  readonly problems: readonly RuleProblem[]
  /** Real paths of the folders in which a change can change what is found. */
  readonly folders: readonly string[]
}

const RULE_FILE = /\.mdc?$/i

/**
 * Finds rule files, in the order of the directories and, within, of their sorted names. Hidden files and folders are skipped;
 * a folder or file that is reached twice (symbolic links, loops, nested directories) counts once, the first time. What can't be
 * read is a problem and stops nothing else. A directory that is not there holds nothing. Never rejects.
 */
export async function discoverRules(directories: readonly RuleDirectory[]): Promise<Discovery> {
  const files: FoundFile[] = []
  const problems: RuleProblem[] = []
  const seen = new Set<string>()
  const folders = new Set<string>()
  for (const directory of directories) await visitRoot(directory)
  return { files, problems, folders: [...folders] }

  async function visitRoot(directory: RuleDirectory): Promise<void> {
    const kind = await inspect(directory.path)
    if (kind.kind === "missing") return
    if (kind.kind === "folder") return visitFolder(directory, directory.path, kind.real)
    const reason = kind.kind === "failed" ? `can't be read: ${kind.reason}` : "is no folder"
    problems.push(
      fileProblem(directory.path, "error", "bad-directory", reason, "Put rule files in a folder of this name"),
    )
  }

  async function visitFolder(directory: RuleDirectory, path: string, real: string): Promise<void> {
    if (seen.has(real)) return
    seen.add(real)
    folders.add(real)
    const names = await readdir(path).catch((error: unknown) => {
      problems.push(
        fileProblem(
          path,
          "error",
          "unreadable",
          `the folder can't be read: ${reasonOf(error)}`,
          "Check its permissions",
        ),
      )
      return []
    })
    for (const name of names.toSorted(byCodeUnits)) {
      if (!name.startsWith(".")) await visitEntry(directory, join(path, name), RULE_FILE.test(name))
    }
  }

  async function visitEntry(directory: RuleDirectory, path: string, isRuleName: boolean): Promise<void> {
    const entry = await inspect(path)
    if (entry.kind === "folder") return visitFolder(directory, path, entry.real)
    if (entry.kind === "file") {
      if (!isRuleName || seen.has(entry.real)) return
      seen.add(entry.real)
      folders.add(dirname(entry.real))
      files.push({ directory, path, size: entry.size })
      return
    }
    // A name with another ending is no rule and none of our business, whatever it is.
    if (!isRuleName && /\.[^./\\]+$/.test(path)) return
    if (entry.kind === "other" && !isRuleName) return
    const reason = whyNoRule(entry)
    problems.push(fileProblem(path, "error", "unreadable", reason, "Repair or remove it"))
  }
}

type Inspection =
  | { readonly kind: "file"; readonly real: string; readonly size: number }
  | { readonly kind: "folder"; readonly real: string }
  | { readonly kind: "other" | "missing" }
  | { readonly kind: "failed"; readonly reason: string }

function whyNoRule(entry: Exclude<Inspection, { readonly kind: "file" | "folder" }>): string {
  if (entry.kind === "failed") return `can't be read: ${entry.reason}`
  return entry.kind === "other" ? "is no regular file" : "links to nothing"
}

/** Looks without opening: a pipe or a device would make its reader wait. */
async function inspect(path: string): Promise<Inspection> {
  try {
    const stats = await stat(path)
    if (!stats.isFile() && !stats.isDirectory()) return { kind: "other" }
    const real = await realpath(path)
    return stats.isFile() ? { kind: "file", real, size: stats.size } : { kind: "folder", real }
  } catch (error) {
    return isMissing(error) ? { kind: "missing" } : { kind: "failed", reason: reasonOf(error) }
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")
}

/** What a failed file operation says. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The same order on every machine, whatever its locale. */
export function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
