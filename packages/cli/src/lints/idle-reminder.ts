import { ruleLifetime } from "@opencode-rulebook/rule-schema"
import type { Lint, LintedRule } from "./lint.ts"

export const idleReminder: Lint = {
  code: "idle-reminder",
  about: "A `reminder` without `remind` or `forbid`, of a transient rule, or no shorter than the rule's text.",
  check(subject) {
    const entry = subject.source.entry("reminder")
    const found = entry && whyIdle(subject)
    return found ? [{ offset: entry.offset, field: "reminder", ...found }] : []
  },
}

function whyIdle({ rule, source }: LintedRule): { readonly reason: string; readonly remedy: string } | undefined {
  if (rule.reminder === undefined) return undefined
  if (rule.remind === undefined && rule.forbid === undefined) {
    return { reason: "is never used: the rule has neither `remind` nor `forbid`", remedy: "Add one, or remove it" }
  }
  if (ruleLifetime(rule) === "transient") {
    const reason = "is never used: the rule is transient, so each request has its whole text while its conditions hold"
    return { reason, remedy: "Remove it" }
  }
  const characters = Array.from(rule.reminder).length
  const all = Array.from(source.body).length
  if (all === 0 || characters < all) return undefined
  const reason = `has ${characters} characters, and the rule's text only ${all}`
  return { reason, remedy: "Remove it: the text itself is used then" }
}
