import { type LastingPattern, lastingPatterns } from "./approvals.ts"
import type { RestructureSettings } from "./config/settings.ts"
import { isGuarded, judge } from "./judge.ts"
import { isMarkerRule } from "./marker.ts"
import type { Place } from "./permissions/places.ts"
import { type Approved, compilePermissions, type PermissionRule } from "./permissions/rules.ts"
import { describeReason, type Reason } from "./reasons.ts"
import { countCommands, excessOf } from "./restructure/counts.ts"
import { restructureMessage } from "./restructure/message.ts"
import { onePerLine } from "./restructure/rewrite.ts"
import { readScript } from "./shell/read.ts"

/** What a host adapter does with a shell call. */
export type Decision =
  /** No permission is set that the guard could apply. */
  | { readonly kind: "off" }
  | { readonly kind: "run" }
  /** Raise the host's dialog; `why` is one line, `lasting` what an "always" answer approves besides what the host stores. */
  | { readonly kind: "ask"; readonly why: string; readonly lasting: readonly LastingPattern[] }
  /** The host raises its dialog by itself. */
  | { readonly kind: "leave to host" }
  /** The model reads the message; nothing runs. */
  | { readonly kind: "reject"; readonly message: string }

/**
 * Decides about one shell command. Never throws.
 *
 * @param approved what a person has allowed for good; it answers "ask" and never a "deny".
 */
export function decide(
  command: string,
  rules: readonly PermissionRule[],
  place: Place,
  restructure: RestructureSettings,
  approved?: Approved,
): Decision {
  const permissions = compilePermissions(rules, isMarkerRule, approved)
  if (!isGuarded(permissions)) return { kind: "off" }
  const reading = readScript(command)
  const verdict = judge(reading, permissions, place)
  if (verdict.kind === "allow") return { kind: "run" }
  if (verdict.kind === "deny") return { kind: "reject", message: describe(verdict.reasons) }
  if (restructure.enabled && reading.kind === "read") {
    const counts = countCommands(reading)
    const excess = excessOf(counts, restructure)
    if (excess !== undefined) {
      const rewritten = excess.segments ? compliant(onePerLine(command)) : undefined
      return { kind: "reject", message: restructureMessage({ counts, excess, limits: restructure, rewritten }) }
    }
  }
  if (verdict.byHost) return { kind: "leave to host" }
  return { kind: "ask", why: whyAsked(verdict.reasons), lasting: lastingPatterns(verdict.reasons) }

  /** A form that would be rejected again is no help. */
  function compliant(rewritten: string | undefined): string | undefined {
    if (rewritten === undefined) return undefined
    const again = readScript(rewritten)
    if (again.kind === "unreadable" || judge(again, permissions, place).kind === "deny") return undefined
    return excessOf(countCommands(again), restructure) === undefined ? rewritten : undefined
  }
}

/** The first reason is what the model needs to know; the others may be many. */
function describe([first]: readonly Reason[]): string {
  return first === undefined ? "" : describeReason(first)
}

/** The first reason in one line, and how many more there are. */
function whyAsked(reasons: readonly Reason[]): string {
  return reasons.length <= 1 ? describe(reasons) : `${describe(reasons)} (and ${reasons.length - 1} more)`
}

/** Said once for each agent that the guard has nothing to do for. */
export function offMessage(agent: string): string {
  return `off for the agent ${JSON.stringify(agent)}: its permissions allow every shell command, so there is nothing to guard`
}
