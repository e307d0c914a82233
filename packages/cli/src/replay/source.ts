import { stat } from "node:fs/promises"
import { resolve } from "node:path"
import { isWithin } from "@opencode-rulebook/rule-schema"
import type { Io } from "../io.ts"
import type { Project } from "../project.ts"
import { UsageError } from "../usage-error.ts"
import { isSessionID, type SessionEntry, type SessionSource } from "./entry.ts"
import { sessionsInFiles } from "./files.ts"
import type { Wanted } from "./flags.ts"
import { findOpenCode } from "./opencode.ts"
import { openServer } from "./server.ts"

/**
 * Where the sessions are that are asked for.
 *
 * @param given session ids, or files and folders; none stands for all sessions of the project that OpenCode has.
 * @param server the address of a running server to ask; without it the command `opencode` is.
 * @throws UsageError for what is not there.
 */
export async function findSource(
  given: readonly string[],
  server: string | undefined,
  { directory, worktree }: Project,
  io: Io,
): Promise<SessionSource> {
  const paths = await without(given, async (one) => isSessionID(one) && !(await exists(resolve(io.cwd, one))))
  if (paths.length === given.length && paths.length > 0)
    return await sessionsInFiles(paths.map((path) => resolve(io.cwd, path)))
  if (paths.length > 0) throw new UsageError("name either session ids or files, not both")
  const host = server === undefined ? await findOpenCode(directory, io) : openServer(server, directory, io)
  const all = given.length > 0 ? given.map((id) => ({ ...host.session(id), directory })) : await host.list()
  return {
    // Of folders without git, OpenCode lists all as one project.
    entries: all.filter((one) => isWithin(one.directory, worktree ?? directory, io.platform)),
    failures: [],
    commands: new Map(),
    subagent: host.session,
  }
}

/** The sessions that are wanted, the newest first. One whose time is not known is. */
export function newest(entries: readonly SessionEntry[], { since, limit }: Wanted): readonly SessionEntry[] {
  const timeOf = ({ updated = Number.POSITIVE_INFINITY }: SessionEntry) => updated
  return entries
    .filter((entry) => timeOf(entry) >= since)
    .toSorted((one, other) => (timeOf(one) === timeOf(other) ? 0 : timeOf(other) - timeOf(one)))
    .slice(0, limit)
}

async function without<T>(values: readonly T[], isUnwanted: (value: T) => Promise<boolean>): Promise<readonly T[]> {
  const unwanted = await Promise.all(values.map(isUnwanted))
  return values.filter((_, index) => !unwanted[index])
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined
}
