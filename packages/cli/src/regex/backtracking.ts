import { type AST, RegExpParser, visitRegExpAST } from "@eslint-community/regexpp"
import { isDisjointWith } from "refa"
import { analyse } from "scslre"
import { languageOf } from "./language.ts"

/** From so many repetitions on, work that doubles with each has no end. */
const MANY = 20
const MAX_STATES = 5_000

/**
 * Can an expression take time that doubles with each character of the text? It can when a repetition meets the same text in
 * several ways and something behind it can fail. False for expressions that don't compile.
 */
export function backtracksExponentially(source: string): boolean {
  try {
    const unbounded = withoutBounds(source)
    if (analyse({ source: unbounded, flags: "" }).reports.some(({ exponential }) => exponential)) return true
    return ambiguousRepetitions(new RegExpParser().parsePattern(unbounded)).length > 0
  } catch {
    return false
  }
}

/** `{1,100}` as `{1,}`: a bound that high is none for practical purposes. */
function withoutBounds(source: string): string {
  const bounded: AST.Quantifier[] = []
  visitRegExpAST(new RegExpParser().parsePattern(source), {
    onQuantifierEnter(quantifier) {
      if (quantifier.max >= MANY && quantifier.max !== Number.POSITIVE_INFINITY) bounded.push(quantifier)
    },
  })
  return bounded
    .toSorted((a, b) => b.element.end - a.element.end)
    .reduce((text, { element, end, min, greedy }) => {
      return `${text.slice(0, element.end)}{${Math.min(min, 1)},}${greedy ? "" : "?"}${text.slice(end)}`
    }, source)
}

/** `(a|b|ab)*c`: two ways of going on that meet the same text. The analysis above looks at repetitions only. */
function ambiguousRepetitions(pattern: AST.Pattern): readonly AST.Quantifier[] {
  const found: AST.Quantifier[] = []
  visitRegExpAST(pattern, {
    onQuantifierEnter(quantifier) {
      const { max, element } = quantifier
      const isGroup = element.type === "Group" || element.type === "CapturingGroup"
      if (max !== Number.POSITIVE_INFINITY || !isGroup || !hasMoreBehind(quantifier)) return
      if (isAmbiguous(element)) found.push(quantifier)
    },
  })
  return found
}

function isAmbiguous(group: AST.Group | AST.CapturingGroup): boolean {
  const anything = `(?:${group.alternatives.map(({ raw }) => raw).join("|")})*`
  const ways = group.alternatives
    .filter(({ raw }) => !new RegExp(`^(?:${raw})$`).test(""))
    .map(({ raw }) => languageOf(`(?:${raw})${anything}`))
  return ways.some((way, index) =>
    ways.slice(index + 1).some((other) => way && other && !isDisjointWith(way, other, MAX_STATES)),
  )
}

/** Is there anything behind a part that could fail and make the engine try its other ways? */
function hasMoreBehind(part: AST.Quantifier): boolean {
  let node: AST.Node = part
  for (let parent: AST.Node | null = node.parent; parent !== null; node = parent, parent = parent.parent) {
    if (parent.type === "Alternative" && parent.elements.at(-1) !== node) return true
  }
  return false
}
