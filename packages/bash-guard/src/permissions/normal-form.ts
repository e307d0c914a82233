import type { ArgumentWord } from "../shell/reading.ts"
import { letterOf, optionsOf, subcommandOf, takesValue } from "./program-options.ts"
import { compileWildcard, couldMatch, matchesWildcard, type Wildcard } from "./wildcard.ts"

/** A pattern that names a program, taken apart: `git push --force *` is `git push`, `--force` and `*`. */
export interface NormalPattern {
  readonly program: string
  /** The plain words behind the program. */
  readonly subcommands: readonly string[]
  readonly options: readonly string[]
  /** What the rest of the command must match; undefined when there must be no rest. */
  readonly rest: Wildcard | undefined
}

/** How well a command matches a pattern in its normal form. */
export interface NormalMatch {
  readonly certainty: "certain" | "possible"
  /** The command in the form that matched. */
  readonly form: string
}

/** @returns undefined for a pattern that does not begin with a plain word. */
export function normalPattern(pattern: string): NormalPattern | undefined {
  const words = pattern.split(" ")
  const plain = words.findIndex((word) => /[*?]/.test(word) && !isOption(word))
  const head = plain === -1 ? words : words.slice(0, plain)
  const tail = plain === -1 ? [] : words.slice(plain)
  const [program, ...subcommands] = head.filter((word) => !isOption(word))
  if (program === undefined || program === "") return undefined
  const options = words.filter(isOption)
  const rest = tail.filter((word) => !isOption(word)).join(" ")
  return { program, subcommands, options, rest: rest === "" ? undefined : compileWildcard(rest) }
}

/** More words than this are not searched for a subcommand: what lies behind counts as a possible match. */
const mostSkipped = 64

/**
 * Matches a command with a pattern whatever options stand between program and subcommand, and however the pattern's own
 * options are written: `git -C . push` matches `git push *`, `rm -r -f x` matches `rm -rf *`.
 *
 * @param program the command's name without its path.
 * @param args the words behind the name.
 */
export function matchNormal(
  pattern: NormalPattern,
  program: string,
  args: readonly ArgumentWord[],
): NormalMatch | undefined {
  if (program !== pattern.program) return undefined
  let at = 0
  let isSure = true
  for (const wanted of pattern.subcommands) {
    const found = findSubcommand(wanted, program, args, at)
    if (found === undefined) return undefined
    if (found.isRest) return { certainty: "possible", form: formOf(pattern, []) }
    isSure &&= found.isSure
    at = found.at + 1
  }
  const missing = missingOption(pattern.options, program, args)
  if (missing === "absent") return undefined
  const rest = args.slice(at)
  const matched = matchRest(pattern, rest)
  if (matched === undefined) return undefined
  const certainty = isSure && missing === "present" && matched === "certain" ? "certain" : "possible"
  return {
    certainty,
    form: formOf(pattern, pattern.options.length === 0 ? rest : rest.filter((word) => !isOption(word.value))),
  }
}

interface Found {
  readonly at: number
  readonly isSure: boolean
  /** A word that may become several, the subcommand and more among them. */
  readonly isRest: boolean
}

/** The subcommand behind options and their values. An option that is not known may or may not take the word behind it. */
function findSubcommand(
  wanted: string,
  program: string,
  args: readonly ArgumentWord[],
  from: number,
): Found | undefined {
  let isSure = true
  let mayBeValue = false
  for (let at = from; at < args.length; at += 1) {
    const word = args[at]
    if (word === undefined) return undefined
    if (at - from > mostSkipped) return { at, isSure: false, isRest: true }
    if (word.isSplit) {
      const [head = "", ...others] = word.fragments
      // `git -C . $x`: the words it becomes may begin with the subcommand.
      if (couldMatch([head, ...others, ""], compileWildcard(wanted))) return { at, isSure: false, isRest: true }
    } else if (!isOption(word.value)) {
      if (subcommandOf(program, word.value) === wanted) return { at, isSure, isRest: false }
      if (word.fragments.length > 1 && couldMatch(word.fragments, compileWildcard(wanted))) {
        return { at, isSure: false, isRest: false }
      }
    }
    if (isOption(word.value)) {
      // Behind a subcommand its own options stand, which the table doesn't have.
      const known = takesValue(program, word.value)
      const valued = known === false && from > 0 ? undefined : known
      if (valued === true) at += 1
      mayBeValue = valued === undefined && !word.value.includes("=")
      continue
    }
    if (!mayBeValue) return undefined
    isSure = false
    mayBeValue = false
  }
  return undefined
}

/** Whether the command has all of the pattern's options, in whatever spelling. */
function missingOption(
  wanted: readonly string[],
  program: string,
  args: readonly ArgumentWord[],
): "present" | "unknown" | "absent" {
  if (wanted.length === 0) return "present"
  const end = args.findIndex((word) => word.value === "--")
  const words = end === -1 ? args : args.slice(0, end)
  const present = words.filter((word) => isOption(word.value)).map((word) => word.value)
  const letters = lettersOf(program, present)
  const absent = wanted.filter((option) => !hasOption(option, program, present, letters))
  if (absent.length === 0) return "present"
  return words.some(mayBeOption) ? "unknown" : "absent"
}

function lettersOf(program: string, options: readonly string[]): ReadonlySet<string> {
  if (optionsOf(program)?.singleDash === true) return new Set()
  return new Set(
    options.flatMap((option) => {
      if (!option.startsWith("--")) return option.slice(1).split("")
      return letterOf(program, option.slice(2)) ?? []
    }),
  )
}

function hasOption(wanted: string, program: string, present: readonly string[], letters: ReadonlySet<string>): boolean {
  const wildcard = compileWildcard(wanted)
  if (present.some((option) => matchesWildcard(option, wildcard))) return true
  if (!wanted.startsWith("--"))
    return (
      letters.size > 0 &&
      wanted
        .slice(1)
        .split("")
        .every((letter) => letters.has(letter))
    )
  // GNU programs and git take abbreviated names, and a value behind `=`.
  const isSame = (option: string): boolean => {
    const [name = ""] = option.split("=", 1)
    return name.length > 3 && wanted.startsWith(name)
  }
  if (present.some(isSame)) return true
  const letter = letterOf(program, wanted.slice(2))
  return letter !== undefined && letters.has(letter)
}

function mayBeOption(word: ArgumentWord): boolean {
  const [head = ""] = word.fragments
  return word.fragments.length > 1 && (head === "" || head.startsWith("-"))
}

function matchRest(
  { rest, options }: NormalPattern,
  words: readonly ArgumentWord[],
): "certain" | "possible" | undefined {
  if (rest === undefined)
    return words.every((word) => options.length > 0 && isOption(word.value)) ? "certain" : undefined
  const operands = words.findIndex((word) => !isOption(word.value))
  const forms = [words, operands === -1 ? [] : words.slice(operands)]
  if (options.length > 0) forms.push(words.filter((word) => !isOption(word.value)))
  const texts = forms.map(textOf)
  // A rest of ` *` is optional, together with the space before it.
  if (texts.some((text) => matchesWildcard(text, rest) || (text === "" && /^\**$/.test(rest.pattern)))) return "certain"
  return forms.some((form) => couldMatch(fragmentsOf(form), rest)) ? "possible" : undefined
}

function textOf(words: readonly ArgumentWord[]): string {
  return words.map((word) => word.value).join(" ")
}

/** The known parts of words with a space between them. */
export function fragmentsOf(words: readonly ArgumentWord[]): readonly string[] {
  const fragments = [""]
  for (const [index, word] of words.entries()) {
    const [head = "", ...rest] = word.fragments
    fragments.push(`${fragments.pop() ?? ""}${index === 0 ? "" : " "}${head}`, ...rest)
  }
  return fragments
}

function formOf(pattern: NormalPattern, rest: readonly ArgumentWord[]): string {
  return [pattern.program, ...pattern.subcommands, ...pattern.options, textOf(rest)]
    .filter((text) => text !== "")
    .join(" ")
}

function isOption(word: string): boolean {
  return /^-./.test(word) && word !== "--"
}
