import { RE2JS } from "re2js"

/** A hook's compiled expression. `source` is as the author wrote it. */
export interface HookPattern {
  readonly source: string
  /** How many characters of a text are looked at. */
  readonly reach: number
  test(text: string): boolean
}

export type HookPatternResult =
  | { readonly kind: "pattern"; readonly pattern: HookPattern }
  | { readonly kind: "bad"; readonly reason: string; readonly remedy: string }

/** No expression looks at more of a call's arguments. */
const FULL_REACH = 64 * 1024
/**
 * For expressions that need backtracking: the reach by the degree of the polynomial that their work can grow with, so
 * that the worst of them takes some tenths of a second.
 */
const REACHES = [FULL_REACH, FULL_REACH, 16 * 1024, 1024, 256] as const
export const HOOK_PATTERN_REMEDY = "Write a JavaScript regular expression, in single quotes"

/**
 * Compiles a hook's `match`, a JavaScript regular expression without flags. What needs no backtracking runs on an engine
 * whose time grows with the text only, whatever the expression: JavaScript's own takes seconds for one as common as
 * `.*rm.*-rf` on 64 KB. Lookaround and backreferences need it: those run on JavaScript's engine, over a shorter text the
 * more they repeat, and are refused when no length would do. Never throws.
 */
export function compileHookPattern(source: string): HookPatternResult {
  let native: RegExp
  try {
    native = new RegExp(source)
  } catch (error) {
    return { kind: "bad", reason: `does not compile: ${messageOf(error)}`, remedy: HOOK_PATTERN_REMEDY }
  }
  const shape = source.replace(/\\[^1-9k]/gs, "x").replace(/\[\^?\]?[^\]]*\]/g, "x")
  const linear = /\(\?<?[=!]|\\[1-9k]/.test(shape) ? undefined : compileLinear(source)
  if (linear) {
    const test = (text: string) => linear.matcher(text.slice(0, FULL_REACH)).find()
    return { kind: "pattern", pattern: { source, reach: FULL_REACH, test } }
  }
  const reach = reachOf(shape)
  if (reach === undefined) {
    const reason = "could take without bound: it has lookaround or a backreference beside repeats"
    return { kind: "bad", reason, remedy: "Leave those out, repeat no group and less often, or write several hooks" }
  }
  return { kind: "pattern", pattern: { source, reach, test: (text) => native.test(text.slice(0, reach)) } }
}

function compileLinear(source: string): RE2JS | undefined {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(source))
  } catch {
    return undefined
  }
}

/** @param shape the expression with a letter for each escape and character class. */
function reachOf(shape: string): number | undefined {
  const repeats = Array.from(shape.matchAll(/(.?)(?:[*+]|\{\d+,(\d*)\})/gs)).filter(isLong)
  if (repeats.some(([, before]) => before === ")")) return undefined
  const starts = shape.startsWith("^") && !shape.includes("|") ? 0 : 1
  return REACHES[repeats.length + starts]
}

/** `{2,5}` only multiplies; a repeat without an end, or with a far one, grows with the text. */
function isLong([, , most]: RegExpMatchArray): boolean {
  return most === undefined || most === "" || Number(most) > 9
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
