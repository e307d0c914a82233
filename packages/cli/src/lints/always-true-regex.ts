import { quoted } from "@opencode-rulebook/rule-schema/authoring"
import { matchesEveryCall } from "./always-true.ts"
import { hookSources } from "./hook-sources.ts"
import type { Lint, LintFinding } from "./lint.ts"

const REMEDY = "Name what is special about the call, or leave `match` out"
const JSON_REMEDY = `It is tested on the arguments as JSON, keys included. ${REMEDY}`

export const alwaysTrueRegex: Lint = {
  code: "always-true-regex",
  about: "A hook's expression that matches every call, or a block of every call of every tool.",
  check({ source }) {
    return hookSources(source).flatMap(({ path, offset, tools, blocks, matches }): LintFinding[] => {
      if (matches.length === 0) {
        if (blocks !== true || !tools.includes("*")) return []
        const reason = "blocks every call of every tool"
        return [{ offset, field: path, reason, remedy: "Name the tool, or add a `match`" }]
      }
      const isAlways = matches.every((match) => tools.every((tool) => matchesEveryCall(match, tool)))
      const first = matches[0]
      if (!isAlways || first === undefined) return []
      const reason = `${quoted(first.source)} matches every call`
      return [
        {
          offset: first.offset,
          field: first.path,
          reason,
          remedy: first.argument === undefined ? JSON_REMEDY : REMEDY,
        },
      ]
    })
  },
}
