import { createHmac } from "node:crypto"
import type { PermissionRule } from "./permissions/rules.ts"

/**
 * The marker: a command name that stands before a command in a place the shell never runs. OpenCode's own check sees it,
 * has a rule for it that asks, and so raises its dialog. The name is made from the command, so that an "always" answer,
 * which OpenCode remembers by name, holds for that very command and nothing else.
 */
export const markerName = "bash-guard-ask-"

/** The rule that makes the host ask. It must be the last one that matches a marker. */
export const markerRule = { pattern: `${markerName}*`, action: "ask" } as const

const marked = /^case \. in :\) bash-guard-ask-[0-9a-f]{12} '[^']*'(?:\\''[^']*')*;; esac; /

/** A longer reason is cut: it stands in the session's view, in front of the command. */
const longestReason = 200

/** What an approval is for. */
export interface MarkedCall {
  readonly command: string
  readonly agent: string
  readonly cwd: string
}

/** @param secret a random text of this process, so that no one else can make a name that was approved. */
export function markerFor(call: MarkedCall, secret: string): string {
  const about = JSON.stringify([call.command, call.agent, call.cwd])
  return markerName + createHmac("sha256", secret).update(about).digest("hex").slice(0, 12)
}

/**
 * The command behind its marker: same line, so that line numbers in error messages stay as they are.
 *
 * @param reason one line; it is the marker's argument, so that a dialog which lists commands shows it.
 */
export function markCommand(command: string, name: string, reason: string): string {
  const text = reason.replace(/[\p{Cc}\u2028\u2029]/gu, " ")
  const cut = text.length > longestReason ? `${text.slice(0, longestReason - 1).toWellFormed()}…` : text
  return `case . in :) ${name} '${cut.replaceAll("'", "'\\''")}';; esac; ${command}`
}

export function unmarkCommand(command: string): string {
  return command.replace(marked, "")
}

export function isMarkerRule(rule: Pick<PermissionRule, "pattern">): boolean {
  return rule.pattern.includes(markerName)
}
