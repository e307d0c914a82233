import { gitWorktree } from "@opencode-rulebook/server/dry-run"
import { findCases, isCasesPath } from "../cases/find.ts"
import type { CasesFile } from "../cases/read.ts"
import { createPaint, type Io } from "../io.ts"
import { openProject } from "../project.ts"
import { UsageError } from "../usage-error.ts"
import { type CheckResult, findProblems } from "./findings.ts"
import { formatFindings, formatNotes } from "./format.ts"
import { misplacedRules } from "./misplaced.ts"
import { projectFiles } from "./project-files.ts"
import { formatSizes, sizesOf } from "./sizes.ts"
import { checkedPacks, hintsOf } from "./sources.ts"
import { loadTargets, type Targets } from "./targets.ts"

export interface CheckOptions {
  readonly json: boolean
  /** Whether to look at the whole repository, wherever in it the command starts. */
  readonly all?: boolean
  /** Whether to print nothing when nothing was found. */
  readonly quiet: boolean
}

const NO_TARGETS: Targets = { rulebook: { rules: [], broken: [], problems: [], folders: [] }, places: [] }

/**
 * `check`: reports what is wrong with rules.
 *
 * @param paths files and folders; none stands for the standard places.
 * @returns the exit code: 0 when nothing was found, 1 otherwise, and when there was no rule to check.
 * @throws UsageError for a path that can't be checked, and for all of a folder that is in no repository.
 */
export async function check(paths: readonly string[], { json, quiet, all }: CheckOptions, io: Io): Promise<number> {
  if (all && paths.length > 0) throw new UsageError("--all takes no files and folders: it checks the whole repository")
  const project = await openProject(all ? await repositoryRoot(io.cwd) : io.cwd, io)
  const files = await projectFiles(project.worktree)
  const isWhole = paths.length === 0
  const [casePaths, rulePaths] = [paths.filter(isCasesPath), paths.filter((path) => !isCasesPath(path))]
  const cases = isWhole || casePaths.length > 0 ? await findCases(casePaths, project, io) : []
  const targets = isWhole || rulePaths.length > 0 ? await loadTargets(rulePaths, project, io.cwd, files) : NO_TARGETS
  const misplaced = isWhole ? await misplacedRules(project) : []
  const result = await findProblems(targets, project, { files, home: io.home, platform: io.platform })
  const found = withCases({ ...result, findings: [...misplaced, ...result.findings] }, cases)
  const { rules, findings } = found
  const packs = isWhole ? checkedPacks(project, targets.rulebook) : []
  const hints = isWhole ? await hintsOf(project) : []
  const sizes = sizesOf(targets.rulebook.rules)
  if (json) {
    const notes = { sizes, ...(packs.length > 0 && { packs }), ...(hints.length > 0 && { hints }) }
    io.write(`${JSON.stringify({ version: 1, rules, findings, ...notes }, undefined, 2)}\n`)
  } else {
    const isEmpty = rules + cases.length === 0 && findings.length === 0
    const isSilent = quiet && !isEmpty && findings.length === 0
    const paint = createPaint(io.hasColors)
    if (isEmpty) io.write(`no rules in ${targets.places.join(", ")}.\n`)
    else if (!isSilent) io.write(formatFindings(found, io.cwd, paint))
    if (!isSilent) io.write(formatSizes(sizes) + formatNotes(packs, hints))
  }
  return rules + cases.length > 0 && findings.length === 0 ? 0 : 1
}

async function repositoryRoot(folder: string): Promise<string> {
  const root = await gitWorktree(folder)
  if (root === undefined) throw new UsageError(`${folder} is not in a git repository, which --all needs`)
  return root
}

/** What is wrong with files of cases stands behind what is wrong with rules. */
function withCases({ rules, findings, texts }: CheckResult, cases: readonly CasesFile[]): CheckResult {
  const problems = cases.flatMap((file) => file.problems)
  const own = cases.map(({ path, text }) => [path, text] as const)
  return { rules, findings: [...findings, ...problems], texts: new Map([...texts, ...own]) }
}
