import { readdir, realpath } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { RuleDirectory } from "../identity.ts"
import type { RuleProblem } from "../problems.ts"
import { fileProblem } from "../problems.ts"
import { toolFolderOf } from "../sources/origin.ts"
import { type FileGate, fileGate } from "./file-gate.ts"
import { inParallel } from "./in-parallel.ts"
import {
  type DirectoryEntry,
  type FileDate,
  type Inspection,
  inspect,
  realPathOf,
  reasonOf,
  whyNoRule,
} from "./inspect.ts"
import { isWithin } from "./within.ts"

/** A rule file that was found, with its size in bytes. */
export interface FoundFile {
  readonly directory: RuleDirectory
  readonly path: string
  readonly size: number
  /** Whether a symbolic link led to it, so that it may be on any file system. */
  readonly isForeign: boolean
}

export interface DatedFile extends FoundFile, FileDate {}

export interface Discovery {
  readonly files: readonly DatedFile[]
  readonly problems: readonly RuleProblem[]
  /** Real paths of the folders in which a change can change what is found. */
  readonly folders: readonly string[]
}

/** One operation each, where the reading of a file is four. */
const CONCURRENT_LOOKS = 64
const RULE_FILE = /\.mdc?$/i

/**
 * Finds rule files, in the order of the directories and, within, of their sorted names. Hidden files and folders are skipped;
 * a folder or file that is reached twice (symbolic links, loops, nested directories) counts once, the first time. What can't be
 * read, or does not answer in time, is a problem and stops nothing else; so is a link that leads out of the folder that its directory
 * keeps to. A directory that is not there holds nothing. Never rejects.
 */
export async function discoverRules(
  directories: readonly RuleDirectory[],
  gate: FileGate = fileGate,
): Promise<Discovery> {
  const files: DatedFile[] = []
  const problems: RuleProblem[] = []
  const seen = new Set<string>()
  const folders = new Set<string>()
  for (const directory of directories) await visitRoot(directory)
  return { files, problems, folders: [...folders] }

  async function visitRoot(directory: RuleDirectory): Promise<void> {
    const found = await inspect(gate, directory.path, false)
    if (found.kind === "missing") return
    const visit = { directory, within: await realWithin(gate, directory), isForeign: false }
    if (found.kind === "folder") {
      if (isInside(found.real, visit.within)) return visitFolder(visit, directory.path, found.real)
      problems.push(outsideProblem(directory.path, found.real))
      return
    }
    if (toolFolderOf(directory.origin)?.canBeFile) return visitEntry(visit, directory.path, found)
    const reason = found.kind === "failed" ? `can't be read: ${found.reason}` : "is not a folder"
    problems.push(
      fileProblem(directory.path, "error", "bad-directory", reason, "Put rule files in a folder of this name"),
    )
  }

  async function visitFolder(visit: Visit, path: string, real: string): Promise<void> {
    if (seen.has(real)) return
    seen.add(real)
    folders.add(real)
    const entries = await listFolder(visit, path)
    const skips = toolFolderOf(visit.directory.origin)?.skips
    const shown = entries
      .filter(({ name }) => !name.startsWith(".") && !skips?.includes(name))
      .toSorted((a, b) => byCodeUnits(a.name, b.name))
    const found = await inParallel(shown, CONCURRENT_LOOKS, async (entry) => {
      const known = realPathOf(entry, real)
      const isForeign = visit.isForeign || known === undefined
      const at = join(path, entry.name)
      return { at, visit: { ...visit, isForeign }, entry: await inspect(gate, at, isForeign, known) }
    })
    for (const one of found) await visitEntry(one.visit, one.at, one.entry)
  }

  async function listFolder({ isForeign }: Visit, path: string): Promise<readonly DirectoryEntry[]> {
    try {
      return await gate.pass(path, isForeign, () => readdir(path, { withFileTypes: true }))
    } catch (error) {
      const reason = `the folder can't be read: ${reasonOf(error)}`
      problems.push(fileProblem(path, "error", "unreadable", reason, "Check its permissions"))
      return []
    }
  }

  async function visitEntry(visit: Visit, path: string, entry: Inspection): Promise<void> {
    const isRuleName = path === visit.directory.path || ruleName(visit.directory).test(path)
    if (entry.kind === "folder" || entry.kind === "file") {
      if ((entry.kind === "file" && !isRuleName) || seen.has(entry.real)) return
      if (!isInside(entry.real, visit.within)) {
        problems.push(outsideProblem(path, entry.real))
        return
      }
      if (entry.kind === "folder") return visitFolder(visit, path, entry.real)
      seen.add(entry.real)
      folders.add(dirname(entry.real))
      const { size, stamp, changed } = entry
      files.push({ directory: visit.directory, path, isForeign: visit.isForeign, size, stamp, changed })
      return
    }
    // A name with another ending is no rule and none of our business, whatever it is.
    if (!isRuleName && /\.[^./\\]+$/.test(path)) return
    if (entry.kind === "other" && !isRuleName) return
    const reason = whyNoRule(entry)
    problems.push(fileProblem(path, "error", "unreadable", reason, "Repair or remove it"))
  }
}

/** The names of the files that are rules there. A tool's pattern is one of the path's end. */
function ruleName({ origin }: RuleDirectory): RegExp {
  return toolFolderOf(origin)?.files ?? RULE_FILE
}

/** A walk through one directory. */
interface Visit {
  readonly directory: RuleDirectory
  /** The real path of the folder that links must not lead out of. */
  readonly within: string | undefined
  /** Whether a link has led here. */
  readonly isForeign: boolean
}

async function realWithin(gate: FileGate, { within }: RuleDirectory): Promise<string | undefined> {
  if (within === undefined) return undefined
  return gate.pass(within, false, () => realpath(within)).catch(() => within)
}

function isInside(path: string, folder: string | undefined): boolean {
  return folder === undefined || isWithin(path, folder)
}

function outsideProblem(path: string, real: string): RuleProblem {
  const reason = `leads out of the project, to ${real}, so it is not read`
  const remedy =
    "Put the file into the project, or set the plugin's option \"projectLinks\": true in opencode.json to trust this project's links"
  return fileProblem(path, "warning", "outside-link", reason, remedy)
}

/** The same order on every machine, whatever its locale. */
export function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
