import {
  type Assignment,
  type Command,
  forEachChild,
  type ParsedScript,
  type Statement,
  type SyntaxNode,
  type Word,
} from "unbash"
import { setByArithmetic } from "./assigned.ts"
import { expandBraces } from "./braces.ts"
import { type ArgumentWord, type Gap, isKnown } from "./reading.ts"
import { literalArgument, toArgument } from "./words.ts"

/** What a script says that its variables hold, as far as it stands there. */
export interface Values {
  /** The text whose offsets `certain` is about. */
  readonly source: string
  /** Texts that a variable may hold; of a list, each of its words. */
  readonly candidates: ReadonlyMap<string, readonly (readonly string[])[]>
  /** Variables with one assignment that stands alone, at the top, and where it ends: behind it the text is known. */
  readonly certain: ReadonlyMap<string, { readonly text: string; readonly from: number }>
}

/** More texts than these are not tried for one variable. */
const mostCandidates = 4

/**
 * Collects the texts that a script gives its variables by assignments, `for` lists, defaults and `set --`.
 * @param outer what an enclosing script says, whose variables may be seen here.
 * @param positional `$0`, `$1` and so on, when they are known.
 */
export function valuesOf(
  script: ParsedScript,
  source: string,
  outer: Values | undefined,
  positional: readonly string[] = [],
): Values {
  const candidates = new Map<string, readonly string[][]>()
  const add = (name: string, words: readonly string[]): void => {
    const known = candidates.get(name) ?? []
    if (known.length < mostCandidates) candidates.set(name, [...known, [...words]])
  }
  for (const [name, lists] of outer?.candidates ?? []) for (const words of lists) add(name, words)
  addPositional(positional, add)
  const assigned = new Map<string, number>()
  const visit = (node: SyntaxNode, text: string): void => {
    collect(node, text, add, assigned)
    forEachChild(node, (child) => visit(child, child.type === "Script" ? (child.source ?? text) : text))
  }
  visit(script, source)
  const certain = new Map<string, { text: string; from: number }>()
  for (const { name, text, from } of script.commands.flatMap((statement) => lonelyAssignments(statement, source))) {
    if (assigned.get(name) === 1) certain.set(name, { text, from })
  }
  return { source, candidates, certain }
}

type Add = (name: string, words: readonly string[]) => void

function addPositional([zero, ...others]: readonly string[], add: Add): void {
  if (zero !== undefined) add("0", [zero])
  if (others.length === 0) return
  for (const [index, word] of others.entries()) add(String(index + 1), [word])
  for (const name of ["@", "*"]) add(name, others)
}

function collect(node: SyntaxNode, source: string, add: Add, assigned: Map<string, number>): void {
  switch (node.type) {
    case "Assignment":
      assigned.set(node.name, (assigned.get(node.name) ?? 0) + 1)
      addAssignment(node, source, add)
      return
    case "For":
    case "Select":
      assigned.set(node.name.value, 2)
      for (const word of node.wordlist ?? []) addWord(node.name.value, word, source, add)
      return
    case "Command":
      if (node.name?.value === "set") addPositional(["bash", ...operandsOfSet(node, source)], add)
      if (naming.has(node.name?.value ?? "")) for (const name of namesIn(node)) assigned.set(name, 2)
      return
    case "ArithmeticCommand":
    case "ArithmeticExpansion":
    case "ArithmeticFor":
      for (const { name } of setByArithmetic(source.slice(node.pos, node.end)))
        if (name !== undefined) assigned.set(name, 2)
      return
    case "ParameterExpansion":
      if (node.operation?.type === "Default" && node.operation.operator.includes("=")) {
        assigned.set(node.parameter, 2)
        addWord(node.parameter, node.operation.operand, source, add)
      }
      return
    default:
      return
  }
}

/** Builtins that set the variables they name. */
const naming = new Set(
  "read mapfile readarray printf getopts unset let wait declare typeset local export readonly".split(" "),
)

function namesIn(node: Command): readonly string[] {
  return node.args.flatMap((word) => (word.type === "Word" ? (word.text.match(/[A-Za-z_]\w*/g) ?? []) : []))
}

function addAssignment(node: Assignment, source: string, add: Add): void {
  if (node.value.type === "Word") {
    addWord(node.name, node.value, source, add)
    return
  }
  const words = node.value.elements.map((word) => toArgument(word, source))
  if (!words.every(isKnown)) return
  for (const index of ["[@]", "[*]"]) {
    add(
      node.name + index,
      words.map((word) => word.value),
    )
  }
  for (const [index, word] of words.entries()) add(`${node.name}[${index}]`, [word.value])
}

function addWord(name: string, word: Word, source: string, add: Add): void {
  const argument = toArgument(word, source)
  if (isKnown(argument)) add(name, [argument.value])
}

function operandsOfSet(node: Command, source: string): readonly string[] {
  const words = node.args.map((word) => toArgument(word, source))
  const start = words.findIndex((word) => !/^[-+]/.test(word.value) || word.value === "--")
  const operands = start === -1 ? [] : words.slice(words[start]?.value === "--" ? start + 1 : start)
  return operands.every(isKnown) ? operands.map((word) => word.value) : []
}

/** `x=text` as a statement of its own, which always runs. */
function lonelyAssignments(
  statement: Statement,
  source: string,
): readonly { readonly name: string; readonly text: string; readonly from: number }[] {
  const { command } = statement
  if (command.type !== "Command" || command.name !== undefined || statement.background === true) return []
  return command.prefix.flatMap((item) => {
    if (item.type !== "Assignment" || item.append === true || item.index !== undefined) return []
    if (item.value.type !== "Word") return []
    const argument = toArgument(item.value, source)
    return isKnown(argument) ? [{ name: item.name, text: argument.value, from: command.end }] : []
  })
}

/** Fills the gaps of a word whose text is certain. */
export function fillCertain(
  word: ArgumentWord,
  source: string,
  values: Values,
  used: (name: string, isQuoted: boolean) => void,
): ArgumentWord {
  if (isKnown(word) || source !== values.source) return word
  const fragments = [word.fragments[0] ?? ""]
  const gaps: Gap[] = []
  for (const [index, gap] of word.gaps.entries()) {
    const next = word.fragments[index + 1] ?? ""
    const known = gap.name === undefined ? undefined : values.certain.get(gap.name)
    if (gap.name === undefined || known === undefined || known.from > word.pos || mayChange(known.text, gap)) {
      gaps.push(gap)
      fragments.push(next)
      continue
    }
    used(gap.name, gap.isQuoted)
    fragments.push(`${fragments.pop() ?? ""}${known.text}${next}`)
  }
  if (gaps.length === word.gaps.length) return word
  const value = fragments.map((text, index) => text + (gaps[index]?.text ?? "")).join("")
  return { ...word, value, fragments, gaps, isSplit: word.isSplit && gaps.length > 0 }
}

/** Outside of quotes a text is cut at whitespace, its globs are expanded, and an empty one is no word. */
function mayChange(text: string, gap: Gap): boolean {
  return !gap.isQuoted && !/^[^\s*?[\]\\]+$/.test(text)
}

/** More words than this are not filled in. */
const mostWords = 200

/**
 * What a command may become: with the texts that variables may hold, with braces expanded, and with what is not known
 * left out where the shell may make nothing of it.
 */
export function assumedWords(words: readonly ArgumentWord[], values: Values): readonly (readonly ArgumentWord[])[] {
  const names = words.flatMap((word) => word.gaps.flatMap((gap) => gap.name ?? []))
  const rounds = Math.max(1, ...names.map((name) => values.candidates.get(name)?.length ?? 1))
  const seen = new Set([keyOf(words)])
  const filled: (readonly ArgumentWord[])[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const vanishes of [false, true]) {
      const variant = words.flatMap((word) => fill(word, { values, round, vanishes }))
      const key = keyOf(variant)
      if (variant.length === 0 || variant.length > mostWords || seen.has(key)) continue
      seen.add(key)
      filled.push(variant)
    }
  }
  return filled
}

function keyOf(words: readonly ArgumentWord[]): string {
  return JSON.stringify(words.map((word) => word.fragments))
}

interface Filling {
  readonly values: Values
  readonly round: number
  /** Leave out what is not known, outside of quotes. */
  readonly vanishes: boolean
}

interface Draft {
  readonly fragments: string[]
  readonly gaps: Gap[]
  /** It is a word even when it is empty. */
  isWord: boolean
}

function fill(word: ArgumentWord, filling: Filling): readonly ArgumentWord[] {
  if (isKnown(word)) return [word]
  const braces = expandBraces(word.written)
  if (braces !== undefined) return braces.filter((text) => text !== "").map(literalArgument)
  // With `nullglob`, a glob that matches nothing is no word.
  if (filling.vanishes && word.gaps.some((gap) => /^[*?[]/.test(gap.text))) return []
  const drafts: Draft[] = [draft(word.fragments[0] ?? "")]
  for (const [index, gap] of word.gaps.entries()) {
    fillGap(gap, filling, drafts)
    append(drafts, word.fragments[index + 1] ?? "")
  }
  return drafts.filter((item) => item.isWord || item.gaps.length > 0).map((item) => finished(item, word))
}

function fillGap(gap: Gap, filling: Filling, drafts: Draft[]): void {
  const words = textsOf(gap, filling)
  if (words === undefined) {
    if (filling.vanishes && !gap.isQuoted) return
    const last = drafts.at(-1)
    last?.gaps.push(gap)
    last?.fragments.push("")
    return
  }
  const isList = gap.name === "@" || gap.name?.endsWith("[@]") === true
  const pieces = gap.isQuoted ? (isList ? words : [words.join(" ")]) : words.flatMap((text) => text.split(/\s+/))
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) drafts.push(draft(""))
    append(drafts, piece)
    const last = drafts.at(-1)
    if (last !== undefined && gap.isQuoted) last.isWord = true
  }
}

function textsOf({ name, fallback }: Gap, { values, round }: Filling): readonly string[] | undefined {
  const lists = name === undefined ? [] : (values.candidates.get(name) ?? [])
  return lists[Math.min(round, lists.length - 1)] ?? (fallback === undefined ? undefined : [fallback])
}

function draft(text: string): Draft {
  return { fragments: [text], gaps: [], isWord: text !== "" }
}

function append(drafts: Draft[], text: string): void {
  const last = drafts.at(-1)
  if (last === undefined || text === "") return
  last.fragments.push((last.fragments.pop() ?? "") + text)
  last.isWord = true
}

function finished({ fragments, gaps }: Draft, word: ArgumentWord): ArgumentWord {
  const value = fragments.map((text, index) => text + (gaps[index]?.text ?? "")).join("")
  return {
    written: value,
    value,
    fragments,
    gaps,
    isSplit: gaps.some((gap) => !gap.isQuoted),
    pos: word.pos,
    end: word.end,
  }
}
