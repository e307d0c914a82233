import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import type { StoredSession } from "@opencode-rulebook/server/dry-run"
import { readExportFile } from "../play/export-file.ts"
import { UsageError } from "../usage-error.ts"
import type { SessionEntry, SessionSource } from "./entry.ts"

/**
 * The sessions in files that `opencode export` wrote. Each is read once to know when it was used and what belongs together, and again
 * when it is played, so that one is in memory at a time. Of two exports of one session the newer counts.
 *
 * @param paths files and folders, absolute; of a folder, all files below it that end in .json.
 * @throws UsageError when a path is not there.
 */
export async function sessionsInFiles(paths: readonly string[]): Promise<SessionSource> {
  const files = [...new Set((await Promise.all(paths.map(filesAt))).flat())]
  const failures: UsageError[] = []
  const commands = new Map<string, string>()
  const entries = new Map<string, SessionEntry>()
  for (const path of files) {
    const session = await readExportFile(path).catch((error: UsageError) => error)
    if (session instanceof Error) failures.push(session)
    else add(path, session)
  }
  return { entries: [...entries.values()], failures, commands }

  function add(path: string, { id, updated, subagents }: StoredSession): void {
    for (const { id: child, command } of subagents) if (command !== undefined) commands.set(child, command)
    if ((entries.get(id)?.updated ?? -1) >= updated) return
    entries.set(id, { id, updated, read: (command) => readExportFile(path, command) })
  }
}

async function filesAt(path: string): Promise<readonly string[]> {
  const stats = await stat(path).catch(() => undefined)
  if (stats === undefined) throw new UsageError(`${path}: no such file or folder, and no session's id (ses_…)`)
  if (!stats.isDirectory()) return [path]
  const names = await readdir(path, { recursive: true })
  const files = names.filter((name) => /\.json$/i.test(name)).toSorted()
  if (files.length === 0) throw new UsageError(`${path}: there is no file in it that ends in .json`)
  return files.map((name) => join(path, name))
}
