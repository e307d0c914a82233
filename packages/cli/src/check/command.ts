import { createPaint, type Io } from "../io.ts"
import { openProject } from "../project.ts"
import { findProblems } from "./findings.ts"
import { formatFindings, formatNotes } from "./format.ts"
import { projectFiles } from "./project-files.ts"
import { checkedPacks, hintsOf } from "./sources.ts"
import { loadTargets } from "./targets.ts"

export interface CheckOptions {
  readonly json: boolean
  /** Whether to print nothing when nothing was found. */
  readonly quiet: boolean
}

/**
 * `check`: reports what is wrong with rules.
 *
 * @param paths files and folders; none stands for the standard places.
 * @returns the exit code: 0 when nothing was found, 1 otherwise, and when there was no rule to check.
 * @throws UsageError for a path that can't be checked.
 */
export async function check(paths: readonly string[], { json, quiet }: CheckOptions, io: Io): Promise<number> {
  const project = await openProject(io.cwd, io)
  const files = await projectFiles(project.worktree)
  const targets = await loadTargets(paths, project, io.cwd, files)
  const result = await findProblems(targets, project, { files, home: io.home, platform: io.platform })
  const { rules, findings } = result
  const isWhole = paths.length === 0
  const packs = isWhole ? checkedPacks(project, targets.rulebook) : []
  const hints = isWhole ? await hintsOf(project) : []
  if (json) {
    const notes = { ...(packs.length > 0 && { packs }), ...(hints.length > 0 && { hints }) }
    io.write(`${JSON.stringify({ version: 1, rules, findings, ...notes }, undefined, 2)}\n`)
  } else {
    const isEmpty = rules === 0 && findings.length === 0
    const isSilent = quiet && !isEmpty && findings.length === 0
    const paint = createPaint(io.hasColors)
    if (isEmpty) io.write(`no rules in ${targets.places.join(", ")}.\n`)
    else if (!isSilent) io.write(formatFindings(result, io.cwd, paint))
    if (!isSilent) io.write(formatNotes(packs, hints))
  }
  return rules > 0 && findings.length === 0 ? 0 : 1
}
