import type { RuleHook } from "../rule.ts"
import { quoted, visible } from "../text.ts"
import { argumentsJson } from "./arguments.ts"
import { hookMatches } from "./match.ts"

/** What a hook made of one tool call, for people. */
export interface HookVerdict {
  readonly met: boolean
  readonly why: string
}

/** How much of a call's arguments an explanation shows, in characters. */
const SHOWN = 200

/**
 * Does a hook fire at a tool call, and why? The call is taken to happen: as a hook's type has it, it starts or has succeeded.
 */
export function explainHook(hook: RuleHook, call: { readonly tool: string; readonly args: unknown }): HookVerdict {
  const event = { type: hook.type, ...call }
  const isTool = hookMatches({ ...hook, match: undefined }, event)
  if (!isTool) return { met: false, why: `the tool is ${visible(call.tool)}, not ${visible(hook.tool)}` }
  if (hook.match === undefined) return { met: true, why: `the tool is ${visible(call.tool)}` }
  const met = hookMatches(hook, event)
  const verdict = met ? "match" : "do not match"
  return {
    met,
    why: `the tool is ${visible(call.tool)}, and its arguments ${quoted(argumentsJson(call.args), SHOWN)} ${verdict}`,
  }
}
