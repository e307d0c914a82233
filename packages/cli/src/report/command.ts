import { resolve } from "node:path"
import { visible } from "@opencode-rulebook/rule-schema/authoring"
import { createPaint, type Io } from "../io.ts"
import { openProject } from "../project.ts"
import { byId, rulesOnDisk } from "../receipts/on-disk.ts"
import { noReceipts } from "../receipts/sessions.ts"
import { counted } from "../receipts/words.ts"
import { readLimit, readSince } from "../since.ts"
import { findingsOf } from "./findings.ts"
import { reportJson } from "./json.ts"
import { readSessions } from "./read.ts"
import { createShown } from "./shown.ts"
import { formatReport, notesOf } from "./text.ts"

/** The options of `report` as they were given. */
export interface ReportFlags {
  readonly since?: string
  readonly limit?: string
  readonly html?: string
  readonly force?: true
  readonly json?: true
}

/**
 * `report`: what all receipts of a project come to, rule by rule, and what can go.
 *
 * @returns the exit code: 0, or 1 when there are no receipts.
 * @throws UsageError for flags that can't be read, and a file that is not to be overwritten.
 */
export async function report(flags: ReportFlags, io: Io): Promise<number> {
  const since = flags.since === undefined ? undefined : readSince(flags.since, Date.now())
  const limit = flags.limit === undefined ? undefined : readLimit(flags.limit)
  const { directory, worktree } = await openProject(io.cwd, io)
  const root = worktree ?? directory
  const shown = createShown()
  const figures = await readSessions({ root, since, limit }, io, shown.keep)
  if (figures.sessions === 0) {
    io.writeError(`${noReceipts(root, io)}\n`)
    return 1
  }
  const paths = figures.files.map(({ path }) => path)
  const rules = await rulesOnDisk(await openProject(root, io), paths)
  const findings = findingsOf(figures, rules, root)
  const { html, force = false } = flags
  if (html !== undefined) {
    const { pageData } = await import("./page/build.ts")
    const { pageHtml } = await import("./page/html.ts")
    const { writePage } = await import("./page/write.ts")
    const input = { project: root, madeAt: Date.now(), figures, findings, shown: shown.sessions, onDisk: byId(rules) }
    await writePage(resolve(io.cwd, html), pageHtml(pageData({ ...input, notes: notesOf(figures) })), force)
  }
  if (flags.json) io.write(`${JSON.stringify(reportJson(root, figures, findings), undefined, 2)}\n`)
  else if (html !== undefined)
    io.write(`Wrote ${visible(html)}: ${wroteWhat(figures.sessions, shown.sessions.length)}.\n`)
  else io.write(formatReport(root, figures, findings, io.columns, createPaint(io.hasColors)))
  return 0
}

function wroteWhat(sessions: number, shown: number): string {
  const all = counted(sessions, "session")
  return sessions === shown ? `${all}, in full` : `${all}, the newest ${shown} in full`
}
