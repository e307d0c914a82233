import { randomUUID } from "node:crypto"
import { lstat, mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type MatchedRuleState, parseState, stateFileKind, stateFileName } from "./format.ts"
import { type Keep, makeRoomForFile, pruneFiles } from "./prune.ts"
import { replaceFile } from "./replace-file.ts"

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
    await rm(temporary).catch(() => undefined)
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

/** Removes the oldest states when a session that has none yet would have one too many. Times in milliseconds. Never rejects. */
export async function makeRoomForState(directory: string, sessionID: string, keep: Keep): Promise<void> {
  await makeRoomForFile(directory, stateFileName(sessionID), stateFileKind, keep)
}

/** Removes old and surplus states, and abandoned temporary files: see `pruneFiles`. Never rejects. */
export async function pruneStates(directory: string, keep: Keep): Promise<void> {
  await pruneFiles(directory, stateFileKind, keep)
}
