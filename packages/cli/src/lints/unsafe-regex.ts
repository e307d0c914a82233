import { quoted } from "@opencode-rulebook/rule-schema/authoring"
import { backtracksExponentially } from "../regex/backtracking.ts"
import { hookSources } from "./hook-sources.ts"
import type { Lint } from "./lint.ts"

export const unsafeRegex: Lint = {
  code: "unsafe-regex",
  about:
    "A hook's expression with repetitions that meet the same text in several ways: rarely meant, and exponential on an engine that backtracks (the plugin's own takes linear time, or refuses it).",
  check({ source: rule }) {
    return hookSources(rule).flatMap(({ matches }) =>
      matches.flatMap(({ source, offset, path }) => {
        if (!backtracksExponentially(source)) return []
        const reason = `${quoted(source)} repeats what meets the same text in several ways: rarely meant, and exponential on an engine that backtracks`
        const remedy = "Don't nest repetitions, and let alternatives under one begin with different characters"
        return [{ offset, field: path, reason, remedy }]
      }),
    )
  },
}
