import { findCases, isCasesPath } from "../cases/find.ts"
import type { CasesFile } from "../cases/read.ts"
import { createPaint, type Io } from "../io.ts"
import { openProject } from "../project.ts"
import { type CheckResult, findProblems } from "./findings.ts"
import { formatFindings, formatNotes } from "./format.ts"
import { projectFiles } from "./project-files.ts"
import { checkedPacks, hintsOf } from "./sources.ts"
import { loadTargets, type Targets } from "./targets.ts"

export interface CheckOptions {
  readonly json: boolean
  /** Whether to print nothing when nothing was found. */
  readonly quiet: boolean
}

const NO_TARGETS: Targets = { rulebook: { rules: [], broken: [], problems: [], folders: [] }, places: [] }

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
  const isWhole = paths.length === 0
  const [casePaths, rulePaths] = [paths.filter(isCasesPath), paths.filter((path) => !isCasesPath(path))]
  const cases = isWhole || casePaths.length > 0 ? await findCases(casePaths, project, io) : []
  const targets = isWhole || rulePaths.length > 0 ? await loadTargets(rulePaths, project, io.cwd, files) : NO_TARGETS
  const result = await findProblems(targets, project, { files, home: io.home, platform: io.platform })
  const found = withCases(result, cases)
  const { rules, findings } = found
  const packs = isWhole ? checkedPacks(project, targets.rulebook) : []
  const hints = isWhole ? await hintsOf(project) : []
  if (json) {
    const notes = { ...(packs.length > 0 && { packs }), ...(hints.length > 0 && { hints }) }
    io.write(`${JSON.stringify({ version: 1, rules, findings, ...notes }, undefined, 2)}\n`)
  } else {
    const isEmpty = rules + cases.length === 0 && findings.length === 0
    const isSilent = quiet && !isEmpty && findings.length === 0
    const paint = createPaint(io.hasColors)
    if (isEmpty) io.write(`no rules in ${targets.places.join(", ")}.\n`)
    else if (!isSilent) io.write(formatFindings(found, io.cwd, paint))
    if (!isSilent) io.write(formatNotes(packs, hints))
  }
  return rules + cases.length > 0 && findings.length === 0 ? 0 : 1
}

/** What is wrong with files of cases stands behind what is wrong with rules. */
function withCases({ rules, findings, texts }: CheckResult, cases: readonly CasesFile[]): CheckResult {
  const problems = cases.flatMap((file) => file.problems)
  const own = cases.filter((file) => file.problems.length > 0).map(({ path, text }) => [path, text] as const)
  return { rules, findings: [...findings, ...problems], texts: new Map([...texts, ...own]) }
}
