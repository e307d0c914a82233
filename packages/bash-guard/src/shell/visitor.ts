import type { Command, Redirection, Word } from "unbash"
import type { Assigned } from "./assigned.ts"
import type { Feed } from "./feed.ts"
import type { ArgumentWord, Block } from "./reading.ts"

/** Where a node stands: which text its offsets index, how deep, what feeds its standard input. */
export interface ScriptPlace {
  readonly source: string
  readonly depth: number
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

/** What the walk finds. Every call carries the place, so that offsets are never read in the wrong text. */
export interface Visitor {
  command(node: Command, place: ScriptPlace): void
  redirect(node: Redirection, place: ScriptPlace): void
  /** Parts with folders of their own, that may be skipped, or that may run again. */
  enter(block: Block): void
  leave(): void
  /** A `$(…)`, backtick, `<(…)`, `>(…)`, `${ …; }` or `$((…))` the tree knows of. */
  substitution(span: Span, place: ScriptPlace): void
  /** Text in which `$(` and backticks are characters: single quotes, `$'…'`, quoted here-documents. */
  quoted(span: Span, place: ScriptPlace): void
  /** Text in which only `<(` and `>(` are characters. */
  halfQuoted(span: Span, place: ScriptPlace): void
  /** Text in which a backslash does not keep a substitution from running: within an expansion in quotes. */
  unescapable(span: Span, place: ScriptPlace): void
  /** A word, assignment or other leaf of the script: what lies outside of all of them is operators, whitespace and comments. */
  leaf(span: Span, place: ScriptPlace): void
  /** The body of a here-document with the line that ends it. */
  body(span: Span, place: ScriptPlace): void
  /** Text the shell evaluates as arithmetic; `loop` for the header of a C-style `for`. */
  arithmetic(span: Span, place: ScriptPlace, kind: "expression" | "loop"): void
  /** Words whose values are evaluated as arithmetic; `array` when they are its subscript. */
  evaluates(
    words: readonly ArgumentWord[],
    span: Span,
    place: ScriptPlace,
    how?: { isTest?: boolean; array?: string },
  ): void
  /** A variable is set. */
  assigns(assigned: Assigned): void
  functionNamed(name: Word, place: ScriptPlace): void
  doubt(reason: string, span: Span, place: ScriptPlace): void
  /** A script of its own text: backticks with escapes inside. */
  ownText(source: string, span: Span, outer: ScriptPlace): void
  unreadable(message: string, pos: number, source: string): void
}
