import { quoted } from "@opencode-rulebook/rule-schema/authoring"
import type { Lint } from "./lint.ts"

export const redundantLiteral: Lint = {
  code: "redundant-literal",
  about: "A literal of `forbid` that contains another one of the list, which matches wherever it does.",
  check({ source }) {
    const entries = source.entries("forbid")
    return entries.flatMap(({ text, offset }) => {
      const shorter = entries.find((other) => other.text !== text && text.includes(other.text))
      if (shorter === undefined) return []
      const reason = `${quoted(text)} contains ${quoted(shorter.text)}, which is forbidden too`
      return [{ offset, field: "forbid", reason, remedy: "Keep the one that is meant" }]
    })
  },
}
