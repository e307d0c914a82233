import type { Pattern } from "../glob/compile.ts"

/** What a rule asks of a file: path, text, or both of the same one. */
export interface FileCondition {
  readonly globs: readonly Pattern[] | undefined
  readonly literals: readonly string[] | undefined
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
