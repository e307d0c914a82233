import { trimInvisible } from "../frontmatter/lines.ts"
import { isEmptyValue, type Value } from "../frontmatter/value.ts"
import type { ProblemPlace, Problems } from "../problems.ts"

/** The most characters (code points) that a reminder has. */
export const LONGEST_REMINDER = 1024

/** Reads `reminder`. Undefined: an error, or a warning where it is too long, so that the rule's body is used. */
export function readReminder(value: Value, at: ProblemPlace, problems: Problems): string | undefined {
  if (isEmptyValue(value)) {
    problems.error(
      at,
      "empty-value",
      "is empty",
      "Write the rule in a sentence, or remove the key: its text is used then",
    )
    return undefined
  }
  if (value.kind !== "scalar") {
    const remedy = "Write one text; `reminder: |` begins one of several lines"
    problems.error(at, "wrong-type", "is not text", remedy)
    return undefined
  }
  const text = trimInvisible(typeof value.value === "string" ? value.value : value.text)
  const length = Array.from(text).length
  if (length <= LONGEST_REMINDER) return text
  const reason = `has ${length} characters, more than ${LONGEST_REMINDER}, so the rule's whole text is used`
  problems.warning(at, "long-reminder", reason, "Write the rule in a sentence or two")
  return undefined
}
