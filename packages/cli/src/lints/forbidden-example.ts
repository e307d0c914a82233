import { quoted, splitLines } from "@opencode-rulebook/rule-schema/authoring"
import type { Lint } from "./lint.ts"

/** The whole of a line above an example, its signs aside. */
const GOOD = /^(?:good|correct|right|better|preferred|do|do this|instead|write instead|use instead)(?: examples?)?$/i
const BAD = /❌|\b(?:bad|wrong|incorrect|avoid|never|not|don't|forbidden)\b/i

/** A block of code, and the line above it with something on it. */
interface Example {
  readonly label: string
  /** In the text below the frontmatter. */
  readonly start: number
  readonly code: string
}

export const forbiddenExample: Lint = {
  code: "forbidden-example",
  about: "A literal of `forbid` in a code block under a line such as `Good:`, so that the rule breaks itself.",
  check({ source }) {
    const literals = source.entries("forbid")
    const good = literals.length === 0 ? [] : examplesIn(source.text.slice(source.bodyOffset)).filter(isGood)
    return good.flatMap(({ label, start, code }) => {
      const found = literals.find(({ text }) => code.includes(text))
      if (found === undefined) return []
      const reason = `${quoted(found.text)} is forbidden, and stands in the example under ${quoted(label)}`
      const offset = source.bodyOffset + start
      return [{ offset, field: "forbid", reason, remedy: "Correct the example, or the list" }]
    })
  },
}

function isGood({ label, code }: Example): boolean {
  const words = label.replace(/[^\p{L}' ]/gu, "").trim()
  return (label.includes("✅") || GOOD.test(words)) && !BAD.test(label) && !BAD.test(code)
}

function examplesIn(text: string): readonly Example[] {
  const examples: Example[] = []
  let label = ""
  let open: { readonly fence: string; readonly start: number } | undefined
  for (const { start, text: line } of splitLines(text)) {
    const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (open === undefined) {
      if (fence !== undefined) open = { fence, start }
      else if (line.trim() !== "") label = line.trim()
    } else if (fence?.startsWith(open.fence) && line.trim() === fence) {
      examples.push({ label, start: open.start, code: text.slice(open.start, start) })
      open = undefined
      label = ""
    }
  }
  return examples
}
