import type { Lint } from "./lint.ts"

/** A rule on request reaches the model by its line in the index, which is its description. */
export const noDescription: Lint = {
  code: "no-description",
  about: "A rule that is left to the model's judgement without a `description`: the model never sees it.",
  check({ rule, source }) {
    if (rule.activation !== "onRequest" || rule.description !== undefined) return []
    const entry = ["alwaysApply", "inclusion", "trigger"]
      .map((key) => source.entry(key))
      .find((each) => each !== undefined)
    const reason = "the rule is left to the model's judgement and has no `description`, so it is never delivered"
    const remedy = "Add a `description`, or a condition such as `keywords` or `globs`"
    return [{ offset: entry?.offset ?? 0, field: entry?.key, reason, remedy }]
  },
}
