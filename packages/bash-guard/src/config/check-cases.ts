import { isGuarded, judge, type Verdict } from "../judge.ts"
import type { Origin } from "../opencode/value.ts"
import type { Place } from "../permissions/places.ts"
import { compilePermissions, type PermissionRule } from "../permissions/rules.ts"
import { describeReason, quote } from "../reasons.ts"
import { readScript } from "../shell/read.ts"
import type { Case, Expectation } from "./cases.ts"

/** A case that is not as expected. */
export interface FailedCase {
  readonly origin: Origin
  /** Command, expected, got. */
  readonly message: string
  readonly remedy: string
}

/**
 * Judges the command of each case.
 *
 * @param rulesOf the rules of an agent; undefined when there is no such agent.
 */
export function checkCases(
  cases: readonly Case[],
  rulesOf: (agent: string | undefined) => readonly PermissionRule[] | undefined,
  place: Place,
): readonly FailedCase[] {
  return cases.flatMap((one): readonly FailedCase[] => {
    const rules = rulesOf(one.agent)
    if (rules === undefined) {
      const agent = JSON.stringify(one.agent)
      return [
        {
          origin: one.origin,
          message: `the case ${quote(one.command)} is for the agent ${agent}, which OpenCode does not have`,
          remedy: "name one that it has",
        },
      ]
    }
    const permissions = compilePermissions(rules)
    const verdict = judge(readScript(one.command), permissions, place)
    if (isMet(one.expectation, verdict) === one.matches) return []
    const off = isGuarded(permissions) ? "" : " (the guard is off: every shell command is allowed)"
    const message = `the case ${quote(one.command)} ${expected(one)}; got: ${describeVerdict(verdict)}${off}`
    return [{ origin: one.origin, message, remedy: "correct the permissions of OpenCode, or the case" }]
  })
}

/** The verdict in one line, with what decided. */
export function describeVerdict({ kind, reasons, commands }: Verdict): string {
  if (kind !== "allow") return `${kind}: ${reasons.map(describeReason)[0] ?? ""}`
  const patterns = [...new Set(commands.map(({ pattern }) => quote(pattern)))]
  return `allow, by ${patterns.join(", ")}`
}

function isMet(expectation: Expectation, { kind, reasons, commands }: Verdict): boolean {
  if (expectation.kind === "action") return kind === expectation.action
  const { pattern } = expectation
  return (
    commands.some((command) => command.pattern === pattern) ||
    reasons.some((reason) => "pattern" in reason && reason.pattern === pattern)
  )
}

function expected({ expectation, matches }: Case): string {
  const must = matches ? "must" : "must not"
  return expectation.kind === "action"
    ? `${must} end in ${JSON.stringify(expectation.action)}`
    : `${must} match the pattern ${quote(expectation.pattern)}`
}
