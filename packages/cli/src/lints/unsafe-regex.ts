import { quoted } from "@opencode-rulebook/rule-schema/authoring"
import { backtracksExponentially } from "../regex/backtracking.ts"
import { hookSources } from "./hook-sources.ts"
import type { Lint } from "./lint.ts"

export const unsafeRegex: Lint = {
  code: "unsafe-regex",
  about: "A hook's expression that can take exponential time on a call's arguments, and stop the session with it.",
  check({ source }) {
    return hookSources(source).flatMap(({ path, match }) => {
      if (match === undefined || !backtracksExponentially(match.source)) return []
      const reason = `${quoted(match.source)} can take exponential time: a repetition meets the same text in several ways`
      const remedy = "Don't nest repetitions, and let alternatives under one begin with different characters"
      return [{ offset: match.offset, field: `${path}.match`, reason, remedy }]
    })
  },
}
