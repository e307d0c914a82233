import { readdir, realpath, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { RuleDirectory } from "../identity.ts"
import type { RuleProblem } from "../problems.ts"
import { fileProblem } from "../problems.ts"

/** A rule file that was found, with its size in bytes. */
export interface FoundFile {
  readonly directory: RuleDirectory
  readonly path: string
  readonly size: number
}

/** What tells one state of a file from another. `changed` is in milliseconds since 1970. */
export interface DatedFile extends FoundFile {
  readonly stamp: string
  readonly changed: number
}

export interface Discovery {
  readonly files: readonly DatedFile[]
  readonly problems: readonly RuleProblem[]
  /** Real paths of the folders in which a change can change what is found. */
  readonly folders: readonly string[]
}

const CONCURRENT_LOOKS = 16
const RULE_FILE = /\.mdc?$/i

/**
 * Finds rule files, in the order of the directories and, within, of their sorted names. Hidden files and folders are skipped;
 * a folder or file that is reached twice (symbolic links, loops, nested directories) counts once, the first time. What can't be
 * read is a problem and stops nothing else. A directory that is not there holds nothing. Never rejects.
 */
export async function discoverRules(directories: readonly RuleDirectory[]): Promise<Discovery> {
  const files: DatedFile[] = []
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
    const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
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
    const shown = entries.filter(({ name }) => !name.startsWith(".")).toSorted((a, b) => byCodeUnits(a.name, b.name))
    for (let from = 0; from < shown.length; from += CONCURRENT_LOOKS) {
      const some = shown.slice(from, from + CONCURRENT_LOOKS)
      const found = await Promise.all(some.map((entry) => inspect(join(path, entry.name), realPathOf(entry, real))))
      for (const [index, { name }] of some.entries()) {
        const inspection = found[index]
        if (inspection) await visitEntry(directory, join(path, name), RULE_FILE.test(name), inspection)
      }
    }
  }

  async function visitEntry(
    directory: RuleDirectory,
    path: string,
    isRuleName: boolean,
    entry: Inspection,
  ): Promise<void> {
    if (entry.kind === "folder") return visitFolder(directory, path, entry.real)
    if (entry.kind === "file") {
      if (!isRuleName || seen.has(entry.real)) return
      seen.add(entry.real)
      folders.add(dirname(entry.real))
      files.push({ directory, path, size: entry.size, stamp: entry.stamp, changed: entry.changed })
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
  | ({ readonly kind: "file"; readonly real: string } & Pick<DatedFile, "size" | "stamp" | "changed">)
  | { readonly kind: "folder"; readonly real: string }
  | { readonly kind: "other" | "missing" }
  | { readonly kind: "failed"; readonly reason: string }

function whyNoRule(entry: Exclude<Inspection, { readonly kind: "file" | "folder" }>): string {
  if (entry.kind === "failed") return `can't be read: ${entry.reason}`
  return entry.kind === "other" ? "is no regular file" : "links to nothing"
}

interface DirectoryEntry {
  readonly name: string
  isFile(): boolean
  isDirectory(): boolean
}

/** What is no symbolic link has its place under the folder's real path: to ask the file system costs as much as reading. */
function realPathOf(entry: DirectoryEntry, folder: string): string | undefined {
  return entry.isFile() || entry.isDirectory() ? join(folder, entry.name) : undefined
}

/** Looks without opening: a pipe or a device would make its reader wait. */
async function inspect(path: string, knownReal?: string): Promise<Inspection> {
  try {
    const stats = await stat(path)
    if (!stats.isFile() && !stats.isDirectory()) return { kind: "other" }
    const real = knownReal ?? (await realpath(path))
    if (!stats.isFile()) return { kind: "folder", real }
    const { ino, size, mtimeMs, ctimeMs } = stats
    return { kind: "file", real, size, stamp: `${ino}:${size}:${mtimeMs}:${ctimeMs}`, changed: ctimeMs }
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
