import { quoted } from "@opencode-rulebook/rule-schema/authoring"
import type { Lint } from "./lint.ts"

export const broadLiteral: Lint = {
  code: "broad-literal",
  about: "A literal of `forbid` that is one to three small letters, as many other words have them.",
  check({ source }) {
    return source.entries("forbid").flatMap(({ text, offset }) => {
      if (!/^[a-z]{1,3}$/.test(text)) return []
      const reason = `${quoted(text)} is part of other words, and they count: literals are not compared as words`
      const remedy = "Add a neighbouring character, such as `: any` or `var x`"
      return [{ offset, field: "forbid", reason, remedy }]
    })
  },
}
