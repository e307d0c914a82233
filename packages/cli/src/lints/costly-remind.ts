import { estimateTokens, ruleLifetime } from "@opencode-rulebook/rule-schema"
import type { Lint } from "./lint.ts"

export const costlyRemind: Lint = {
  code: "costly-remind",
  about: "`remind` of fewer tokens than the rule's text has, without a `reminder`.",
  check({ rule, source }) {
    const entry = source.entry("remind")
    const { remind, reminder } = rule
    if (entry === undefined || remind === undefined || reminder !== undefined) return []
    if (ruleLifetime(rule) === "transient") return []
    const tokens = estimateTokens(source.body)
    if (tokens < remind) return []
    const reason = `the text has about ${tokens} tokens, so it could be half of the conversation and more`
    return [{ offset: entry.offset, field: "remind", reason, remedy: "Add a short `reminder`, or raise `remind`" }]
  },
}
