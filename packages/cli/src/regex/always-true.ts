import { type AST, RegExpParser } from "@eslint-community/regexpp"
import { DFA, isDisjointWith, type NFA } from "refa"
import { languageOf } from "./language.ts"

/** More states than an expression needs that every call meets. */
const MAX_STATES = 5_000

/**
 * An argument that every call of a tool has, on both majors of OpenCode (measured on 1.18.33 and a preview of v2, where file
 * tools call theirs by another name).
 */
const REQUIRED_ARGUMENT: Readonly<Record<string, string>> = {
  bash: "command",
  shell: "command",
  apply_patch: "patchText",
  patch: "patchText",
}

/**
 * Does every call of a tool meet a hook's expression? It is tested on the JSON of the call's arguments, of which nothing is
 * assumed but the braces, a first key, and the argument that the tool requires. False as well when that can't be told.
 *
 * @param tool lower case, or `*`.
 */
export function meetsEveryCall(source: string, tool: string): boolean {
  const argument = Object.hasOwn(REQUIRED_ARGUMENT, tool) ? REQUIRED_ARGUMENT[tool] : undefined
  const calls = languageOf(argument === undefined ? '\\{".*\\}' : `\\{(?:".*,)?"${argument}":".*\\}`)
  const met = alternativesOf(source).flatMap((alternative) => languageOf(textsWith(alternative)) ?? [])
  return calls !== undefined && met.length > 0 && met.some((language) => includes(language, calls))
}

function includes(language: NFA, other: NFA): boolean {
  try {
    const rest = DFA.fromFA(language, new DFA.LimitedNodeFactory(MAX_STATES))
    rest.complement(new DFA.LimitedNodeFactory(MAX_STATES))
    return isDisjointWith(rest, other, MAX_STATES)
  } catch {
    return false
  }
}

function alternativesOf(source: string): readonly AST.Alternative[] {
  try {
    return new RegExpParser().parsePattern(source).alternatives
  } catch {
    return []
  }
}

/** An expression for all texts in which an alternative is found: `^` and `$` at its ends hold it to the text's. */
function textsWith({ elements }: AST.Alternative): string {
  const isEdge = (element: AST.Element | undefined, kind: "start" | "end") =>
    element?.type === "Assertion" && element.kind === kind
  const from = isEdge(elements[0], "start") ? 1 : 0
  const to = elements.length - (isEdge(elements.at(-1), "end") ? 1 : 0)
  const middle = elements.slice(from, Math.max(from, to)).map(({ raw }) => raw)
  return `${from === 1 ? "" : "[^]*"}(?:${middle.join("")})${to < elements.length ? "" : "[^]*"}`
}
