import { isIncluded, type Pattern } from "../glob/compile.ts"
import type { PathForm } from "../glob/path-form.ts"
import type { FileObservation } from "../observation.ts"

/** What a rule asks of a file: path, text, or both of the same one. */
export interface FileCondition {
  readonly globs: readonly Pattern[] | undefined
  readonly literals: readonly string[] | undefined
}

/** @param form how the observation's path is written from the rule's root. */
export function isMetBy({ globs, literals }: FileCondition, observation: FileObservation, form: PathForm): boolean {
  if (globs && !isIncluded(globs, form)) return false
  if (literals === undefined) return true
  return observation.content !== undefined && findLiteral(observation.content, literals) !== undefined
}

/** Whether an observation has a text, which is not made for the answer. */
export function hasContent(observation: FileObservation): boolean {
  return observation.source !== undefined || observation.content !== undefined
}

/** The first literal that the content has. One of several lines meets text with either line end. */
export function findLiteral(content: string, literals: readonly string[]): string | undefined {
  const needsLines = literals.some((literal) => literal.includes("\n")) && content.includes("\r")
  const text = needsLines ? normaliseLines(content) : content
  return literals.find((literal) => text.includes(literal))
}

export function normaliseLines(text: string): string {
  return text.replaceAll("\r\n", "\n")
}
