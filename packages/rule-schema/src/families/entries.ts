import { trimInvisible } from "../frontmatter/lines.ts"
import type { Frontmatter } from "../frontmatter/read.ts"
import { type Entry, isEmptyValue, itemsOf, type Value } from "../frontmatter/value.ts"
import { splitPatterns } from "../glob/split.ts"
import type { ProblemPlace, Problems } from "../problems.ts"
import { quoted } from "../text.ts"
import type { TextField } from "./fields.ts"

/** One declared text and its place in the file. `field` is the key as it was written. */
export interface TextEntry {
  readonly text: string
  readonly offset: number
  readonly field: string
}

interface Dropped {
  readonly offset: number
  readonly reason: string
  readonly remedy: string
}

/**
 * Reads a key (and its aliases) that takes texts: trimmed, empty ones dropped, exact duplicates dropped. Undefined when it is
 * not declared, or when nothing valid is in it, which is one error. An entry that is left out is one warning beside valid ones.
 */
export function readEntries(
  frontmatter: Frontmatter,
  field: TextField,
  problems: Problems,
): readonly TextEntry[] | undefined {
  const entries = [field.key, ...field.aliases].flatMap((key) => frontmatter.get(key) ?? [])
  const words = entries.map((entry) => readEntry(entry, field, problems))
  if (entries.length === 0 || words.some((list) => list === undefined)) return undefined
  const seen = new Set<string>()
  return words
    .flatMap((list) => list ?? [])
    .filter((word) => {
      const isNew = !seen.has(word.text)
      seen.add(word.text)
      return isNew
    })
}

function readEntry(entry: Entry, field: TextField, problems: Problems): readonly TextEntry[] | undefined {
  const { value, key } = entry
  const remedy = `Write for example \`${field.key}: ${field.example}\``
  if (value.kind === "mapping") {
    const reason = "is a mapping, but takes text or a list of texts"
    problems.error({ offset: value.offset, field: key }, "wrong-type", reason, remedy)
    return undefined
  }
  const words: TextEntry[] = []
  const dropped: Dropped[] = []
  const isList = value.kind === "list"
  for (const item of itemsOf(value)) {
    const text = textOf(item, field, isList)
    if (text === undefined) {
      if (!isEmptyValue(item)) dropped.push({ offset: item.offset, ...whyNotText(item, remedy) })
      continue
    }
    warnAboutInvisible(text, { offset: item.offset, field: key }, problems)
    for (const part of partsOf(text, field, isList)) {
      if (field.values === undefined || field.values.includes(part))
        words.push({ text: part, offset: item.offset, field: key })
      else dropped.push({ offset: item.offset, ...whyNotOneOf(part, field, field.values, remedy) })
    }
  }
  if (words.length === 0) {
    const code = dropped.length > 0 ? "wrong-type" : "empty-value"
    const offset = dropped[0]?.offset ?? value.offset
    const reason = dropped[0]?.reason ?? "is empty"
    const hint = dropped[0]?.remedy ?? `${remedy}; text after \` #\` is a comment unless it is in quotes`
    problems.error({ offset, field: key }, code, reason, hint)
    return undefined
  }
  const isEmpty = (item: Value) => isEmptyValue(item) && !textOf(item, field, isList)?.trim()
  const empty = isList ? value.items.find(isEmpty) : undefined
  if (empty) dropped.push({ offset: empty.offset, reason: "this entry is empty", remedy })
  for (const { offset, reason, remedy: repair } of dropped) {
    problems.warning({ offset, field: key }, "dropped-entry", `${reason}, so it is left out`, repair)
  }
  return words
}

/**
 * The text of an entry; patterns keep their lines. In a list the word `null` is a word; as the whole value, or as `~`, it is
 * nothing.
 */
function textOf(item: Value, field: TextField, isInList: boolean): string | undefined {
  if (item.kind !== "scalar") return undefined
  if (typeof item.value === "string") {
    // Dashes without a space behind them make a text to YAML, whose lines are one.
    const isDashes = field.text === "commas" && /^-\S[^\n]*(?:\n-\S[^\n]*)+$/.test(item.text)
    if (isDashes) return item.text.replace(/^-/gm, "")
    return field.text === "patterns" ? item.text : item.value
  }
  if (!field.takesScalars) return undefined
  if (item.value === null) return isInList && /^null$/i.test(item.text) ? item.text : undefined
  return item.text
}

function whyNotOneOf(
  part: string,
  { otherNames }: TextField,
  values: readonly string[],
  remedy: string,
): Omit<Dropped, "offset"> {
  const hint = Object.hasOwn(otherNames, part) ? otherNames[part] : undefined
  return { reason: `${quoted(part)} is not one of ${values.join(", ")}`, remedy: hint ?? remedy }
}

function warnAboutInvisible(text: string, at: ProblemPlace, problems: Problems): void {
  if (trimInvisible(text) === text.trim()) return
  const reason = `an invisible character around ${quoted(text.trim())} is ignored`
  problems.warning(at, "invisible-character", reason, "Remove it")
}

function whyNotText(item: Value, remedy: string): Omit<Dropped, "offset"> {
  if (item.kind === "scalar")
    return { reason: `${item.text} is not text`, remedy: `Put it in quotes: \`"${item.text}"\`` }
  return { reason: `${item.kind === "list" ? "a list in the list" : "a mapping"} is not text`, remedy }
}

/** The entries in one text, trimmed. `"a", "b"` reaches us as one text; its quotes are those of a list. */
function partsOf(text: string, field: TextField, isInList: boolean): readonly string[] {
  if (field.text === "patterns") return splitPatterns(trimInvisible(text))
  const parts = field.text === "commas" && !isInList ? text.split(/[,\n]/) : [text]
  const trimmed = parts.map(trimInvisible)
  const bare = parts.length > 1 ? trimmed.map((part) => /^(["'])(.*)\1$/s.exec(part)?.[2]?.trim() ?? part) : trimmed
  const folded = field.ignoresCase ? bare.map((part) => part.toLowerCase()) : bare
  return folded.filter((part) => part !== "")
}
