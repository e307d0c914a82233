import type { AST } from "@eslint-community/regexpp"

/** More characters than this no backtracking expression looks at. */
const LONGEST_REACH = 64 * 1024
/**
 * How many characters an expression may look at by the degree of the polynomial that its work can grow with, so that the worst of them
 * takes some tenths of a second.
 */
const REACHES = [LONGEST_REACH, LONGEST_REACH, 16 * 1024, 1024, 256] as const
/** A repetition of more is one that grows with the text; one of less only multiplies. */
const SHORT_REPETITION = 9
/** As many ways to match one and the same text as are tried in no time. */
const MOST_WAYS = 256

/** How the ways to match one text grow: so many times the text's length to the power of `degree`. */
interface Growth {
  readonly ways: number
  readonly degree: number
}

const ENDLESS: Growth = { ways: Number.POSITIVE_INFINITY, degree: 0 }

/**
 * How many characters of a text JavaScript's own engine can look at for an expression, so that it ends soon whatever the text is.
 *
 * @returns undefined when no length would do: a repeated group that itself can match in several ways.
 */
export function backtrackingReach(pattern: AST.Pattern): number | undefined {
  const { ways, degree } = alternatives(pattern.alternatives)
  if (ways > MOST_WAYS) return undefined
  const starts = pattern.alternatives.every(({ elements }) => isStart(elements[0])) ? 0 : 1
  return REACHES[degree + starts]
}

function isStart(element: AST.Element | undefined): boolean {
  return element?.type === "Assertion" && element.kind === "start"
}

function alternatives(all: readonly AST.Alternative[]): Growth {
  const each = all.map(({ elements }) => elements.map(growthOf).reduce(inSequence, { ways: 1, degree: 0 }))
  return {
    ways: each.reduce((sum, { ways }) => sum + ways, 0),
    degree: Math.max(...each.map(({ degree }) => degree)),
  }
}

function inSequence(a: Growth, b: Growth): Growth {
  return { ways: a.ways * b.ways, degree: a.degree + b.degree }
}

function growthOf(element: AST.Element): Growth {
  switch (element.type) {
    case "CapturingGroup":
    case "Group":
      return alternatives(element.alternatives)
    case "Assertion":
      return element.kind === "lookahead" || element.kind === "lookbehind"
        ? alternatives(element.alternatives)
        : { ways: 1, degree: 0 }
    case "Quantifier":
      return repeated(growthOf(element.element), element)
    case "Backreference":
      // It compares as much as its group has matched, which may be all of the text.
      return [element.resolved].flat().some((group) => alternatives(group.alternatives).degree > 0)
        ? { ways: 1, degree: 1 }
        : { ways: 1, degree: 0 }
    case "Character":
    case "CharacterSet":
    case "CharacterClass":
    case "ExpressionCharacterClass":
      return { ways: 1, degree: 0 }
  }
}

function repeated(one: Growth, { element, min, max }: AST.Quantifier): Growth {
  if (max <= 1) return { ways: one.ways + (min === 0 ? 1 : 0), degree: one.degree }
  const isGroup = element.type === "Group" || element.type === "CapturingGroup" || element.type === "Assertion"
  if (min === max && one.ways === 1 && one.degree === 0) return one
  if (max > SHORT_REPETITION) return isGroup ? ENDLESS : { ways: 1, degree: 1 }
  return { ways: (max - min + 1) * one.ways ** max, degree: one.degree * max }
}
