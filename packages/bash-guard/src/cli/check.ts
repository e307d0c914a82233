import { distinct, findAtLoad } from "../lints/at-load.ts"
import { findEvaded } from "../lints/evaded.ts"
import type { Finding } from "../lints/finding.ts"
import { findNeverMatching } from "../lints/never.ts"
import { type CommandOptions, describeOrigin, type Io } from "./io.ts"
import { openProject, type Project } from "./project.ts"

/**
 * `check`: what is wrong with the permissions and the guard's configuration.
 *
 * @returns the exit code: 0 when there is nothing to correct, 1 otherwise.
 */
export function check({ json, major }: CommandOptions, io: Io): number {
  const project = openProject(io, major)
  const { permissions, config } = project
  const findings = findAll(project)
  const errors = findings.filter(({ severity }) => severity === "error")
  const code = errors.length + config.warnings.length === 0 ? 0 : 1
  if (json) {
    const result = {
      version: 1,
      opencode: permissions.major,
      agents: [...permissions.agents.keys()],
      cases: config.cases.length,
    }
    io.write(`${JSON.stringify({ ...result, findings, warnings: config.warnings }, undefined, 2)}\n`)
    return code
  }
  const lines = [
    ...config.warnings.map((warning) => `error: ${warning}`),
    ...findings.map((finding) => describe(finding, io.cwd)),
  ]
  const cases = config.cases.length === 1 ? "1 case" : `${config.cases.length} cases`
  const summary = `${errors.length + config.warnings.length} to correct (${permissions.agents.size} agents, ${cases}, permissions of OpenCode ${permissions.major}).`
  io.write(`${[...lines, ...(lines.length > 0 ? [""] : []), summary].join("\n")}\n`)
  return code
}

function findAll({ permissions, config, place }: Project): readonly Finding[] {
  const unreadable = permissions.problems.map(({ origin, reason }): Finding => {
    const remedy = "OpenCode does not start with it, or goes without it, until it is corrected"
    return { kind: "unreadable", severity: "error", origin, message: reason, remedy }
  })
  const rules = [...permissions.agents.values()]
  const found = [
    ...unreadable,
    ...findAtLoad(permissions, config.cases, place),
    ...rules.flatMap(findNeverMatching),
    ...rules.flatMap((own) => findEvaded(own, place)),
  ]
  return distinct(found)
}

function describe({ severity, origin, message, remedy }: Finding, cwd: string): string {
  const where = origin === undefined ? "" : `${describeOrigin(origin, cwd)}: `
  return `${severity}: ${where}${message}.\n  ${remedy}.`
}
