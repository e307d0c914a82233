import type { RuleHook } from "../rule.ts"

/**
 * Does a tool event meet a hook? A tool goes by its names on both majors of OpenCode, in any case. The
 * expression is tested on the JSON of the arguments, as far as it reaches. Never throws.
 *
 * @param text gives that JSON; to be passed by who asks many hooks about one event.
 */
export function hookMatches(
  hook: RuleHook,
  event: { readonly type: RuleHook["type"]; readonly tool: string; readonly args: unknown },
  text: () => string = () => argumentsJson(event.args),
): boolean {
  if (hook.type !== event.type) return false
  if (hook.tool !== "*" && !hook.names.includes(event.tool.toLowerCase())) return false
  if (hook.match === undefined) return true
  return hook.match.test(text())
}

/** JSON with cycles cut and big integers as numbers; empty when the value has no JSON form. */
export function argumentsJson(args: unknown): string {
  const ancestors: object[] = []
  try {
    return (
      JSON.stringify(args, function replaceUnserialisable(this: unknown, _key: string, value: unknown) {
        if (typeof value === "bigint") return String(value)
        if (typeof value !== "object" || value === null) return value
        while (ancestors.length > 0 && ancestors.at(-1) !== this) ancestors.pop()
        if (ancestors.includes(value)) return "[cyclic]"
        ancestors.push(value)
        return value
      }) ?? ""
    )
  } catch {
    return ""
  }
}
