import { programName } from "../shell/names.ts"
import type { ArgumentWord, FoundCommand } from "../shell/reading.ts"
import { fragmentsOf, matchNormal } from "./normal-form.ts"
import { type CompiledPermission, evaluate, type Match, mostRestrictive } from "./rules.ts"
import { couldMatch, matchesWildcard } from "./wildcard.ts"

/** The verdict of the bash patterns on one command. */
export interface CommandMatch extends Match {
  /** The form of the command that the pattern matches. */
  readonly form: string
  /** `possible`: only the shell knows a part of it. */
  readonly certainty: "certain" | "possible"
  /** Every form that patterns were compared with, the written one first. */
  readonly forms: readonly string[]
}

type FormMatch = Omit<CommandMatch, "forms">

/**
 * Resolves one command against the bash patterns. Allow matches only what is written. Ask and deny patterns that stand
 * later in the order than the one that matched the written text also match the command without quoting, without assignment
 * prefixes, without a leading path, and in its normal form: whatever options stand before a subcommand, however options
 * are written. Where only the shell knows a part, a pattern that could match it makes it ask.
 */
export function resolveCommand(command: FoundCommand, rules: readonly CompiledPermission[]): CommandMatch {
  const texts = [...new Set([command.written, bareText(command)].filter((text) => text !== ""))]
  const matches = texts.map((text): FormMatch => ({ ...evaluate(rules, text), form: text, certainty: "certain" }))
  const written = mostRestrictive(matches) ?? { ...evaluate(rules, ""), form: "", certainty: "certain" }
  const spelled = spellings(command)
  const later = rules.filter((rule) => rule.order > written.order && rule.action !== "allow")
  const others = [
    ...spelled.flatMap((spelling) => spelledMatch(spelling, written, rules)),
    ...normalMatches(command, spelled, later),
    ...spelled.flatMap((spelling) => possibleMatch(spelling, later)),
  ]
  const all = [written, ...others]
  const decided = all.find((match) => match.action === "deny") ?? all.find((match) => match.action === "ask") ?? written
  const forms = [...texts, ...spelled.map((spelling) => spelling.text), decided.form]
  return { ...decided, forms: [...new Set(forms)] }
}

interface Spelling {
  readonly name: string
  readonly text: string
  readonly fragments: readonly string[]
}

/** The command without its redirections. */
function bareText(command: FoundCommand): string {
  return [...command.assignments, ...command.words.map((word) => word.written)].filter((text) => text !== "").join(" ")
}

function spellings(command: FoundCommand): readonly Spelling[] {
  const [name, ...args] = command.words
  if (name === undefined) return []
  const names = name.fragments.length > 1 ? [name.value] : [name.value, ...namesOf(name.value)]
  return [...new Set(names)].map((value) => {
    const words = [{ ...name, value, fragments: name.fragments.length > 1 ? name.fragments : [value] }, ...args]
    const text = words.map((word) => word.value).join(" ")
    return { name: value, text: text.trimEnd(), fragments: fragmentsOf(words) }
  })
}

/** Without its path; in lower case and without `.exe`, as some file systems take it; and as the program it is known by. */
function namesOf(name: string): readonly string[] {
  const base = name.slice(name.lastIndexOf("/") + 1)
  return [base, base.toLowerCase().replace(/\.exe$/, ""), programName(name)]
}

function spelledMatch(spelling: Spelling, written: Match, rules: readonly CompiledPermission[]): readonly FormMatch[] {
  const match = evaluate(rules, spelling.text)
  if (match.action === "allow" || match.order <= written.order) return []
  return [{ ...match, form: spelling.text, certainty: "certain" }]
}

function normalMatches(
  command: FoundCommand,
  spelled: readonly Spelling[],
  later: readonly CompiledPermission[],
): readonly FormMatch[] {
  const args: readonly ArgumentWord[] = command.words.slice(1)
  return later.toReversed().flatMap((rule): readonly FormMatch[] => {
    const { normal } = rule
    if (normal === undefined || !spelled.some((spelling) => spelling.name === normal.program)) return []
    const match = matchNormal(normal, normal.program, args)
    if (match === undefined || (rule.action === "ask" && rule.isApproved(match.form))) return []
    return [{ ...rule, ...match, action: match.certainty === "certain" ? rule.action : "ask" }]
  })
}

function possibleMatch(spelling: Spelling, later: readonly CompiledPermission[]): readonly FormMatch[] {
  if (spelling.fragments.length === 1) return []
  const rule = later.findLast(
    (candidate) =>
      !matchesWildcard(spelling.text, candidate.wildcard) && couldMatch(spelling.fragments, candidate.wildcard),
  )
  return rule === undefined ? [] : [{ ...rule, action: "ask", form: spelling.text, certainty: "possible" }]
}
