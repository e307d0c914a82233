import type { Context } from "./context.ts"
import type { RawEntry } from "./entries.ts"
import type { Line } from "./lines.ts"

const REASON = "this line is neither `key: value` nor part of the value above it"
const REMEDY = "Indent it or put the value in quotes; the rule's text goes below a line that is exactly `---`"
const NOT_CLOSED = "Close the frontmatter with a line that is exactly `---` above the rule's text"

/** Text of the rule that stands between the fences must not be lost: each is an error, or a warning where it is read as a value. */
export function reportTextAmongKeys(context: Context): "error" | undefined {
  const { raw, base, keys, problems, fail } = context
  const swallowed = swallowedText(context)
  if (swallowed !== undefined) {
    const reason = "this looks like the rule's text, but stands in the frontmatter"
    fail("unclosed-fence", swallowed, reason, NOT_CLOSED)
    return "error"
  }
  for (const { key, start } of raw.entries) {
    if (keys.isKnown(key) || !/[\s`*()]/.test(key)) continue
    const reason = "this line is read as a key that has no effect"
    const remedy = "If it is the rule's text, move it below the closing `---`"
    problems.warning({ offset: base + start }, "stray-line", reason, remedy)
  }
  return undefined
}

/** A line above the first key. */
export function reportLeading({ raw, fail }: Context): "error" | undefined {
  if (raw.leading === undefined) return undefined
  fail("yaml-syntax", raw.leading.start, REASON, REMEDY)
  return "error"
}

/**
 * A line at the margin is the second line of the text above it, or text of the rule. Keys with conditions take no such line, and a
 * line that looks like a condition itself is part of no other value.
 */
export function reportStrayLines({ base, keys, problems, fail }: Context, entry: RawEntry): "error" | undefined {
  const hidden = keys.takesMappings(entry.key) ? undefined : hiddenCondition(entry, keys.isCondition)
  if (hidden) {
    const reason = `this line looks like a key of its own, but is read as part of \`${entry.key}\``
    fail("yaml-syntax", hidden.start, reason, "Begin the line at the margin, and put a space after its colon")
    return "error"
  }
  const isText = !keys.isKnown(entry.key) || keys.isDescriptive(entry.key)
  const lost = entry.strays.find(
    ({ isAdjoining, text }) => !isText || !isAdjoining || /^\s*(?:[-*+>|]|~~~|```|\d+[.)]\s)/.test(text),
  )
  if (lost) {
    fail("yaml-syntax", lost.start, REASON, REMEDY, isText ? undefined : entry.key)
    return "error"
  }
  for (const { start } of entry.strays) {
    const reason = `this line is read as part of \`${entry.key}\``
    const remedy = "Indent it; or, if it is the rule's text, move it below the closing `---`"
    problems.warning({ offset: base + start, field: entry.key }, "stray-line", reason, remedy)
  }
  return undefined
}

/** A line below a key's own that looks like a condition, whatever sign is behind it and however far it is indented. */
export function hiddenCondition({ rest }: RawEntry, isCondition: (key: string) => boolean): Line | undefined {
  return rest.find(({ text }) => {
    const key = /^\s*["']?([A-Za-z][\w-]{0,40})["']?\s*[:=：]/.exec(text)?.[1]
    return key !== undefined && isCondition(key)
  })
}

/**
 * Where text begins that a thematic break further down has made part of the frontmatter: behind the last known key and a blank
 * line, a line that reads like a sentence with a colon in it.
 */
function swallowedText({ source, raw: { entries }, keys }: Context): number | undefined {
  const lastKnown = entries.findLastIndex(({ key }) => keys.isKnown(key))
  const found = entries.slice(Math.max(lastKnown + 1, 1)).find(({ key, gap, value }) => {
    const isCapital = /^\p{Lu}/u.test(key)
    const isSentence = /[.!?]\s*$/.test(source.slice(value.start, value.end).split("\n")[0] ?? "")
    if (gap === "heading") return isCapital || isSentence || /\s/.test(key)
    return gap === "blank" && (/\s/.test(key) || (isCapital && isSentence))
  })
  return found?.start
}
