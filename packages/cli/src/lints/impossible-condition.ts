import { consequence, type Lint } from "./lint.ts"
import { neverHolds } from "./never-holds.ts"

export const impossibleCondition: Lint = {
  code: "impossible-condition",
  about:
    "A condition that can never be met: exclusions that take everything away, a wildcard where names are compared whole.",
  check(subject) {
    if (subject.rule.match === "all" && subject.rule.conditions.length > 1) return []
    return neverHolds(subject).map((found) => ({ ...found, reason: `${found.reason}, ${consequence(subject)}` }))
  },
}
