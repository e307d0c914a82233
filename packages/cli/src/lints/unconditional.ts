import type { Lint } from "./lint.ts"

/** Cursor's `alwaysApply` means nothing here: there, this rule waits for the agent or the user to ask for it. */
export const unconditional: Lint = {
  code: "unconditional",
  about: "`alwaysApply: false` without a condition: here a rule without conditions always applies.",
  check({ rule, source }) {
    const entry = source.entry("alwaysApply")
    if (entry?.value.kind !== "scalar" || entry.value.value !== false) return []
    if (rule.conditions.length > 0 || rule.hooks.length > 0) return []
    const reason = "says nothing here: the rule has no condition, so it always applies"
    return [
      { offset: entry.offset, field: entry.key, reason, remedy: "Add `keywords`, `globs` or `command`, or remove it" },
    ]
  },
}
