import { ruleLifetime } from "@opencode-rulebook/rule-schema"
import type { Lint } from "./lint.ts"

export const idleRemind: Lint = {
  code: "idle-remind",
  about: "`remind` of a transient rule, which is in each request anyway while its conditions hold.",
  check({ rule, source }) {
    const entry = source.entry("remind")
    if (entry === undefined || rule.remind === undefined || ruleLifetime(rule) !== "transient") return []
    const reason = "reminds of nothing: the rule is transient, so each request has it while its conditions hold"
    return [{ offset: entry.offset, field: "remind", reason, remedy: "Remove it" }]
  },
}
