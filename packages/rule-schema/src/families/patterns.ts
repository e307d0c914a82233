import type { Pattern, PatternResult } from "../glob/compile.ts"
import type { Problems } from "../problems.ts"
import { quoted } from "../text.ts"
import type { TextEntry } from "./entries.ts"

/**
 * Compiles declared patterns. Undefined when one does not compile or none can match anything: one error. A pattern that can't
 * match beside others that can is a warning.
 */
export function compilePatterns(
  words: readonly TextEntry[],
  compile: (source: string) => PatternResult,
  problems: Problems,
): readonly Pattern[] | undefined {
  const patterns: Pattern[] = []
  const dead = new Map<Pattern, (severity: "error" | "warning") => void>()
  for (const { text, offset, field } of words) {
    const result = compile(text)
    if (result.kind === "bad") {
      const reason = `the pattern ${quoted(text)} does not compile: ${result.reason}`
      const remedy =
        "Close its brackets and braces, escape literal ones with a backslash, or write several simpler patterns"
      problems.error({ offset, field }, "bad-glob", reason, remedy)
      return undefined
    }
    patterns.push(result.pattern)
    for (const { code, reason, remedy } of result.notes) {
      const report = (severity: "error" | "warning") =>
        problems[severity]({ offset, field }, code, `the pattern ${quoted(text)} ${reason}`, remedy)
      if (code === "odd-pattern") report("warning")
      else dead.set(result.pattern, report)
    }
  }
  const first = words[0]
  if (first && patterns.every((pattern) => pattern.excludes)) {
    const reason = "has exclusions only, so it matches nothing"
    const remedy = 'Add what to include, for example "**/*"'
    problems.error(first, "only-exclusions", reason, remedy)
    return undefined
  }
  const isDead = patterns.every((pattern) => pattern.excludes || dead.has(pattern))
  for (const report of dead.values()) report(isDead ? "error" : "warning")
  return isDead ? undefined : patterns
}
