import { quoted } from "@opencode-rulebook/rule-schema/authoring"
import { hasFileCondition, type Lint } from "./lint.ts"

/** A literal that `fileContains` has beside others, or as a part of a longer forbidden one, leaves files without it. */
export const requiredLiteral: Lint = {
  code: "required-literal",
  about: "A literal of `forbid` that each text of `fileContains` has: the rule is only for files that have it already.",
  check({ rule, source }) {
    const required = source.entries("fileContains")
    if (required.length === 0 || !hasFileCondition(rule)) return []
    return source.entries("forbid").flatMap(({ text, offset }) => {
      if (!required.every((literal) => literal.text.includes(text))) return []
      const reason = `\`fileContains\` asks for what is forbidden: every file that it matches has ${quoted(text)}`
      const remedy = "Remove it from `fileContains`, and name the files with `globs` if the rule is not for every file"
      return [{ offset, field: "forbid", reason, remedy }]
    })
  },
}
