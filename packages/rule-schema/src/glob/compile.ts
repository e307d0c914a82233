import picomatch from "picomatch"
import { boundsViolation } from "./bounds.ts"
import { hasEnds, literalEnds } from "./literal-ends.ts"
import { escapeRouteSegments } from "./literal-segments.ts"
import type { PathForm } from "./path-form.ts"

/** One compiled pattern. `source` is as the author wrote it. */
export interface Pattern {
  readonly source: string
  readonly excludes: boolean
  matches(form: PathForm): boolean
}

export type PatternResult =
  | { readonly kind: "pattern"; readonly pattern: Pattern }
  | { readonly kind: "bad"; readonly reason: string }

/** Compiles a pattern over file paths. Never throws. */
export function compilePathPattern(source: string): PatternResult {
  const { excludes, glob } = splitExclusion(source)
  const text = glob
    .replace(/^(?:\.\/+)+/, "")
    .replace(/\/$/, "/**")
    .replace(/^[A-Z]:(?=\/)/, (drive) => drive.toLowerCase())
  const isRooted = text.startsWith("/")
  const isAbsolute = isRooted || /^[a-z]:\//.test(text)
  const isBasename = !text.includes("/")
  const test = compileGlob(text)
  if (typeof test === "string") return { kind: "bad", reason: test }
  const testUnderRoot = isRooted ? compileGlob(text.slice(1)) : test
  if (typeof testUnderRoot === "string") return { kind: "bad", reason: testUnderRoot }
  const matches = (form: PathForm) => {
    if (isBasename) return test(form.base)
    if (isAbsolute && test(form.absolute)) return true
    return test(form.verbatim) || (form.relative !== undefined && testUnderRoot(form.relative))
  }
  return { kind: "pattern", pattern: { source, excludes, matches } }
}

/** A pattern over names with slashes in them, such as branches: the whole name has to match. Never throws. */
export function compileNamePattern(source: string): PatternResult {
  const { excludes, glob } = splitExclusion(source)
  const test = compileGlob(glob === "*" ? "**" : glob)
  if (typeof test === "string") return { kind: "bad", reason: test }
  const matches = ({ verbatim }: PathForm) => verbatim === glob || test(verbatim)
  return { kind: "pattern", pattern: { source, excludes, matches } }
}

/** Does a list of patterns take this form: one includes it and none excludes it? */
export function isIncluded(patterns: readonly Pattern[], form: PathForm): boolean {
  let included = false
  for (const pattern of patterns) {
    if (pattern.excludes ? false : included) continue
    if (!pattern.matches(form)) continue
    if (pattern.excludes) return false
    included = true
  }
  return included
}

/** `!x` excludes; `!(a|b)` at the start is the extended glob "anything but", as everywhere else. */
function splitExclusion(source: string): { excludes: boolean; glob: string } {
  const marks = /^!*(?!\()/.exec(source)?.[0] ?? ""
  return { excludes: marks.length % 2 === 1, glob: source.slice(marks.length).trim().normalize("NFC") }
}

function compileGlob(glob: string): ((text: string) => boolean) | string {
  if (glob === "") return "it is empty"
  const violation = boundsViolation(glob)
  if (violation !== undefined) return violation
  try {
    // A lone `+` is a quantifier to picomatch behind a group, which no glob language has.
    const text = escapeRouteSegments(glob).replace(/(?<![\\[])\+(?!\()/g, "\\+")
    const test = picomatch(text, {
      dot: true,
      windows: false,
      posix: true,
      strictBrackets: true,
      nonegate: true,
      debug: true,
      expandRange,
    })
    const ends = literalEnds(text)
    return (candidate) => hasEnds(candidate, ends) && test(candidate)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** `{1..10}` as alternatives; picomatch's own reading is a character class. Its size was bounded before. */
function expandRange(from: string, to: string, ...rest: unknown[]): string {
  const step = Math.max(Math.abs(typeof rest[0] === "string" ? Number(rest[0]) : 1) || 1, 1)
  if (/^-?\d+$/.test(from) && /^-?\d+$/.test(to)) {
    const [low, high] = [Number(from), Number(to)].toSorted((a, b) => a - b)
    const width = /^-?0\d/.test(from) || /^-?0\d/.test(to) ? Math.max(from.length, to.length) : 0
    const numbers: string[] = []
    for (let value = low ?? 0; value <= (high ?? 0); value += step) numbers.push(String(value).padStart(width, "0"))
    return `(?:${numbers.join("|")})`
  }
  if (/^[a-z]$/i.test(from) && /^[a-z]$/i.test(to)) return `[${from < to ? `${from}-${to}` : `${to}-${from}`}]`
  return `\\{${literal(from)}\\.\\.${literal(to)}\\}`
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
}
