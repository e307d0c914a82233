import { existsSync } from "node:fs"
import { createPaint, type Io } from "../../io.ts"
import { openProject } from "../../project.ts"
import type { SessionHistory } from "../../receipts/history.ts"
import { notYet } from "../../receipts/not-yet.ts"
import { byId, rulesOnDisk } from "../../receipts/on-disk.ts"
import { findSession } from "../../receipts/sessions.ts"
import { sessionJson } from "./json.ts"
import { formatSession } from "./text.ts"

/**
 * `explain --session`: what the plugin did in a session, from its receipts. The session may be running.
 *
 * @param id what the session's id begins with; undefined: the project's newest session.
 * @returns the exit code: 0.
 * @throws UsageError when there is no such session.
 */
export async function explainSession(
  id: string | undefined,
  { json }: { readonly json: boolean },
  io: Io,
): Promise<number> {
  const { directory, worktree } = await openProject(io.cwd, io)
  const { history, skipped } = await findSession(id, worktree ?? directory, io)
  // A session's rules are those of the folder that it was started in.
  const folder = existsSync(history.directory) ? history.directory : directory
  const rules = await rulesOnDisk(await openProject(folder, io), touchedPaths(history))
  const missing = notYet(history, byId(rules))
  if (json) io.write(`${JSON.stringify(sessionJson(history, missing, skipped), undefined, 2)}\n`)
  else io.write(formatSession({ history, missing, skipped }, io.columns, createPaint(io.hasColors)))
  return 0
}

function touchedPaths({ steps }: SessionHistory): Iterable<string> {
  return new Set(steps.flatMap(({ did }) => did.flatMap(({ paths }) => paths)))
}
