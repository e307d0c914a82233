import { randomUUID } from "node:crypto"
import { lstat, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { isStateFile, type MatchedRuleState, parseState, stateFileName } from "./format.ts"
import { replaceFile } from "./replace-file.ts"

/** A writer that died leaves its temporary file; after this many milliseconds nobody is writing it any more. */
const ABANDONED_MS = 60 * 60 * 1000

/**
 * Writes a session's state so that a reader sees the old one or the new one, never a part. Folder 0700, file 0600; Windows
 * has no such modes, and the user's own folder keeps others out. Rejects when the file system refuses; nothing is left behind then.
 */
export async function writeState(directory: string, state: MatchedRuleState): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const name = stateFileName(state.sessionID)
  const temporary = join(directory, `.${name}.${randomUUID()}.tmp`)
  try {
    await writeFile(temporary, `${JSON.stringify(state)}\n`, { mode: 0o600, flag: "wx" })
    await replaceFile(temporary, join(directory, name))
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw error
  }
}

/** A session's state; undefined when it is missing, half-written, of another session or of another version. Never rejects. */
export async function readState(directory: string, sessionID: string): Promise<MatchedRuleState | undefined> {
  try {
    const path = join(directory, stateFileName(sessionID))
    if (!(await lstat(path)).isFile()) return undefined
    const state = parseState(await readFile(path, "utf8"))
    return state?.sessionID === sessionID ? state : undefined
  } catch {
    return undefined
  }
}

/** Removes a session's state, if there is one. Rejects when the file system refuses. */
export async function removeState(directory: string, sessionID: string): Promise<void> {
  await rm(join(directory, stateFileName(sessionID)), { force: true })
}

/** How much is left when there is no room: to look through all of them for each new session would be work without end. */
const ROOM_LEFT = 0.9

/**
 * Removes the oldest states when a session that has none yet would have one too many; many at once, so that this is seldom. Times in
 * milliseconds. Never rejects.
 */
export async function makeRoomForState(
  directory: string,
  sessionID: string,
  keep: { maxAgeMs: number; maxFiles: number; now: number },
): Promise<void> {
  const isThere = await lstat(join(directory, stateFileName(sessionID))).then(
    () => true,
    () => false,
  )
  if (isThere) return
  const names = await readdir(directory).catch(() => [])
  if (names.filter((name) => isStateFile(name) === "state").length < keep.maxFiles) return
  await pruneStates(directory, { ...keep, maxFiles: Math.floor(keep.maxFiles * ROOM_LEFT) })
}

/**
 * Removes states older than `maxAgeMs`, all but the newest `maxFiles`, and abandoned temporary files. Times in milliseconds.
 * Other files are not touched; what can't be removed stays. Never rejects.
 */
export async function pruneStates(
  directory: string,
  keep: { maxAgeMs: number; maxFiles: number; now: number },
): Promise<void> {
  const names = await readdir(directory).catch(() => [])
  const found = await Promise.all(names.map((name) => stateFile(directory, name)))
  const files = found.flatMap((file) => file ?? [])
  const states = files.filter((file) => file.kind === "state").toSorted((a, b) => b.modified - a.modified)
  const old = states.filter((file, index) => index >= keep.maxFiles || keep.now - file.modified > keep.maxAgeMs)
  const abandoned = files.filter((file) => file.kind === "temporary" && keep.now - file.modified > ABANDONED_MS)
  await Promise.all([...old, ...abandoned].map((file) => rm(file.path, { force: true }).catch(() => undefined)))
}

interface StateFile {
  readonly kind: "state" | "temporary"
  readonly path: string
  readonly modified: number
}

async function stateFile(directory: string, name: string): Promise<StateFile | undefined> {
  const kind = isStateFile(name)
  if (kind === undefined) return undefined
  const path = join(directory, name)
  const stats = await lstat(path).catch(() => undefined)
  return stats?.isFile() ? { kind, path, modified: stats.mtimeMs } : undefined
}
