import { FORBID_FIELD } from "./enforcement/fields.ts"
import { readEntries, type TextEntry } from "./families/entries.ts"
import { FAMILY_LIST } from "./families/table.ts"
import type { Entry, Value } from "./frontmatter/value.ts"
import { readParts } from "./parse.ts"
import type { RuleProblem } from "./problems.ts"
import { collectProblems, type ProblemInput } from "./problems.ts"
import type { Origin } from "./sources/origin.ts"
import { withToolKeys } from "./sources/tool-keys.ts"

/** A rule file's text as its author wrote it, with places: what a linter looks at. */
export interface RuleSource {
  readonly text: string
  readonly body: string
  /** Where the body begins in the text. */
  readonly bodyOffset: number
  /** A frontmatter key with its value. */
  entry(key: string): Entry | undefined
  /** All texts that a key and its aliases declare, as they are compared: trimmed, split, and each once. */
  entries(key: string): readonly TextEntry[]
  /** A problem at an offset of the text. */
  problem(severity: RuleProblem["severity"], finding: ProblemInput): RuleProblem
}

/**
 * Reads a rule file's text for a linter. What can't be read declares nothing: `parseRule` says why.
 *
 * @param file the file's path, absolute.
 * @param origin the source whose keys it has, when not our own.
 */
export function readRuleSource(file: string, text: string, origin?: Origin): RuleSource {
  const { body, below, frontmatter: written } = readParts(text, collectProblems(file, text))
  const frontmatter = withToolKeys(origin, written, collectProblems(file, text))
  return {
    text,
    body,
    bodyOffset: below + (/\S/.exec(text.slice(below))?.index ?? 0),
    entry: (key) => frontmatter.get(key),
    entries(key) {
      const fields = [...FAMILY_LIST.flatMap((family) => family.fields), FORBID_FIELD]
      const field = fields.find((candidate) => candidate.key === key)
      if (field === undefined || field.kind !== "texts") return []
      return readEntries(frontmatter, field, collectProblems(file, text)) ?? []
    },
    problem(severity, { code, reason, remedy, ...at }) {
      const problems = collectProblems<string>(file, text)
      problems[severity](at, code, reason, remedy)
      const [found] = problems.all
      if (!found) throw new Error("a problem that was added is there")
      return found
    },
  }
}

/** All scalars of a value that are texts, with their places. */
export function textsOf(value: Value | undefined): readonly { readonly text: string; readonly offset: number }[] {
  if (value === undefined) return []
  if (value.kind === "list") return value.items.flatMap(textsOf)
  if (value.kind === "mapping" || typeof value.value !== "string") return []
  return [{ text: value.value, offset: value.offset }]
}
