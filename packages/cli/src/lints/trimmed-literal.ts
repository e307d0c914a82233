import { quoted, textsOf } from "@opencode-rulebook/rule-schema/authoring"
import type { Lint } from "./lint.ts"

const KEYS = ["fileContains", "keywords", "forbid"] as const

/** Quoted whitespace was written on purpose. The line end of a block text (`|`) is YAML's own. */
export const trimmedLiteral: Lint = {
  code: "trimmed-literal",
  about: "A literal or keyword with whitespace around it, which is removed before it is compared.",
  check({ source }) {
    return KEYS.flatMap((field) => {
      const texts = textsOf(source.entry(field)?.value)
      return texts
        .filter(({ text }) => text.trim() !== "" && text.replace(/\n+$/, "") !== text.trim())
        .map(({ text, offset }) => ({
          offset,
          field,
          reason: `the whitespace around ${quoted(text)} is removed, so the rule looks for ${quoted(text.trim())}`,
          remedy: "Remove the whitespace, or add a neighbouring character that makes the text unambiguous",
        }))
    })
  },
}
