import { JS, NFA } from "refa"

/** More states than any expression of a rule that a person wrote. */
const MAX_STATES = 2_000

/**
 * The language of an expression: the texts that it matches as a whole. Undefined when it has parts that no automaton has
 * (assertions, back references) or too many states.
 */
export function languageOf(source: string): NFA | undefined {
  try {
    const parser = JS.Parser.fromLiteral({ source, flags: "" })
    const { expression, maxCharacter } = parser.parse({ assertions: "throw", backreferences: "throw" })
    return NFA.fromRegex(expression, { maxCharacter }, {}, new NFA.LimitedNodeFactory(MAX_STATES))
  } catch {
    return undefined
  }
}
