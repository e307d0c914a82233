/** What a command line says, once read: its simple commands, the files it writes, and what cannot be known about it. */

/** A part of a word that only the shell can tell. */
export interface Gap {
  /** As it is written. */
  readonly text: string
  /** In double quotes, so that it does not become several words (lists such as `"$@"` aside). */
  readonly isQuoted: boolean
  /** The variable, for a plain expansion: `x`, `1`, `@`, `list[@]`. */
  readonly name?: string
  /** The known text of `${x:-text}`. */
  readonly fallback?: string
}

/** A word of a command: its text as written, and what the shell makes of it as far as that can be known. */
export interface ArgumentWord {
  /** Source text, quotes and all. */
  readonly written: string
  /** The word without its quoting; expansions stand as their source text. */
  readonly value: string
  /** `value` cut at everything only the shell can tell: `a$x.b` is `["a", ".b"]`, a known word is `[value]`. */
  readonly fragments: readonly string[]
  /** What stands between the fragments; one less than they are. */
  readonly gaps: readonly Gap[]
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
 * How a command came to be found. `simple`: it stands in the script. `wrapped`: another command starts it, as `timeout` or
 * `find -exec` do (judged like any other, but no command of its own when commands are counted). `launched`: another command
 * starts it in surroundings of its own, a container or a package runner; only denials count. `assumed`: what a command
 * becomes once variables and braces that stand in the script are filled in; only denials count.
 */
export type Role = "simple" | "wrapped" | "launched" | "assumed"

/** One command to judge. */
export interface FoundCommand {
  readonly role: Role
  /** Source text, with assignment prefixes and redirections. */
  readonly written: string
  /** Assignment prefixes as written, in order. */
  readonly assignments: readonly string[]
  /** Name and arguments; empty for a bare assignment or redirection. */
  readonly words: readonly ArgumentWord[]
  /** 1 at the top; each substitution and each payload of `eval`, `sh -c` and the like adds one. */
  readonly depth: number
  /** It stands in a string, where the host's own check doesn't see it. */
  readonly isInString: boolean
  /** From this word on, the words are not about files of this machine. */
  readonly elsewhereFrom?: number
}

/** Why a script cannot be allowed outright: what was found, and the text it was found in. */
export interface Doubt {
  readonly reason: string
  readonly text: string
}

/** A part of a script that has folders of its own, or runs only perhaps, or more than once. */
export type Block =
  /** What happens to the current folder in it ends with it. */
  | "subshell"
  /** It may be skipped. */
  | "branch"
  /** It runs only when the command before it succeeded. */
  | "success"
  /** It runs only when the command before it failed, and ends the script: `cd x || exit`. */
  | "exit"
  /** It may run any number of times. */
  | "loop"
  /** It runs later, if at all: functions and traps. */
  | "deferred"

/** The script in the order in which the shell goes through it. */
export type Step =
  | { readonly kind: "command"; readonly command: FoundCommand }
  | { readonly kind: "redirect"; readonly redirect: FileRedirect }
  | { readonly kind: "enter"; readonly block: Block }
  | { readonly kind: "leave" }

export type Reading =
  | { readonly kind: "unreadable"; readonly reason: string; readonly line: number; readonly column: number }
  | {
      readonly kind: "read"
      readonly source: string
      readonly commands: readonly FoundCommand[]
      readonly steps: readonly Step[]
      readonly doubts: readonly Doubt[]
      /** No line break separates one part of the script from another. */
      readonly isSingleLine: boolean
      /** What the script sets a variable to; undefined when that is not all known. */
      valuesOf(name: string): readonly ArgumentWord[] | undefined
    }

/** True when nothing in the word is left to the shell. */
export function isKnown(word: ArgumentWord): boolean {
  return word.fragments.length === 1
}

/** True when the word may begin with a dash, so that it may be an option. */
export function mayBeOption(word: ArgumentWord): boolean {
  const [head = ""] = word.fragments
  return !isKnown(word) && (head === "" || head.startsWith("-"))
}
