import { type LastingPattern, lastingPatterns } from "./approvals.ts"
import type { RestructureSettings } from "./config/settings.ts"
import { isGuarded, judge } from "./judge.ts"
import { isMarkerRule } from "./marker.ts"
import type { Place } from "./permissions/places.ts"
import { type Approved, compilePermissions, evaluate, type PermissionRule } from "./permissions/rules.ts"
import { describeReason, type JudgedCommand, type Reason } from "./reasons.ts"
import { countCommands, excessOf } from "./restructure/counts.ts"
import { restructureMessage } from "./restructure/message.ts"
import { onePerLine } from "./restructure/rewrite.ts"
import { readScript } from "./shell/read.ts"

/** What a host adapter does with a shell call. */
export type Decision =
  /** No permission is set that the guard could apply. */
  | { readonly kind: "off" }
  | { readonly kind: "run" }
  /** A person decides. */
  | {
      readonly kind: "ask"
      /** One line. */
      readonly why: string
      /** What an "always" answer approves besides what the host stores. */
      readonly lasting: readonly LastingPattern[]
      readonly reasons: readonly Reason[]
      readonly commands: readonly JudgedCommand[]
      /** OpenCode 1 raises its dialog by itself, and there is nothing else to ask about. */
      readonly byHost: boolean
    }
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
      return {
        kind: "reject",
        message: restructureMessage({ why: whyAsked(verdict.reasons), counts, excess, limits: restructure, rewritten }),
      }
    }
  }
  const { reasons, commands, byHost } = verdict
  return { kind: "ask", why: whyAsked(reasons), lasting: lastingPatterns(reasons), reasons, commands, byHost }

  /** A form that would be rejected again is no help. */
  function compliant(rewritten: string | undefined): string | undefined {
    if (rewritten === undefined) return undefined
    const again = readScript(rewritten)
    if (again.kind === "unreadable" || judge(again, permissions, place).kind === "deny") return undefined
    return excessOf(countCommands(again), restructure) === undefined ? rewritten : undefined
  }
}

/** Whether rules and approvals allow a text by themselves, as the host compares it. */
export function allowsText(text: string, rules: readonly PermissionRule[], approved: Approved): boolean {
  return evaluate(compilePermissions(rules, isMarkerRule, approved).bash, text).action === "allow"
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
