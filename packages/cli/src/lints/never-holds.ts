import { quoted } from "@opencode-rulebook/rule-schema/authoring"
import type { LintedRule } from "./lint.ts"

/** A condition that nothing can ever meet, and why. */
export interface NeverHolds {
  readonly offset: number
  readonly field: string
  readonly reason: string
  readonly remedy: string
}

/** The conditions of a rule that can't hold, whatever the session sees. */
export function neverHolds(subject: LintedRule): readonly NeverHolds[] {
  return [...excludedPatterns(subject, "globs"), ...excludedPatterns(subject, "branch"), ...impossibleNames(subject)]
}

/** All that the patterns include, the exclusions take away again. */
function excludedPatterns({ source }: LintedRule, key: "globs" | "branch"): readonly NeverHolds[] {
  const words = source.entries(key)
  const plain = key === "globs" ? plainPath : plainName
  const excluded = words.filter(({ text }) => text.startsWith("!")).map(({ text }) => plain(text.slice(1)))
  const included = words.filter(({ text }) => !text.startsWith("!"))
  const first = included[0]
  if (first === undefined) return []
  const takesAll = excluded.some((pattern) => pattern === "*")
  if (!takesAll && !included.every(({ text }) => excluded.includes(plain(text)))) return []
  const reason = "the exclusions take away all that the other patterns include"
  return [{ offset: first.offset, field: first.field, reason, remedy: "Narrow or remove the exclusion" }]
}

/** One form for patterns that match the same: `**`, `**` + `/*` and `*` are everything. */
function plainName(pattern: string): string {
  const text = pattern.trim()
  return /^(?:\*\*\/)*\*{1,2}$/.test(text) ? "*" : text
}

/** Of paths moreover: a leading `./` has no effect, nor a leading `**` + `/` before a file's name. */
function plainPath(pattern: string): string {
  const text = plainName(pattern.trim().replace(/^(?:\.\/+)+/, ""))
  const tail = text.replace(/^(?:\*\*\/)+/, "")
  return tail.includes("/") ? text : tail
}

const WHOLE_NAMES = ["command", "agent", "model", "tools"] as const

/** Names are compared whole: one with a wildcard in it matches nothing, and no command or branch has whitespace in its name. */
function impossibleNames({ source }: LintedRule): readonly NeverHolds[] {
  const wildcards = WHOLE_NAMES.flatMap((field) => {
    const words = source.entries(field)
    if (!words.every(({ text }) => /[*?]/.test(text))) return []
    return words.map(({ text, offset }) => {
      const reason = `${quoted(text)} is not a pattern here: names are compared whole`
      return { offset, field, reason, remedy: "Write each name out; patterns are for `globs` and `branch`" }
    })
  })
  const spaced = (["command", "branch"] as const).flatMap((field) => {
    const words = source.entries(field)
    if (!words.every(({ text }) => /\s/.test(text))) return []
    return words.map(({ text, offset }) => {
      const noun = field === "command" ? "command's name" : "branch's name"
      return {
        offset,
        field,
        reason: `${quoted(text)} has whitespace in it, which no ${noun} has`,
        remedy: "Write the name alone",
      }
    })
  })
  return [...wildcards, ...spaced]
}
