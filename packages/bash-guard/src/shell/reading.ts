/** What a command line says, once read: its simple commands, the files it writes, and what cannot be known about it. */

/** A word of a command: its text as written, and what the shell makes of it as far as that can be known. */
export interface ArgumentWord {
  /** Source text, quotes and all. */
  readonly written: string
  /** The word without its quoting; expansions stand as their source text. */
  readonly value: string
  /** `value` cut at everything only the shell can tell: `a$x.b` is `["a", ".b"]`, a known word is `[value]`. */
  readonly fragments: readonly string[]
  /** The shell may make no word of it, or several: an expansion outside of quotes, a brace, `"$@"`. */
  readonly isSplit: boolean
  /** Offsets into the source the word came from. */
  readonly pos: number
  readonly end: number
}

/** A redirection to or from a file: `target` is undefined when the parser saw none. */
export interface FileRedirect {
  readonly mode: "read" | "write"
  readonly written: string
  readonly target: ArgumentWord | undefined
}

/**
 * One command to judge. `simple` is a simple command of the script; `wrapped` is what a wrapper such as `timeout` or
 * `find -exec` starts (judged like any other, but no command of its own when commands are counted).
 */
export interface FoundCommand {
  readonly role: "simple" | "wrapped"
  /** Source text, with assignment prefixes and redirections. */
  readonly written: string
  /** Assignment prefixes as written, in order. */
  readonly assignments: readonly string[]
  /** Name and arguments; empty for a bare assignment or redirection. */
  readonly words: readonly ArgumentWord[]
  /** 1 at the top; each substitution and each payload of `eval`, `sh -c` and the like adds one. */
  readonly depth: number
  /** It may run more than once or at another time than where it stands: loops, functions, traps. */
  readonly deferred: boolean
}

/** Why a script cannot be allowed outright: what was found, and the text it was found in. */
export interface Doubt {
  readonly reason: string
  readonly text: string
}

export type Reading =
  | { readonly kind: "unreadable"; readonly reason: string; readonly line: number; readonly column: number }
  | {
      readonly kind: "read"
      readonly source: string
      readonly commands: readonly FoundCommand[]
      readonly redirects: readonly FileRedirect[]
      readonly doubts: readonly Doubt[]
      /** No line break separates one part of the script from another. */
      readonly isSingleLine: boolean
    }

/** True when nothing in the word is left to the shell. */
export function isKnown(word: ArgumentWord): boolean {
  return word.fragments.length === 1
}
