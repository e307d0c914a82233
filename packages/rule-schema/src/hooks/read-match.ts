import type { Value } from "../frontmatter/value.ts"
import type { Problems } from "../problems.ts"
import { quoted, visible } from "../text.ts"
import { compileHookPattern, HOOK_PATTERN_REMEDY, type HookMatch, type HookPattern } from "./pattern.ts"

/**
 * Reads a hook's `match`: one expression for the JSON of all arguments, or a mapping from an argument's name to an expression for its
 * text. What can't be read is an error, and left out.
 *
 * @param field names the place in problems.
 */
export function readHookMatch(value: Value, field: string, problems: Problems): HookMatch | undefined {
  if (value.kind !== "mapping") {
    const pattern = readPattern(value, field, problems)
    return pattern && { kind: "json", pattern }
  }
  if (value.entries.size === 0) {
    const remedy = "Write an argument's name and an expression under it, or leave it out"
    problems.error({ offset: value.offset, field }, "empty-value", "is empty", remedy)
    return undefined
  }
  const patterns = new Map<string, HookPattern>()
  for (const [name, entry] of value.entries) {
    const pattern = readPattern(entry.value, `${field}.${visible(name)}`, problems)
    if (pattern !== undefined) patterns.set(name, pattern)
  }
  return { kind: "arguments", patterns }
}

function readPattern(value: Value, field: string, problems: Problems): HookPattern | undefined {
  const { offset } = value
  const source = value.kind === "scalar" && value.value !== null ? value.text.trim() : ""
  if (source === "") {
    problems.error({ offset, field }, "wrong-type", "is not a regular expression", HOOK_PATTERN_REMEDY)
    return undefined
  }
  const result = compileHookPattern(source)
  if (result.kind === "bad") {
    const reason = `${quoted(source)} ${result.reason}`
    problems.error({ offset, field }, "bad-regex", reason, result.remedy)
    return undefined
  }
  if (result.pattern.reach !== undefined) warnAboutReach(offset, field, result.pattern.reach, problems)
  return result.pattern
}

function warnAboutReach(offset: number, field: string, reach: number, problems: Problems): void {
  const reason = `needs backtracking, so it looks only at the first ${reach} characters of the arguments, and of each argument by itself`
  const remedy = "Write it without back references, and without lookahead beside lookbehind"
  problems.warning({ offset, field }, "short-reach", reason, remedy)
}
