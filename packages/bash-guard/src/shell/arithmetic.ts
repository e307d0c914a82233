import type { ArithmeticExpression } from "unbash"
import type { Assigned } from "./assigned.ts"
import type { ArgumentWord } from "./reading.ts"
import { literalArgument, toArgument } from "./words.ts"

/**
 * Arithmetic evaluates what variables hold, and a value such as `a[$(rm x)]` runs a command. Where a value may come from
 * decides: `safe`, the output of a program (`output`), or text of the script or its input that may be made for it (`text`).
 */
const safe = 0
const output = 1
const text = 2

/** A place in which words are evaluated as arithmetic. */
export interface Evaluation {
  readonly words: readonly ArgumentWord[]
  /** `[[ a -gt b ]]` takes the output of programs as it is. */
  readonly isTest: boolean
  /** The array of which the words are a subscript. */
  readonly array?: string | undefined
  readonly written: string
}

/** What is known of a script's variables when all of it was read. */
export interface Knowledge {
  readonly assigned: readonly Assigned[]
  /** Every word that becomes `$1` and so on: of functions, `set --`, shells. */
  readonly positional: readonly ArgumentWord[]
  readonly associative: ReadonlySet<string>
  readonly functions: ReadonlySet<string>
  /** Variables with the integer attribute: what is assigned to them is evaluated. */
  readonly integers: ReadonlySet<string>
}

/** The texts in which a script may run a command by evaluating arithmetic. */
export function riskyEvaluations(evaluations: readonly Evaluation[], knowledge: Knowledge): readonly string[] {
  const trust = trustOf(knowledge)
  const ofIntegers = knowledge.assigned.filter(({ name }) => name !== undefined && knowledge.integers.has(name))
  const integers = ofIntegers.flatMap(({ value, written }): readonly Evaluation[] =>
    value === undefined ? [] : [{ words: [value], isTest: false, written }],
  )
  const fromInput = ofIntegers.filter(({ kind }) => kind === "input").map(({ written }) => written)
  const risky = [...evaluations, ...integers].filter(({ words, isTest, array }) => {
    if (array !== undefined && knowledge.associative.has(array)) return false
    return words.some((word) => trust(word) > (isTest ? output : safe))
  })
  return [...fromInput, ...risky.map(({ written }) => written)]
}

const unsafeVariables =
  /^(_|BASH_REMATCH|BASH_ARGV|BASH_COMMAND|BASH_EXECUTION_STRING|BASH_SOURCE|FUNCNAME|DIRSTACK|PWD|OLDPWD)$/
/** What a word takes over from variables, and what is in it by itself. */
interface Origin {
  readonly level: number
  readonly names: readonly string[]
}

const positional = "@"

/** The trust in a word, from the trust in the variables it names. */
function trustOf(knowledge: Knowledge): (word: ArgumentWord) => number {
  const levels = new Map<string, number>()
  const users = new Map<string, string[]>()
  const changed: string[] = []
  const raise = (name: string, level: number): void => {
    if (level <= (levels.get(name) ?? safe)) return
    levels.set(name, level)
    changed.push(name)
  }
  const take = (name: string, origin: Origin): void => {
    raise(name, origin.level)
    for (const used of origin.names) {
      const known = users.get(used)
      if (known === undefined) users.set(used, [name])
      else known.push(name)
    }
  }
  for (const { name, kind, value } of knowledge.assigned) {
    if (name === undefined || kind === "number" || kind === "unset") continue
    take(name, kind === "input" || value === undefined ? { level: text, names: [] } : originOf(value, knowledge))
  }
  for (const word of knowledge.positional) take(positional, originOf(word, knowledge))
  for (let name = changed.pop(); name !== undefined; name = changed.pop()) {
    for (const user of users.get(name) ?? []) raise(user, levels.get(name) ?? safe)
  }
  return (word) => {
    const { level, names } = originOf(word, knowledge)
    return Math.max(level, ...names.map((name) => Math.max(levels.get(name) ?? safe, ofSpecial(name))))
  }
}

function ofSpecial(name: string): number {
  return unsafeVariables.test(name) ? text : safe
}

function originOf(word: ArgumentWord, knowledge: Knowledge): Origin {
  const literal = word.fragments.join(" ")
  if (/[$`]/.test(literal)) return { level: text, names: [] }
  const origins = word.gaps.map((gap) => originOfGap(gap.text, knowledge))
  const names = [...namesIn(literal), ...origins.flatMap((origin) => origin.names)]
  const special = names.some((name) => unsafeVariables.test(name)) ? text : safe
  return { level: Math.max(special, ...origins.map((origin) => origin.level)), names }
}

function originOfGap(gap: string, { functions }: Knowledge): Origin {
  const none = { level: safe, names: [] }
  if (/^(\$\(\(|\$\[)/.test(gap)) return none
  if (/^(\$\(|`|\$\{[\s|])/.test(gap)) return { level: printsNumber(gap, functions) ? safe : output, names: [] }
  const name = /^\$\{?([A-Za-z_]\w*|\d+|[@*])/.exec(gap)?.[1]
  if (name !== undefined) {
    const rest = gap.slice(gap.indexOf(name) + name.length)
    const level = /[$`]/.test(rest.replace(/\$\{?#?[A-Za-z_]\w*/g, "")) ? text : safe
    return { level, names: [/^[\d@*]/.test(name) ? positional : name, ...namesIn(rest)] }
  }
  if (/^\$\{![A-Za-z_]\w*\[[@*]\]\}/.test(gap) || /^\$(\{?#|[?$!-]|\{[?$!-]\})/.test(gap)) return none
  return { level: /^[\w{},.-]*$/.test(gap) ? safe : text, names: [] }
}

/** Names in a text: arithmetic takes them for variables. */
function namesIn(literal: string): readonly string[] {
  return [...new Set(literal.match(/[A-Za-z_]\w*/g) ?? [])]
}

const numeric =
  /(?:^|[|;&(`\n])\s*(wc|nproc|expr|seq|id\s+-[ugr]+|tput|bc|date\s+(?:-u\s+)?['"]?\+['"]?%[-sNYmdHMSjuy%]+['"]?|grep\s+(?:-\w*c\w*|--count)(?:\s[^|;&`]*)?|git\s+rev-list\s(?:[^|;&`]*\s)?--count(?:\s[^|;&`]*)?|stat\s+-[cf]\s*['"]?%[a-zA-Z]+['"]?)(?:\s[^|;&`()]*)?\s*[)`]$/

/** Whether a substitution's output comes from a program that prints numbers. */
function printsNumber(substitution: string, functions: ReadonlySet<string>): boolean {
  if (substitution.length > 300) return false
  const program = numeric.exec(substitution)?.[1]?.split(/\s/, 1)[0]
  return program !== undefined && !functions.has(program)
}

/** The words of an arithmetic expression; of one that was not understood, its text. */
export function wordsOf(
  expression: ArithmeticExpression | undefined,
  written: string,
  source: string,
): readonly ArgumentWord[] {
  if (expression === undefined) return [literalArgument(written)]
  switch (expression.type) {
    case "ArithmeticBinary":
      return [...wordsOf(expression.left, written, source), ...wordsOf(expression.right, written, source)]
    case "ArithmeticUnary":
      return wordsOf(expression.operand, written, source)
    case "ArithmeticTernary":
      return [expression.test, expression.consequent, expression.alternate].flatMap((part) =>
        wordsOf(part, written, source),
      )
    case "ArithmeticGroup":
      return wordsOf(expression.expression, written, source)
    case "ArithmeticWord": {
      const { pos, end, value, parts } = expression
      return [toArgument({ type: "Word", text: value, value, pos, end, parts }, source)]
    }
    case "ArithmeticCommandExpansion":
      return [{ ...literalArgument(""), fragments: ["", ""], gaps: [{ text: expression.text, isQuoted: true }] }]
    default:
      return expression satisfies never
  }
}
