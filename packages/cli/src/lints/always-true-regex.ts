import { quoted } from "@opencode-rulebook/rule-schema/authoring"
import { meetsEveryCall } from "../regex/always-true.ts"
import { hookSources } from "./hook-sources.ts"
import type { Lint, LintFinding } from "./lint.ts"

export const alwaysTrueRegex: Lint = {
  code: "always-true-regex",
  about: "A hook's expression that every call meets, or a block of every call of every tool.",
  check({ source }) {
    return hookSources(source).flatMap(({ path, offset, tools, blocks, matches }): LintFinding[] => {
      if (matches.length === 0) {
        if (!blocks || !tools.includes("*")) return []
        const reason = "blocks every call of every tool"
        return [{ offset, field: path, reason, remedy: "Name the tool, or add a `match`" }]
      }
      // What an argument of one name holds can't be told.
      const [match] = matches.filter(({ argument }) => argument === undefined)
      if (match === undefined || !tools.every((tool) => meetsEveryCall(match.source, tool))) return []
      const reason = `${quoted(match.source)} is in the arguments of every call`
      const remedy = "It is tested on the arguments as JSON, keys included: name what is special, or leave `match` out"
      return [{ offset: match.offset, field: match.path, reason, remedy }]
    })
  },
}
