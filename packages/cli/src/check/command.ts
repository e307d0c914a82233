import { readHostConfig } from "../host-config.ts"
import { createPaint, type Io } from "../io.ts"
import { openProject, withTrustedLinks } from "../project.ts"
import { findProblems } from "./findings.ts"
import { formatFindings } from "./format.ts"
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
  const found = await openProject(io.cwd, io)
  const { projectLinks, instructions } = await readHostConfig(found, io)
  const project = projectLinks ? withTrustedLinks(found) : found
  const targets = await loadTargets(paths, project, io.cwd)
  const result = await findProblems(targets, project, { instructions, home: io.home, platform: io.platform })
  const { rules, findings } = result
  if (json) {
    io.write(`${JSON.stringify({ version: 1, rules, findings }, undefined, 2)}\n`)
  } else if (rules === 0 && findings.length === 0) {
    io.write(`no rules in ${targets.places.join(", ")}.\n`)
  } else if (!quiet || findings.length > 0) {
    io.write(formatFindings(result, io.cwd, createPaint(io.hasColors)))
  }
  return rules > 0 && findings.length === 0 ? 0 : 1
}
