import { type FSWatcher, watch } from "node:fs"
import { stat } from "node:fs/promises"
import { basename, dirname } from "node:path"
import { groupBy } from "@opencode-rulebook/rule-schema"

/** A folder and, when only one name in it is of interest, that. */
export interface WatchTarget {
  readonly folder: string
  readonly name: string | undefined
}

/** Folders that are watched for changes. */
export interface FolderWatch {
  /**
   * Watches these and no others; a folder that is not there is left out. Resolves to whether new ones are among them: what
   * changed in those before has to be looked for.
   */
  watch(targets: readonly WatchTarget[]): Promise<boolean>
  stop(): void
}

/**
 * @param onChange told of each change.
 * @param onTrouble told why changes may go unseen.
 * @param watchFolder the file system's own.
 */
export function createFolderWatch(
  onChange: () => void,
  onTrouble: (reason: string) => void,
  watchFolder: typeof watch = watch,
): FolderWatch {
  const watched = new Map<string, WatchedFolder>()
  let isStopped = false

  /** Windows reports the removal of a watched folder as a failure (EPERM, says the documentation of Node.js): it is a change. */
  async function fail(key: string, failed: WatchedFolder, error: unknown): Promise<void> {
    failed.watcher?.close()
    const isThere = (await keyOf(failed.folder)) === key
    if (isStopped) return
    if (isThere) return onTrouble(reasonOf(error))
    // The next look finds that this folder is gone, or another in its place.
    onChange()
  }

  function start(key: string, found: FoundFolder): WatchedFolder {
    const watchedFolder: WatchedFolder = { ...found, watcher: undefined }
    try {
      watchedFolder.watcher = watchFolder(found.folder, { persistent: false }, (_event, changed) => {
        const { names } = watchedFolder
        if (changed === null || names.has(undefined) || names.has(comparable(changed))) onChange()
      })
      watchedFolder.watcher.on("error", (error) => void fail(key, watchedFolder, error))
    } catch (error) {
      onTrouble(reasonOf(error))
    }
    return watchedFolder
  }

  return {
    async watch(targets) {
      const found = await foldersOf(targets)
      if (isStopped) return false
      for (const [key, { watcher }] of watched) {
        if (found.has(key)) continue
        watcher?.close()
        watched.delete(key)
      }
      let isNew = false
      for (const [key, folder] of found) {
        const known = watched.get(key)
        isNew ||= known === undefined || [...folder.names].some((name) => !known.names.has(name))
        if (known) known.names = folder.names
        else watched.set(key, start(key, folder))
      }
      return isNew
    },
    stop() {
      isStopped = true
      for (const { watcher } of watched.values()) watcher?.close()
      watched.clear()
    },
  }
}

interface FoundFolder {
  readonly folder: string
  /** The names that count; undefined among them: any. */
  readonly names: ReadonlySet<string | undefined>
}

interface WatchedFolder {
  readonly folder: string
  names: ReadonlySet<string | undefined>
  watcher: FSWatcher | undefined
}

/** The folders that are there, each once. One made anew in the place of one that was removed is another. */
async function foldersOf(targets: readonly WatchTarget[]): Promise<Map<string, FoundFolder>> {
  const byFolder = groupBy(targets, ({ folder }) => folder)
  const found = await Promise.all(
    [...byFolder].map(async ([folder, own]) => ({
      key: await keyOf(folder),
      folder,
      names: new Set(own.map(({ name }) => (name === undefined ? undefined : comparable(name)))),
    })),
  )
  return new Map(found.flatMap(({ key, ...rest }) => (key === undefined ? [] : [[key, rest] as const])))
}

/** macOS and Windows call a file by a name of another case or Unicode form. To look once too often harms nobody. */
function comparable(name: string): string {
  return name.normalize("NFC").toLowerCase()
}

/** The places at which a folder, or what is missing on the way to it, appears and goes. It need not be there. */
export async function placesOf(folder: string): Promise<WatchTarget[]> {
  return [await placeOf(folder), await placeOf(dirname(folder))]
}

async function placeOf(folder: string): Promise<WatchTarget> {
  const parent = dirname(folder)
  const isThere = parent === folder || (await keyOf(parent)) !== undefined
  return isThere ? { folder: parent, name: basename(folder) } : placeOf(parent)
}

async function keyOf(folder: string): Promise<string | undefined> {
  const stats = await stat(folder).catch(() => undefined)
  return stats?.isDirectory() ? `${folder} ${stats.dev} ${stats.ino} ${stats.birthtimeMs}` : undefined
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
