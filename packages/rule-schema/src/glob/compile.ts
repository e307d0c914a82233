import { boundsViolation, lengthViolation } from "./bounds.ts"
import { canonicalPattern, type PatternNote } from "./canonical.ts"
import { endingsOf, literalEnds } from "./literal-ends.ts"
import { escapeLiterals } from "./literals.ts"
import type { PathForm } from "./path-form.ts"
import { compileText, type TextTest } from "./text-test.ts"

/** One compiled pattern. `source` is as the author wrote it. */
export interface Pattern {
  readonly source: string
  readonly excludes: boolean
  /** The folder that every path it matches is, or is below; empty where that is not certain. */
  readonly folder: string
  /** Every path that it matches has one of these file name extensions; an empty one stands for any. */
  readonly endings: readonly string[]
  matches(form: PathForm): boolean
}

export type PatternResult =
  | { readonly kind: "pattern"; readonly pattern: Pattern; readonly notes: readonly PatternNote[] }
  | { readonly kind: "bad"; readonly reason: string }

/** Compiles a pattern over file paths. Never throws. */
export function compilePathPattern(source: string): PatternResult {
  const { excludes, glob } = splitExclusion(source)
  const violation = lengthViolation(glob)
  if (violation !== undefined) return { kind: "bad", reason: violation }
  const { text, notes } = canonicalPattern(glob)
  const isRooted = text.startsWith("/")
  const isAbsolute = isRooted || /^[a-z]:\//.test(text)
  const isBasename = !text.includes("/")
  const test = compileGlob(text)
  if (typeof test === "string") return { kind: "bad", reason: test }
  const testUnderRoot = isRooted ? compileGlob(text.replace(/^\/+/, "")) : test
  if (typeof testUnderRoot === "string") return { kind: "bad", reason: testUnderRoot }
  const matches = (form: PathForm) => {
    if (isBasename) return test(form.base)
    if (!isAbsolute) return test(form.path)
    return test(form.absolute) || (isRooted && form.relative !== undefined && testUnderRoot(form.relative))
  }
  const escaped = escapeLiterals(text)
  const folder = literalEnds(escaped).start
  const pattern = { source, excludes, folder, endings: endingsOf(escaped), matches }
  return { kind: "pattern", pattern, notes }
}

/** A pattern over names with slashes in them, such as branches: the whole name has to match. Never throws. */
export function compileNamePattern(source: string): PatternResult {
  const { excludes, glob } = splitExclusion(source)
  const test = compileGlob(glob === "*" ? "**" : glob)
  if (typeof test === "string") return { kind: "bad", reason: test }
  const matches = ({ path }: PathForm) => path === glob || test(path)
  return { kind: "pattern", pattern: { source, excludes, folder: "", endings: [""], matches }, notes: [] }
}

/** Does a list of patterns take this form: one includes it and none excludes it? */
export function isIncluded(patterns: readonly Pattern[], form: PathForm): boolean {
  const isMatched = (excludes: boolean) =>
    patterns.some((pattern) => pattern.excludes === excludes && pattern.matches(form))
  return isMatched(false) && !isMatched(true)
}

/** `!x` excludes; `!(a|b)` at the start is the extended glob "anything but", as everywhere else. */
function splitExclusion(source: string): { excludes: boolean; glob: string } {
  const marks = /^!*(?!\()/.exec(source)?.[0] ?? ""
  return { excludes: marks.length % 2 === 1, glob: source.slice(marks.length).trim().normalize("NFC") }
}

function compileGlob(glob: string): TextTest | string {
  if (glob === "") return "it is empty"
  const violation = lengthViolation(glob) ?? boundsViolation(glob)
  if (violation !== undefined) return violation
  return compileText(escapeLiterals(glob))
}
