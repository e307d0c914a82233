import { type AST, RegExpParser } from "@eslint-community/regexpp"

/**
 * The end at which an expression is held to what the JSON of a call's arguments never has there: the JSON begins with `{` and ends with
 * `}`. Undefined when it may match, and when that is not certain.
 *
 * @param source an expression that compiles.
 */
export function impossibleEnd(source: string): "start" | "end" | undefined {
  const { alternatives } = new RegExpParser().parsePattern(source)
  const isNever = (end: Edge) => alternatives.every(({ elements }) => neverMatches(elements, end))
  if (isNever(START)) return "start"
  return isNever(END) ? "end" : undefined
}

interface Edge {
  readonly kind: "start" | "end"
  /** What the JSON has there. */
  readonly character: string
  /** The elements from that end. */
  readonly order: (elements: readonly AST.Element[]) => readonly AST.Element[]
}

const START: Edge = { kind: "start", character: "{", order: (elements) => elements }
const END: Edge = { kind: "end", character: "}", order: (elements) => elements.toReversed() }

function neverMatches(elements: readonly AST.Element[], edge: Edge): boolean {
  const [first, ...rest] = edge.order(elements)
  if (first?.type === "Assertion" && first.kind === edge.kind) return !admits(rest, edge)
  if (first?.type !== "Group" && first?.type !== "CapturingGroup") return false
  return first.alternatives.every((each) => neverMatches(edge.order([...edge.order(each.elements), ...rest]), edge))
}

/** Can the text that these elements match, in the order of the edge, have the JSON's character there? True when in doubt. */
function admits(elements: readonly AST.Element[], edge: Edge): boolean {
  for (const [index, element] of elements.entries()) {
    switch (element.type) {
      case "Assertion":
        break
      case "Quantifier":
        if (admits([element.element], edge)) return true
        if (element.min > 0) return false
        break
      case "Group":
      case "CapturingGroup": {
        const rest = elements.slice(index + 1)
        return element.alternatives.some((each) => admits([...edge.order(each.elements), ...rest], edge))
      }
      case "Character":
      case "CharacterSet":
      case "CharacterClass":
        return new RegExp(`^(?:${element.raw})$`).test(edge.character)
      case "Backreference":
      case "ExpressionCharacterClass":
        return true
    }
  }
  return true
}
