import { type Line, withoutInvisibleStart } from "./lines.ts"

/** Nobody's frontmatter is longer where it is only looked for. */
const MAX_LINES = 200

/** What is known of frontmatter keys where they are told from text. */
export interface KeyTests {
  /** Does its value hold mappings, as `hooks` does? */
  takesMappings(key: string): boolean
  /** Is it text for people, which nothing wrong in it can break? */
  isDescriptive(key: string): boolean
  /** Does the key mean something, as it is or in another form (`glob`)? */
  isKnown(key: string): boolean
  /** Does it say when a rule applies, or what it does beyond being delivered? */
  isCondition(key: string): boolean
  /** Is it a word that prose does not have, such as `alwaysApply`? */
  isUnmistakable(key: string): boolean
  /** Is it a word that sentences begin with, written as they do: `Reminder:`? */
  isProse(key: string): boolean
}

/** A key at the beginning of its line, as in a mapping. */
const KEY_LINE = /^(?:\{\s*)?["']?([A-Za-z][\w -]{0,40}?)["']?\s*[:=](?:\s+([\s\S]*))?$/

/**
 * Is the text from this line on, up to a fence or else the end of its paragraph, meant as frontmatter?
 *
 * @param wanted "known": it begins with a key, and a known one is in it, as below a fence at the file's top. "condition": it is
 * nothing but keys, and one is a condition: text may have a line with a colon in it.
 */
export function blockHasCondition(
  lines: readonly Line[],
  from: number,
  keys: KeyTests,
  wanted: "known" | "condition",
): boolean {
  const below = lines.slice(from, from + MAX_LINES)
  const closing = below.findIndex((line) => /^(?:---|\+\+\+)\s*$/.test(withoutInvisibleStart(line.text)))
  const block = closing < 0 ? below : below.slice(0, closing)
  return (closing >= 0 && isMeantAsKeys(block, keys, wanted)) || isMeantAsKeys(firstParagraph(block), keys, wanted)
}

/** The first lines with text in them up to a blank one. */
export function firstParagraph(lines: readonly Line[]): readonly Line[] {
  const start = lines.findIndex((line) => line.text.trim() !== "")
  if (start < 0) return []
  const length = lines.slice(start).findIndex((line) => line.text.trim() === "")
  return lines.slice(start, length < 0 ? undefined : start + length)
}

export function isMeantAsKeys(block: readonly Line[], keys: KeyTests, wanted: "known" | "condition"): boolean {
  const content = block
    .map(({ text }) => withoutInvisibleStart(text))
    .filter((text) => text.trim() !== "" && !/^\s*#/.test(text))
  if (wanted === "known") {
    const found = content.map((text) => KEY_LINE.exec(text.trim())?.[1])
    return found[0] !== undefined && found.some((key) => key !== undefined && keys.isKnown(key) && !keys.isProse(key))
  }
  const pairs = content.map((text) => KEY_LINE.exec(text))
  const isAllKeys = pairs[0] != null && content.every((text, at) => pairs[at] || /^(?:\s|-\s|-$|[\]}])/.test(text))
  return isAllKeys && pairs.some((pair) => pair !== null && declaresCondition(pair[1] ?? "", pair[2] ?? "", keys))
}

/** Prose has such words too, but not with a value behind them that looks like one. */
function declaresCondition(key: string, value: string, keys: KeyTests): boolean {
  const isWrittenAsKey = keys.isUnmistakable(key) || key === key.toLowerCase()
  if (!keys.isCondition(key) || !isWrittenAsKey) return false
  return /^["'[{|>]/.test(value) || value.split(",").every((part) => part.trim().split(/\s+/).length <= 3)
}
