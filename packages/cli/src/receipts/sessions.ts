import { isWithin, listReceipts, stateDirectory } from "@opencode-rulebook/rule-schema"
import { quoted, visible } from "@opencode-rulebook/rule-schema/authoring"
import type { Io } from "../io.ts"
import { UsageError } from "../usage-error.ts"
import { createHistoryBuilder } from "./fold.ts"
import type { SessionHistory } from "./history.ts"

/** A session that was read. */
export interface FoundSession {
  readonly history: SessionHistory
  /** Lines of its file that are not receipts of this version. */
  readonly skipped: number
}

/** How many sessions a message names. */
const NAMED = 5

/** Where the plugin keeps its state files and receipts. */
export function stateFolder({ env, home, platform }: Io): string {
  return stateDirectory({ ...env }, home, platform)
}

/** A file of receipts. */
export interface ReceiptsFile {
  /** Undefined: no line names the session, so that it is nobody's. */
  readonly history: SessionHistory | undefined
  /** Lines that are not receipts of this version. */
  readonly skipped: number
  /** When it was written last, in milliseconds since 1970. */
  readonly modified: number
}

/** The files of all sessions of this machine, the newest first, one after another. Never rejects. */
export async function* receiptsFiles(io: Io): AsyncGenerator<ReceiptsFile, void, undefined> {
  for await (const { receipts, skipped, modified } of listReceipts(stateFolder(io))) {
    const builder = createHistoryBuilder()
    for (const receipt of receipts) builder.add(receipt)
    yield { history: builder.end(), skipped, modified }
  }
}

async function* allSessions(io: Io): AsyncGenerator<FoundSession, void, undefined> {
  for await (const { history, skipped } of receiptsFiles(io)) if (history) yield { history, skipped }
}

/**
 * One session: the newest of a project, or the one whose id begins so, of any project.
 *
 * @param root the project's root, absolute.
 * @throws UsageError when there is none, or more than one.
 */
export async function findSession(id: string | undefined, root: string, io: Io): Promise<FoundSession> {
  return id === undefined ? await newestOf(root, io) : await sessionNamed(id, io)
}

async function newestOf(root: string, io: Io): Promise<FoundSession> {
  for await (const session of allSessions(io)) {
    if (isWithin(session.history.directory, root, io.platform)) return session
  }
  throw new UsageError(noReceipts(root, io))
}

async function sessionNamed(id: string, io: Io): Promise<FoundSession> {
  const matches: FoundSession[] = []
  const alike: string[] = []
  const others: string[] = []
  for await (const session of allSessions(io)) {
    const name = session.history.id
    if (name === id) return session
    if (name.startsWith(id)) matches.push(session)
    else (name.includes(id) ? alike : others).push(name)
  }
  const [only, another] = matches
  if (only && !another) return only
  const names = matches.length > 0 ? matches.map(({ history }) => history.id) : [...alike, ...others]
  const list = names.slice(0, NAMED).map(visible).join(", ")
  const what = matches.length > 0 ? `${matches.length} sessions begin` : "no session begins"
  const rest =
    names.length === 0 ? "There are no receipts" : `${matches.length > 0 ? "Among them" : "There are"}: ${list}`
  throw new UsageError(`${what} with ${quoted(id)}. ${rest}.`)
}

/** What to do where a project has no receipts. */
export function noReceipts(root: string, io: Io): string {
  const place = `no session of ${visible(root)} has receipts in ${visible(stateFolder(io))}`
  return `${place}. Is the plugin loaded (\`opencode-rulebook doctor\`), and are its receipts on (no \`"receipts": false\` in its options)?`
}
