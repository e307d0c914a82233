import type { Lint, LintedRule } from "./lint.ts"
import { type NeverHolds, neverHolds } from "./never-holds.ts"

export const impossibleAll: Lint = {
  code: "impossible-all",
  about: "`match: all` with a condition that can't hold, or with two that can't hold together.",
  check(subject) {
    const { rule } = subject
    if (rule.match !== "all" || rule.conditions.length < 2) return []
    return [...neverHolds(subject), ...foreignPaths(subject)].map((found) => ({
      ...found,
      reason: `\`match: all\` can never hold: ${found.reason}`,
    }))
  },
}

/** Paths with a drive letter are Windows', and `os` wants another system. */
function foreignPaths({ source }: LintedRule): readonly NeverHolds[] {
  const systems = source.entries("os").map(({ text }) => text)
  const globs = source.entries("globs").filter(({ text }) => !text.startsWith("!"))
  const first = globs[0]
  if (first === undefined || systems.length === 0 || systems.includes("win32")) return []
  if (!globs.every(({ text }) => /^[A-Za-z]:[\\/]/.test(text))) return []
  const reason = `the paths have drive letters, which do not exist on ${systems.join(" and ")}`
  return [{ offset: first.offset, field: first.field, reason, remedy: "Add win32 to `os`, or correct the paths" }]
}
