import { cut, groupBy, label, pathForm, quoted } from "@opencode-rulebook/rule-schema"

/** A rule for which a call does not run, and the files that it applies to; none where it is the call itself. */
export interface Stop {
  readonly rule: { readonly name: string }
  readonly paths: readonly string[]
}

/** Of one rule's files; the model has the others in its own call. */
const MOST_PATHS = 3
const LONGEST_PATH = 200
const MOST_LITERALS = 5
const LONGEST_LITERAL = 100
const LONGEST_NAME = 100

/**
 * What the model reads in place of a held call's result: one line.
 *
 * @param stops the rules for which it is held, at least one.
 * @param directory paths below it are shown relative to it, absolute.
 */
export function heldMessage(stops: readonly Stop[], directory: string): string {
  const groups = groupBy(stops, ({ paths }) => filesOf(paths, directory))
  const clauses = Array.from(groups, ([files, group], at) => {
    const names = group.map(({ rule }) => nameOf(rule))
    const verb = at > 0 ? "" : group.length > 1 ? " apply" : " applies"
    return `${inWords(names)}${verb} to ${files}`
  })
  const [it, come] = stops.length > 1 ? ["them", "come"] : ["it", "comes"]
  const news = clauses.length > 1 ? ". They" : " and"
  return `Held: ${clauses.join(", ")}${news} ${come} with the next message. Read ${it} and repeat the call.`
}

/** What a rule forbids, in one file. */
export interface Refusal extends Pick<Stop, "rule"> {
  readonly path: string
  readonly literals: readonly string[]
  /** Whether the rule is not in the conversation yet. */
  readonly comes: boolean
}

/**
 * What the model reads in place of a refused call's result: one line.
 *
 * @param refusals for each rule and file, at least one.
 */
export function refusedMessage(refusals: readonly Refusal[], directory: string): string {
  const clauses = refusals.map(({ rule, path, literals }) => {
    return `${nameOf(rule)} forbids ${literalsInWords(literals)} in ${shownPath(path, directory)}`
  })
  const it = refusals.flatMap(({ literals }) => literals).length > 1 ? "them" : "it"
  const coming = new Set(refusals.filter(({ comes }) => comes).map(({ rule }) => rule))
  const news =
    coming.size === 0
      ? ""
      : coming.size === 1
        ? "; the rule comes with the next message"
        : "; the rules come with the next message"
  return `Refused: ${clauses.join(", ")}. Leave ${it} out and repeat the call${news}.`
}

/** Literals as a line shows them: in quotes, the beginning of a long one. */
export function literalsInWords(literals: readonly string[]): string {
  const shown = literals.slice(0, MOST_LITERALS).map((literal) => quoted(literal, LONGEST_LITERAL))
  const rest = literals.length - shown.length
  return inWords(rest > 0 ? [...shown, `${rest} more`] : shown)
}

/** A file as the session's folder names it, on one line. */
export function shownPath(path: string, directory: string): string {
  return cut(label(pathForm(path, { root: directory, directory }).path), LONGEST_PATH)
}

export function nameOf({ name }: Stop["rule"]): string {
  return `*${cut(name, LONGEST_NAME)}*`
}

function filesOf(paths: readonly string[], directory: string): string {
  if (paths.length === 0) return "this call"
  const shown = paths.slice(0, MOST_PATHS).map((path) => shownPath(path, directory))
  const rest = paths.length - shown.length
  return inWords(rest > 0 ? [...shown, rest === 1 ? "1 more file" : `${rest} more files`] : shown)
}

/** "a", "a and b", "a, b and c". */
function inWords(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`
}
