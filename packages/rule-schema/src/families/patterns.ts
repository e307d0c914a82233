import type { Pattern, PatternResult } from "../glob/compile.ts"
import type { Problems } from "../problems.ts"
import { quoted } from "../text.ts"
import type { TextEntry } from "./entries.ts"

/** Compiles declared patterns. Undefined when one does not compile or none includes anything: one error. */
export function compilePatterns(
  words: readonly TextEntry[],
  compile: (source: string) => PatternResult,
  problems: Problems,
): readonly Pattern[] | undefined {
  const patterns: Pattern[] = []
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
    if (/\\[\p{L}\p{N}]/u.test(text)) {
      const reason = `the backslash in ${quoted(text)} escapes the character behind it`
      const remedy = "Separate folders with `/`, on Windows too"
      problems.warning({ offset, field }, "backslash-in-glob", reason, remedy)
    }
  }
  const first = words[0]
  if (first && patterns.every((pattern) => pattern.excludes)) {
    const reason = "has exclusions only, so that it can match nothing"
    const remedy = 'Add what to include, for example "**/*"'
    problems.error(first, "only-exclusions", reason, remedy)
    return undefined
  }
  return patterns
}
