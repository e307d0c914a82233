import type { RuleHook } from "../rule.ts"
import { argumentOf, argumentsJson, membersOf } from "./arguments.ts"
import { argumentNames } from "./built-in-arguments.ts"
import type { HookPattern } from "./pattern.ts"

/** A tool event as hooks see it. */
interface HookEvent {
  readonly type: RuleHook["type"]
  readonly tool: string
  readonly args: unknown
}

/**
 * Does a tool event meet a hook? A tool goes by its names on both majors of OpenCode, in any case, and so does a built-in
 * tool's argument that is named. Never throws.
 *
 * @param json gives the JSON of the arguments; to be passed by who asks many hooks about one event.
 */
export function hookMatches(
  hook: RuleHook,
  event: HookEvent,
  json: () => string = () => argumentsJson(event.args),
): boolean {
  if (hook.type !== event.type) return false
  if (hook.tool !== "*" && !hook.names.includes(event.tool.toLowerCase())) return false
  switch (hook.match?.kind) {
    case undefined:
      return true
    case "json":
      return matchesJson(hook.match.pattern, event.args, json)
    case "arguments":
      return Array.from(hook.match.patterns).every(([name, pattern]) => matchesArgument(pattern, name, event))
  }
}

/** An expression that can't look at all of a text is tested on each argument by itself too: the caller chooses their order. */
function matchesJson(pattern: HookPattern, args: unknown, json: () => string): boolean {
  const text = json()
  if (pattern.test(text)) return true
  if (pattern.reach === undefined || text.length <= pattern.reach) return false
  return membersOf(args, pattern.reach).some((member) => pattern.test(member))
}

/** The text of a string is the string itself, that of any other argument its JSON; an argument that is not there has none. */
function matchesArgument(pattern: HookPattern, name: string, { tool, args }: HookEvent): boolean {
  const values = argumentNames(tool, name).map((each) => argumentOf(args, each))
  const value = values.find((each) => each !== undefined)
  if (value === undefined) return false
  return typeof value === "string" ? pattern.test(value) : matchesJson(pattern, value, () => argumentsJson(value))
}
