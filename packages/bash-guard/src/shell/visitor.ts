import type { Command, Redirection, Word } from "unbash"
import type { Feed } from "./feed.ts"

/** Where a node stands: which text its offsets index, how deep, what feeds its standard input. */
export interface Place {
  readonly source: string
  readonly depth: number
  readonly deferred: boolean
  readonly stdin: Feed
  /** `code`: single quotes quote. `text`: they don't (double quotes, here-documents, arithmetic, subscripts). */
  readonly quoting: "code" | "text"
  /** Extended globs are patterns here, as in `case` and `[[ ]]`. */
  readonly pattern: boolean
}

export interface Span {
  readonly pos: number
  readonly end: number
}

/** What the walk meets. Every call carries the place, so that offsets are never read in the wrong text. */
export interface Visitor {
  command(node: Command, place: Place): void
  redirect(node: Redirection, place: Place): void
  /** A `$(…)`, backtick, `<(…)`, `>(…)`, `${ …; }` or `$((…))` the tree knows of. */
  substitution(span: Span, place: Place): void
  /** Text in which `$(` and backticks are characters: single quotes, `$'…'`, quoted here-documents. */
  quoted(span: Span, place: Place): void
  /** Text in which only `<(` and `>(` are characters. */
  halfQuoted(span: Span, place: Place): void
  /** A word. `isValue` when it becomes a variable's value, which arithmetic may evaluate. */
  word(node: Word, place: Place, isValue: boolean): void
  /** Text in which a backslash does not keep a substitution from running: within an expansion in quotes. */
  unescapable(span: Span, place: Place): void
  /** A word, assignment or other leaf of the script: what lies outside of all of them is operators, blanks and comments. */
  leaf(span: Span, place: Place): void
  /** Text the shell evaluates as arithmetic; `loop` for the header of a C-style `for`. */
  arithmetic(span: Span, place: Place, kind: "expression" | "loop" | "subscript"): void
  doubt(reason: string, span: Span, place: Place): void
  /** A script of its own text: backticks with escapes inside. */
  ownText(source: string, span: Span, outer: Place): void
  unreadable(message: string, pos: number, source: string): void
}
