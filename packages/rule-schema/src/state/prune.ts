import { lstat, readdir, rm } from "node:fs/promises"
import { join } from "node:path"

/** What stays in a folder with one file for each session. Times in milliseconds. */
export interface Keep {
  readonly maxAgeMs: number
  readonly maxFiles: number
  /** Of all files together. Any number where it is left out. */
  readonly maxBytes?: number
  readonly now: number
}

/** Is a name that of a session's file, or of one that was being written? Other files are never touched. */
export type KindOf = (name: string) => "session" | "temporary" | undefined

/** A file in such a folder; links and folders are not. */
export interface FoundFile {
  readonly kind: "session" | "temporary"
  readonly path: string
  /** In milliseconds since 1970. */
  readonly modified: number
  /** In bytes. */
  readonly size: number
}

/** A writer that died leaves its temporary file; after this many milliseconds nobody is writing it any more. */
const ABANDONED_MS = 60 * 60 * 1000

/** How much is left when there is no room: to look through all of them for each new session would be work without end. */
const ROOM_LEFT = 0.9

/** The folder's own files, newest first; none when it can't be read. Never rejects. */
export async function foundFiles(folder: string, kindOf: KindOf): Promise<readonly FoundFile[]> {
  const names = await readdir(folder).catch(() => [])
  const found = await Promise.all(
    names.map(async (name): Promise<readonly FoundFile[]> => {
      const kind = kindOf(name)
      if (kind === undefined) return []
      const path = join(folder, name)
      const stats = await lstat(path).catch(() => undefined)
      return stats?.isFile() ? [{ kind, path, modified: stats.mtimeMs, size: stats.size }] : []
    }),
  )
  return found.flat().toSorted((a, b) => b.modified - a.modified)
}

/**
 * Removes the sessions' files that are older than `maxAgeMs`, all but the newest that are within `maxFiles` and `maxBytes`, and abandoned
 * temporary files. What can't be removed stays. Never rejects.
 */
export async function pruneFiles(folder: string, kindOf: KindOf, keep: Keep): Promise<void> {
  const { maxAgeMs, maxFiles, maxBytes = Number.POSITIVE_INFINITY, now } = keep
  const files = await foundFiles(folder, kindOf)
  let bytes = 0
  const old = files
    .filter(({ kind }) => kind === "session")
    .filter(({ modified, size }, index) => {
      bytes += size
      return index >= maxFiles || bytes > maxBytes || now - modified > maxAgeMs
    })
  const abandoned = files.filter(({ kind, modified }) => kind === "temporary" && now - modified > ABANDONED_MS)
  await Promise.all([...old, ...abandoned].map(({ path }) => rm(path).catch(() => undefined)))
}

/**
 * Removes the oldest files when a new one, of the given name, would be one too many; many at once, so that this is seldom. Never rejects.
 */
export async function makeRoomForFile(folder: string, name: string, kindOf: KindOf, keep: Keep): Promise<void> {
  const isThere = await lstat(join(folder, name)).then(
    () => true,
    () => false,
  )
  if (isThere) return
  const names = await readdir(folder).catch(() => [])
  if (names.filter((other) => kindOf(other) === "session").length < keep.maxFiles) return
  await pruneFiles(folder, kindOf, { ...keep, maxFiles: Math.floor(keep.maxFiles * ROOM_LEFT) })
}
