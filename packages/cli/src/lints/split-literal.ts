import { quoted, type TextEntry } from "@opencode-rulebook/rule-schema/authoring"
import type { Lint } from "./lint.ts"

/** In a list in brackets YAML cuts at each comma that is not in quotes: `[f(a, b)]` has two entries. */
export const splitLiteral: Lint = {
  code: "split-literal",
  about: "A text of `fileContains` or `forbid` that a list in brackets has cut at its comma: `[f(a, b)]` is two texts.",
  check({ source }) {
    return (["fileContains", "forbid"] as const).flatMap((key) => {
      const entries = source.entries(key)
      return entries.slice(1).flatMap((second, index) => {
        const first = entries[index]
        if (first === undefined || !isOneText(first, second, source.text)) return []
        const whole = source.text.slice(first.offset, second.offset + second.text.length)
        const reason = `${quoted(first.text)} and ${quoted(second.text)} are two texts here, and look like one`
        return [
          {
            offset: first.offset,
            field: first.field,
            reason,
            remedy: `Put it in quotes: \`'${whole.replaceAll("'", "''")}'\``,
          },
        ]
      })
    })
  },
}

/** Are two entries written next to each other without quotes, and is a bracket open in the first that the second closes? */
function isOneText(first: TextEntry, second: TextEntry, source: string): boolean {
  const between = source.slice(first.offset + first.text.length, second.offset)
  if (!/^\s*,\s*$/.test(between) || !source.startsWith(second.text, second.offset)) return false
  return surplus(first.text) > 0 && surplus(second.text) < 0
}

/** How many more brackets a text opens than it closes. YAML accepts no braces in such a text. */
function surplus(text: string): number {
  return text.split("(").length - text.split(")").length
}
