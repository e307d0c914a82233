import type { Assignment, Word, WordPart } from "unbash"
import type { ArgumentWord } from "./reading.ts"

/** The parser's word as an argument: what is written, what it says, and where only the shell can tell. */
export function toArgument(word: Word | Assignment, source: string): ArgumentWord {
  const written = source.slice(word.pos, word.end)
  const place = { written, pos: word.pos, end: word.end }
  if (word.type === "Assignment") {
    const parts = word.value.type === "Word" ? (word.value.parts ?? []) : []
    return { ...place, ...assignmentValue(word, written), isSplit: parts.some(maySplit) }
  }
  const parts = word.parts
  if (parts === undefined) {
    return {
      ...place,
      value: word.value,
      fragments: bareFragments(word.value, written),
      isSplit: hasOpenBrace(written),
    }
  }
  return { ...place, ...joinParts(parts), isSplit: parts.some(maySplit) }
}

/** Whether the shell may make no word, or several, of one that has this part. */
function maySplit(part: WordPart): boolean {
  switch (part.type) {
    case "DoubleQuoted":
    case "LocaleString":
      return part.parts.some(isList)
    case "Literal":
      return hasOpenBrace(part.text)
    case "SingleQuoted":
    case "AnsiCQuoted":
    case "ProcessSubstitution":
    case "ArithmeticExpansion":
      return false
    case "ParameterExpansion":
      return !isNumber(part)
    case "SimpleExpansion":
      return !/^\$[#?$!]$/.test(part.text)
    case "Glob":
    case "CommandExpansion":
    case "ExtendedGlob":
    case "BraceExpansion":
      return true
    default:
      return part satisfies never
  }
}

/** `${#x}` */
function isNumber(part: Extract<WordPart, { type: "ParameterExpansion" }>): boolean {
  return part.prefix === "#" && part.operation === undefined
}

/** `$@`, `${x[@]}` and `${!x@}` are words of their own also in quotes. */
function isList(part: WordPart): boolean {
  if (part.type === "SimpleExpansion") return part.text === "$@"
  return part.type === "ParameterExpansion" && !isNumber(part) && /@/.test(part.text)
}

/** The characters of a word that stand for themselves; what a glob or brace makes of its escapes is among them. */
export function plainText(word: Word, source: string): string {
  const inPatterns = (word.parts ?? []).flatMap((part) =>
    part.type === "Glob" || part.type === "ExtendedGlob" || part.type === "BraceExpansion"
      ? (part.text.match(/\\[$`]/g) ?? [])
      : [],
  )
  return [...toArgument(word, source).fragments, ...inPatterns].join("")
}

/** A word from text that no parser saw, such as the operand of `env -S`. */
export function literalArgument(text: string): ArgumentWord {
  return { written: text, value: text, fragments: [text], isSplit: false, pos: 0, end: text.length }
}

function assignmentValue(assignment: Assignment, written: string): Pick<ArgumentWord, "value" | "fragments"> {
  const value = assignment.value
  if (value.type === "ArrayValue" || assignment.index !== undefined) return { value: written, fragments: ["", ""] }
  const head = `${assignment.name}${assignment.append === true ? "+" : ""}=`
  const tail = value.parts === undefined ? { value: value.value, fragments: [value.value] } : joinParts(value.parts)
  const [first = "", ...rest] = tail.fragments
  return { value: head + tail.value, fragments: [head + first, ...rest] }
}

/** `~` at the start and braces are the shell's to expand even where the parser makes no part of them. */
function bareFragments(value: string, written: string): readonly string[] {
  if (written.startsWith("~")) return ["", value.replace(/^~[^/]*/, "")]
  if (hasOpenBrace(written)) return ["", ""]
  return [value]
}

/** An unquoted brace may begin an expansion; `{}`, as `find` and `xargs` take it, is never one. */
function hasOpenBrace(written: string): boolean {
  return /(?<!\\)\{(?!\})/.test(written)
}

function joinParts(parts: readonly WordPart[]): Pick<ArgumentWord, "value" | "fragments"> {
  let value = ""
  const fragments = [""]
  const add = (text: string): void => {
    value += text
    fragments.push((fragments.pop() ?? "") + text)
  }
  const addUnknown = (text: string): void => {
    value += text
    fragments.push("")
  }
  for (const part of parts) addPart(part, add, addUnknown)
  return { value, fragments }
}

function addPart(part: WordPart, add: (text: string) => void, addUnknown: (text: string) => void): void {
  switch (part.type) {
    case "Literal":
      if (hasOpenBrace(part.text) || part.text.startsWith("~")) addUnknown(part.value)
      else add(part.value)
      return
    case "SingleQuoted":
      add(part.value)
      return
    case "AnsiCQuoted":
      // bash also decodes \x{…}, and keeps a backslash before a line break; the parser does neither.
      if (/\\(x\{|\r?\n)/.test(part.text)) addUnknown(part.value)
      else add(part.value)
      return
    case "DoubleQuoted":
      for (const child of part.parts) {
        if (child.type === "Literal") add(child.value)
        else addUnknown(child.text)
      }
      return
    case "LocaleString":
      // May be translated.
      addUnknown(part.parts.map((child) => (child.type === "Literal" ? child.value : child.text)).join(""))
      return
    case "Glob":
    case "SimpleExpansion":
    case "ParameterExpansion":
    case "CommandExpansion":
    case "ArithmeticExpansion":
    case "ProcessSubstitution":
    case "ExtendedGlob":
    case "BraceExpansion":
      addUnknown(part.text)
      return
    default:
      part satisfies never
  }
}
