import type { AST } from "@eslint-community/regexpp"
import { RE2JS } from "re2js"
import { createCaseFolding, othersThan, type UnitRange, type Units, unitsOf } from "./code-units.ts"

/** Which way the text is read. Lookahead is lookbehind to a reader that comes from the other end. */
type Direction = "forward" | "backward"

interface Writing {
  readonly direction: Direction
  /** Leaves lookaround out: what is found then is all that is found with it, and more. */
  readonly isLoose: boolean
  readonly fold: (units: Units) => Units
}

/** What a group's modifiers say of what is in it. */
interface Mode {
  readonly ignoreCase: boolean
  readonly dotAll: boolean
}

/**
 * How large an expression may be, its counted repetitions written out. Up to there it takes less than a second for a megabyte of text that
 * fits it badly; at half as much again, minutes (measured on re2js 2.10.0: it then has no room for its automaton).
 */
const MOST_PARTS = 2_000
/** The same where it has lookaround, for which there is no automaton: each part takes its time at each character. */
const MOST_PARTS_WITH_LOOKAROUND = 150

/** Thrown for what the linear engine has no words for. */
class NotLinear extends Error {}

const SURROGATES: UnitRange = [0xd800, 0xdfff]
/** Where single surrogates go: the engine reads code points, and reads two of them that make a pair as one. */
const SURROGATE_OFFSET = 0x100000 - SURROGATES[0]
const NOTHING = "[^\\x{0}-\\x{10ffff}]"

/**
 * Compiles an expression for an engine whose time grows with the text only. That engine's own syntax means other things than
 * JavaScript's (`\s`, `.`, `$`, `\a`, `[[:alpha:]]`, `(?i)`): the expression is written anew from its syntax tree, with every character
 * as its number and every class as ranges of numbers.
 *
 * @param pattern an expression without flags.
 * @returns tests whole texts; undefined where it takes backtracking: back references, lookahead beside lookbehind, `(?m:…)`, and
 *   counted repetitions that are too many when written out.
 */
export function compileLinear(pattern: AST.Pattern): ((text: string) => boolean) | undefined {
  const kinds = lookaroundsOf(pattern)
  const most = kinds.size === 0 ? MOST_PARTS : MOST_PARTS_WITH_LOOKAROUND
  if (kinds.size > 1 || partsOf(pattern) > most) return undefined
  const direction: Direction = kinds.has("lookahead") ? "backward" : "forward"
  const fold = createCaseFolding()
  const strict = compileAs(pattern, { direction, isLoose: false, fold })
  if (strict === undefined) return undefined
  if (kinds.size === 0) return (text) => strict.test(readable(text, direction))
  // Lookaround is exact and slow; most texts don't get that far.
  const loose = compileAs(pattern, { direction: "forward", isLoose: true, fold })
  if (loose === undefined) return undefined
  return (text) => loose.test(readable(text, "forward")) && strict.test(readable(text, direction))
}

function compileAs(pattern: AST.Pattern, writing: Writing): RE2JS | undefined {
  try {
    const source = writeAlternatives(pattern.alternatives, writing, { ignoreCase: false, dotAll: false })
    return RE2JS.compile(source, RE2JS.LOOKBEHINDS)
  } catch {
    return undefined
  }
}

/** The text as the engine is to read it. */
function readable(text: string, direction: Direction): string {
  const turned = direction === "forward" ? text : text.split("").reverse().join("")
  return turned.replace(/[\ud800-\udfff]/g, (unit) => String.fromCodePoint(unit.charCodeAt(0) + SURROGATE_OFFSET))
}

function lookaroundsOf(node: AST.Pattern | AST.Element): ReadonlySet<AST.LookaroundAssertion["kind"]> {
  if (node.type === "Quantifier") return lookaroundsOf(node.element)
  const found = new Set<AST.LookaroundAssertion["kind"]>()
  if (node.type === "Assertion" && "alternatives" in node) found.add(node.kind)
  const alternatives = "alternatives" in node ? node.alternatives : []
  for (const element of alternatives.flatMap((alternative) => ("elements" in alternative ? alternative.elements : [])))
    for (const kind of lookaroundsOf(element)) found.add(kind)
  return found
}

/** How many characters and assertions an expression has, its counted repetitions written out. */
function partsOf(node: AST.Pattern | AST.Element): number {
  if (node.type === "Quantifier") {
    const often = node.max === Number.POSITIVE_INFINITY ? node.min + 1 : node.max
    return partsOf(node.element) * often
  }
  if (!("alternatives" in node)) return 1
  const elements = node.alternatives.flatMap((one) => ("elements" in one ? one.elements : []))
  return elements.reduce((sum, element) => sum + partsOf(element), 1)
}

function writeAlternatives(alternatives: readonly AST.Alternative[], writing: Writing, mode: Mode): string {
  return alternatives
    .map(({ elements }) => {
      const written = elements.map((element) => writeElement(element, writing, mode))
      return (writing.direction === "forward" ? written : written.reverse()).join("")
    })
    .join("|")
}

function writeElement(element: AST.Element, writing: Writing, mode: Mode): string {
  switch (element.type) {
    case "Character":
    case "CharacterSet":
    case "CharacterClass":
      return writeUnits(element, writing, mode)
    case "CapturingGroup":
      return `(?:${writeAlternatives(element.alternatives, writing, mode)})`
    case "Group":
      return `(?:${writeAlternatives(element.alternatives, writing, modeOf(element, mode))})`
    case "Quantifier": {
      const { min, max } = element
      const most = max === Number.POSITIVE_INFINITY ? "" : max
      return `(?:${writeElement(element.element, writing, mode)}){${min},${most}}`
    }
    case "Assertion":
      return writeAssertion(element, writing, mode)
    case "Backreference":
    case "ExpressionCharacterClass":
      throw new NotLinear(element.raw)
  }
}

function writeAssertion(assertion: AST.Assertion, writing: Writing, mode: Mode): string {
  switch (assertion.kind) {
    case "start":
      return writing.direction === "forward" ? "\\A" : "\\z"
    case "end":
      return writing.direction === "forward" ? "\\z" : "\\A"
    case "word":
      return assertion.negate ? "\\B" : "\\b"
    case "lookahead":
    case "lookbehind": {
      if (writing.isLoose) return ""
      return `(?<${assertion.negate ? "!" : "="}${writeAlternatives(assertion.alternatives, writing, mode)})`
    }
  }
}

function modeOf({ modifiers }: AST.Group, mode: Mode): Mode {
  if (modifiers?.add.multiline) throw new NotLinear(modifiers.raw)
  const isOn = (flag: keyof Mode) => modifiers?.add[flag] || (mode[flag] && !modifiers?.remove?.[flag])
  return { ignoreCase: isOn("ignoreCase") === true, dotAll: isOn("dotAll") === true }
}

function writeUnits(
  node: AST.Character | AST.CharacterSet | AST.CharacterClass,
  { fold }: Writing,
  { ignoreCase, dotAll }: Mode,
): string {
  const named = unitsOf(node, dotAll)
  if (named === undefined) throw new NotLinear(node.raw)
  const alike = ignoreCase ? fold(named) : named
  const units = node.type === "CharacterClass" && node.negate ? othersThan(alike) : alike
  const written = units.flatMap(asCodePoints)
  if (written.length === 0) return NOTHING
  return `[${written.map(([from, to]) => `${codePoint(from)}-${codePoint(to)}`).join("")}]`
}

/** Where these units are in a text that is `readable`: there no surrogate is at its own place. */
function asCodePoints([first, last]: UnitRange): readonly UnitRange[] {
  const [low, high] = SURROGATES
  const moved: UnitRange = [Math.max(first, low) + SURROGATE_OFFSET, Math.min(last, high) + SURROGATE_OFFSET]
  return [[first, last] as const, moved].filter(([from, to]) => from <= to)
}

function codePoint(value: number): string {
  return `\\x{${value.toString(16)}}`
}
