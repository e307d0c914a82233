import type { Case } from "../config/cases.ts"
import { checkCases } from "../config/check-cases.ts"
import type { SourcedRule } from "../opencode/rules.ts"
import type { Place } from "../permissions/places.ts"
import type { Finding } from "./finding.ts"
import { findShadowed } from "./shadowed.ts"

export interface LoadedPermissions {
  readonly agents: ReadonlyMap<string, readonly SourcedRule[]>
  readonly defaultAgent: string
}

/** What a person should know when the guard starts: patterns without effect, and cases that are not as expected. None twice. */
export function findAtLoad(
  { agents, defaultAgent }: LoadedPermissions,
  cases: readonly Case[],
  place: Place,
): readonly Finding[] {
  const shadowed = [...agents.values()].flatMap(findShadowed)
  const failed = checkCases(cases, (agent) => agents.get(agent ?? defaultAgent), place).map(
    (failure): Finding => ({ kind: "failed-case", severity: "error", ...failure }),
  )
  return distinct([...shadowed, ...failed])
}

export function distinct(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()]
}
