import type { Assignment, Word, WordPart } from "unbash"
import type { ArgumentWord, Gap } from "./reading.ts"

/** The parser's word as an argument: what is written, what it says, and where only the shell can tell. */
export function toArgument(word: Word | Assignment, source: string): ArgumentWord {
  const written = source.slice(word.pos, word.end)
  const place = { written, pos: word.pos, end: word.end }
  if (word.type === "Assignment") {
    const parts = word.value.type === "Word" ? (word.value.parts ?? []) : []
    return { ...place, ...assignmentValue(word, written), isSplit: parts.some(maySplit) }
  }
  const parts = word.parts
  if (parts === undefined) return { ...place, ...bareWord(word.value, written), isSplit: hasOpenBrace(written) }
  return { ...place, ...joinParts(parts), isSplit: parts.some(maySplit) }
}

/** A known word from text that no parser saw. */
export function literalArgument(text: string): ArgumentWord {
  return wordOf([text], [])
}

/** A word of known texts with gaps between them, from text that no parser saw, such as the operand of `env -S`. */
export function wordOf(fragments: readonly string[], gaps: readonly Gap[]): ArgumentWord {
  const value = fragments.map((text, index) => text + (gaps[index]?.text ?? "")).join("")
  const isSplit = gaps.some((gap) => !gap.isQuoted)
  return { written: value, value, fragments, gaps, isSplit, pos: 0, end: 0 }
}

/** A word with another text in front of it cut off: `--command=x` after `--command=`. */
export function cutWord(word: ArgumentWord, length: number): ArgumentWord {
  const [first = "", ...rest] = word.fragments
  const written = word.written.startsWith(word.value.slice(0, length)) ? word.written.slice(length) : word.written
  return { ...word, written, value: word.value.slice(length), fragments: [first.slice(length), ...rest] }
}

type Content = Pick<ArgumentWord, "value" | "fragments" | "gaps">

function assignmentValue(assignment: Assignment, written: string): Content {
  const value = assignment.value
  if (assignment.index !== undefined) return headAndGap(`${assignment.name}[`, written)
  if (value.type === "ArrayValue") return headAndGap(`${assignment.name}=`, written)
  const head = `${assignment.name}${assignment.append === true ? "+" : ""}=`
  const tail =
    value.parts === undefined ? { value: value.value, fragments: [value.value], gaps: [] } : joinParts(value.parts)
  const [first = "", ...rest] = tail.fragments
  return { value: head + tail.value, fragments: [head + first, ...rest], gaps: tail.gaps }
}

function headAndGap(head: string, written: string): Content {
  return { value: written, fragments: [head, ""], gaps: [{ text: written.slice(head.length), isQuoted: true }] }
}

/** `~` at the start and braces are the shell's to expand even where the parser makes no part of them. */
function bareWord(value: string, written: string): Content {
  if (written.startsWith("~")) {
    const [text = ""] = /^~[^/]*/.exec(value) ?? []
    return { value, fragments: ["", value.slice(text.length)], gaps: [{ text, isQuoted: true }] }
  }
  return hasOpenBrace(written) ? headAndGap("", value) : { value, fragments: [value], gaps: [] }
}

/** An unquoted brace may begin an expansion; `{}`, as `find` and `xargs` take it, is never one. */
function hasOpenBrace(written: string): boolean {
  return /(?<!\\)\{(?!\})/.test(written)
}

function joinParts(parts: readonly WordPart[]): Content {
  const content = { value: "", fragments: [""], gaps: [] as Gap[] }
  for (const part of parts) addPart(part, content)
  return content
}

interface Draft {
  value: string
  readonly fragments: string[]
  readonly gaps: Gap[]
}

function add(draft: Draft, text: string): void {
  draft.value += text
  draft.fragments.push((draft.fragments.pop() ?? "") + text)
}

function addGap(draft: Draft, gap: Gap): void {
  draft.value += gap.text
  draft.fragments.push("")
  draft.gaps.push(gap)
}

function addPart(part: WordPart, draft: Draft): void {
  switch (part.type) {
    case "Literal":
      if (hasOpenBrace(part.text) || part.text.startsWith("~")) addGap(draft, { text: part.value, isQuoted: false })
      else add(draft, part.value)
      return
    case "SingleQuoted":
      add(draft, part.value)
      return
    case "AnsiCQuoted":
      // bash also decodes \x{…}, and keeps a backslash before a line break; the parser does neither.
      if (/\\(x\{|\r?\n)/.test(part.text)) addGap(draft, { text: part.value, isQuoted: true })
      else add(draft, part.value)
      return
    case "DoubleQuoted":
      for (const child of part.parts) {
        if (child.type === "Literal") add(draft, child.value)
        else addGap(draft, { ...gapOf(child), isQuoted: true })
      }
      return
    case "LocaleString":
      // May be translated.
      addGap(draft, {
        text: part.parts.map((child) => (child.type === "Literal" ? child.value : child.text)).join(""),
        isQuoted: true,
      })
      return
    case "Glob":
    case "SimpleExpansion":
    case "ParameterExpansion":
    case "CommandExpansion":
    case "ArithmeticExpansion":
    case "ProcessSubstitution":
    case "ExtendedGlob":
    case "BraceExpansion":
      addGap(draft, gapOf(part))
      return
    default:
      part satisfies never
  }
}

function gapOf(part: Extract<WordPart, { text: string }>): Gap {
  const gap = { text: part.text, isQuoted: false }
  if (part.type === "SimpleExpansion") return { ...gap, name: part.text.slice(1) }
  if (part.type !== "ParameterExpansion") return gap
  if (part.prefix !== undefined) return gap
  const index = part.index === undefined ? "" : `[${part.index.text}]`
  const name = `${part.parameter}${index}`
  if (part.operation === undefined) return { ...gap, name }
  const { operation } = part
  if (operation.type !== "Default" || operation.operand.parts !== undefined) return gap
  return { ...gap, name, fallback: operation.operand.value }
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
