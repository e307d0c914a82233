import { type AST, RegExpParser } from "@eslint-community/regexpp"
import { backtrackingReach } from "./backtracking.ts"
import { compileLinear } from "./linear.ts"

/** A hook's compiled expression. `source` is as the author wrote it. */
export interface HookPattern {
  readonly source: string
  /** How many characters of a text are looked at; undefined: all of them. */
  readonly reach: number | undefined
  test(text: string): boolean
}

/**
 * What a hook asks of a call's arguments: an expression for the JSON of all of them, or one for each of some arguments by name, of
 * which every one must match.
 */
export type HookMatch =
  | { readonly kind: "json"; readonly pattern: HookPattern }
  | { readonly kind: "arguments"; readonly patterns: ReadonlyMap<string, HookPattern> }

export type HookPatternResult =
  | { readonly kind: "pattern"; readonly pattern: HookPattern }
  | { readonly kind: "bad"; readonly reason: string; readonly remedy: string }

export const HOOK_PATTERN_REMEDY = "Write a JavaScript regular expression, in single quotes"

/**
 * Compiles a hook's `match`, a JavaScript regular expression without flags. Nearly every expression runs on an engine whose time
 * grows with the text only, and looks at all of the text: JavaScript's own takes seconds for one as common as `.*rm.*-rf` on 64 KB. What
 * can't be done without backtracking runs on JavaScript's engine, over a shorter text the more it repeats, and is refused when no
 * length would do. Either way it means what JavaScript says. Never throws.
 */
export function compileHookPattern(source: string): HookPatternResult {
  try {
    return compile(source, new RegExp(source), new RegExpParser().parsePattern(source))
  } catch (error) {
    return { kind: "bad", reason: `does not compile: ${messageOf(error)}`, remedy: HOOK_PATTERN_REMEDY }
  }
}

function compile(source: string, native: RegExp, syntax: AST.Pattern): HookPatternResult {
  const linear = compileLinear(syntax)
  if (linear) return { kind: "pattern", pattern: { source, reach: undefined, test: linear } }
  const reach = backtrackingReach(syntax)
  if (reach !== undefined) {
    return { kind: "pattern", pattern: { source, reach, test: (text) => native.test(text.slice(0, reach)) } }
  }
  const reason =
    "could take time without bound: it needs backtracking, or is too large once its counts are written out, and it repeats a group or repeats often"
  const remedy =
    "Leave out back references, lookahead beside lookbehind and large counts; repeat less often, and no groups; or write several hooks"
  return { kind: "bad", reason, remedy }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
