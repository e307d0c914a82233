import { baseName } from "../shell/expand.ts"
import type { ArgumentWord, FoundCommand } from "../shell/reading.ts"
import { type CompiledRule, evaluate, type Match, mostRestrictive } from "./rules.ts"
import { couldMatch, matchesWildcard } from "./wildcard.ts"

/** The verdict of the bash patterns on one command; `why` is for people. */
export interface CommandMatch extends Match {
  readonly why: "pattern" | "possible pattern"
}

/**
 * Resolves one command against the bash patterns. Allow meets only what is written. Ask and deny patterns that stand
 * later in the order than the one that met the written text also meet the command without quoting, without assignment
 * prefixes and without a leading path; and where only the shell knows a part, a pattern that could meet it makes it ask.
 */
export function resolveCommand(command: FoundCommand, rules: readonly CompiledRule[]): CommandMatch {
  const texts = [command.written, bareText(command)].filter((text) => text !== "")
  const written = mostRestrictive(texts.map((text) => evaluate(rules, text))) ?? evaluate(rules, "")
  const spelled = spellings(command).flatMap((spelling) => spelledMatch(spelling, written, rules))
  const possible = spellings(command).flatMap((spelling) => possibleMatch(spelling, written, rules))
  const matches: readonly CommandMatch[] = [{ ...written, why: "pattern" }, ...spelled, ...possible]
  return (
    matches.find((match) => match.action === "deny") ??
    matches.find((match) => match.action === "ask") ??
    first(matches, written)
  )
}

function first(matches: readonly CommandMatch[], written: Match): CommandMatch {
  return matches[0] ?? { ...written, why: "pattern" }
}

interface Spelling {
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
  const stripped = { ...name, value: baseName(name.value), fragments: strippedFragments(name) }
  // Where file names have no case, `RM` is `rm`.
  const lower = {
    ...stripped,
    value: stripped.value.toLowerCase(),
    fragments: stripped.fragments.map((text) => text.toLowerCase()),
  }
  const names = [name, stripped, lower].filter(
    (word, index, all) => all.findIndex((other) => other.value === word.value) === index,
  )
  return names.map((word) => spellingOf([word, ...args]))
}

function strippedFragments(name: ArgumentWord): readonly string[] {
  return name.fragments.length === 1 ? [baseName(name.value)] : name.fragments
}

function spellingOf(words: readonly ArgumentWord[]): Spelling {
  const fragments = [""]
  for (const [index, word] of words.entries()) {
    const [head = "", ...rest] = word.fragments
    fragments.push(`${fragments.pop() ?? ""}${index === 0 ? "" : " "}${head}`, ...rest)
  }
  const text = words
    .map((word) => word.value)
    .join(" ")
    .trimEnd()
  return { text, fragments }
}

function spelledMatch(spelling: Spelling, written: Match, rules: readonly CompiledRule[]): readonly CommandMatch[] {
  const match = evaluate(rules, spelling.text)
  return match.action !== "allow" && match.order > written.order ? [{ ...match, why: "pattern" }] : []
}

function possibleMatch(spelling: Spelling, written: Match, rules: readonly CompiledRule[]): readonly CommandMatch[] {
  if (spelling.fragments.length === 1) return []
  const rule = rules.findLast(
    (candidate) =>
      candidate.order > written.order &&
      candidate.action !== "allow" &&
      !matchesWildcard(spelling.text, candidate.wildcard) &&
      couldMatch(spelling.fragments, candidate.pattern),
  )
  return rule === undefined ? [] : [{ ...rule, action: "ask", why: "possible pattern" }]
}
