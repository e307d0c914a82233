import { quoted } from "@opencode-rulebook/rule-schema/authoring"
import { backtracksExponentially } from "../regex/backtracking.ts"
import { hookSources } from "./hook-sources.ts"
import type { Lint } from "./lint.ts"

export const unsafeRegex: Lint = {
  code: "unsafe-regex",
  about:
    "A hook's expression with repetitions that meet the same text in several ways: rarely meant, and exponential on an engine that backtracks (the plugin's own takes linear time, or refuses it).",
  check({ source }) {
    return hookSources(source).flatMap(({ path, match }) => {
      if (match === undefined || !backtracksExponentially(match.source)) return []
      const reason = `${quoted(match.source)} repeats what meets the same text in several ways: rarely meant, and exponential on an engine that backtracks`
      const remedy = "Don't nest repetitions, and let alternatives under one begin with different characters"
      return [{ offset: match.offset, field: `${path}.match`, reason, remedy }]
    })
  },
}
