import { isMap } from "yaml"
import type { Problems } from "../problems.ts"
import { type RawEntries, type RawEntry, splitEntries } from "./entries.ts"
import type { KeyTests } from "./key-lines.ts"
import { isInline, readValue } from "./lenient.ts"
import type { Line, Span } from "./lines.ts"
import { documentValue, type Entry, OversizedYaml, textValue, type Value } from "./value.ts"
import { isReadAsMeant, type Names, namesIn, parseYaml, reasonFor, remedyFor, type YamlError } from "./yaml.ts"

/** The declared keys by name. */
export type Frontmatter = ReadonlyMap<string, Entry>

const MAX_SOURCE = 256 * 1024
const MAX_VALUES = 5000
/** Brackets, or dashes, in a row: deeper than anybody nests. */
const DEEP = /(?:[[{][^\S\n]*){60}|(?:-[^\S\n]+){60}/
const NO_FRONTMATTER = "If it is meant as text, put an empty frontmatter (`---` twice) above it"
const NOT_CLOSED = "Close the frontmatter with a line that is exactly `---` above the rule's text"

type Fail = (code: string, offset: number, reason: string, remedy: string, field?: string) => undefined

/** What reading one frontmatter needs. */
interface Context {
  /** With `\n` for each lone `\r`. */
  readonly source: string
  readonly raw: RawEntries
  readonly budget: { left: number }
  readonly base: number
  readonly keys: KeyTests
  readonly names: Names
  readonly problems: Problems
  readonly fail: Fail
}

/**
 * Reads the YAML between the fences. `base` is its offset in the file. Undefined when it can't be read, which is one error;
 * empty frontmatter, or frontmatter of comments only, declares nothing. Where YAML refuses it or reads it otherwise than it is
 * meant, each entry is read by itself, and what is wrong in entries that mean nothing here has no effect.
 */
export function readFrontmatter(
  text: string,
  base: number,
  keys: KeyTests,
  problems: Problems,
): Frontmatter | undefined {
  const fail: Fail = (code, offset, reason, remedy, field) => {
    problems.error({ offset: base + offset, field }, code, reason, remedy)
    return undefined
  }
  if (text.length > MAX_SOURCE) {
    return fail("too-large", 0, "the frontmatter is longer than 256 KB", "Move text below the closing `---`")
  }
  const control = /\p{Cc}/u.exec(text.replace(/[\t\n\r]/g, " "))
  if (control) {
    return fail("yaml-syntax", control.index, "the frontmatter has a control character in it", "Remove it")
  }
  // A lone CR ends a line in YAML, but not for the library.
  const source = text.replace(/\r(?!\n)/g, "\n")
  const tooDeep = () => {
    const reason = "the frontmatter is nested or aliased without bound"
    return fail("yaml-syntax", 0, reason, "Write the values out, without nesting or aliases")
  }
  if (DEEP.test(source)) return tooDeep()
  const raw = splitEntries(source)
  const budget = { left: MAX_VALUES }
  const context: Context = { source, raw, budget, base, keys, names: namesIn(source), problems, fail }
  try {
    const swallowed = swallowedText(context)
    if (swallowed !== undefined) {
      return fail(
        "unclosed-fence",
        swallowed,
        "this looks like the rule's text, but stands in the frontmatter",
        NOT_CLOSED,
      )
    }
    warnAboutProse(context)
    return readWhole(context) ?? readEntries(context)
  } catch (error) {
    if (!(error instanceof OversizedYaml || error instanceof RangeError)) throw error
    return tooDeep()
  }
}

function readWhole({ source, base, names }: Context): Frontmatter | undefined {
  const document = parseYaml(source)
  if (!isReadAsMeant(document, names)) return undefined
  const value = documentValue(document, source, base)
  if (value.kind === "mapping") return value.entries
  return value.kind === "scalar" && value.value === null ? new Map() : undefined
}

/** What YAML takes as it is meant stays YAML's, with anchors and aliases; the others are blanked out for it. */
function readEntries(context: Context): Frontmatter | undefined {
  const { source, base, keys, names, fail } = context
  const { entries, leading } = context.raw
  if (entries.length === 0) return failAsNoMapping(context)
  if (leading) return fail("yaml-syntax", leading.start, STRAY, STRAY_REMEDY)
  const read = new Map<string, Entry>()
  const seen = new Set<string>()
  const refused: Span[] = []
  for (const entry of entries) {
    const { key, start, end } = entry
    const isKnown = keys.isKnown(key)
    if (isKnown && seen.has(key) && !keys.isDescriptive(key)) {
      return fail("duplicate-key", start, "the key is declared twice", "Keep one of them, with all the values", key)
    }
    // What nothing here reads is left to YAML only where an alias may need it.
    const hidden = keys.takesMappings(key) ? undefined : hiddenKey(entry, keys)
    const isNeeded = isKnown || hidden !== undefined || names.aliases.size > 0
    const alone = " ".repeat(entry.column) + source.slice(start, end)
    const document = isNeeded ? parseYaml(alone) : undefined
    const isMeant =
      document !== undefined &&
      isMap(document.contents) &&
      isReadAsMeant(document, names) &&
      entry.strays.length === 0 &&
      !entry.isTabbed
    const isRepeated = seen.has(key)
    seen.add(key)
    if (isMeant && !isRepeated) continue
    if (hidden && document && !isReadAsMeant(document, names)) {
      const reason = `this line looks like a key of its own, but is read as part of \`${key}\``
      return fail("yaml-syntax", hidden.start, reason, "Begin it at the margin, with a space behind its colon")
    }
    refused.push({ start: start - entry.column, end })
    if (reportStrays(context, entry) === "error") return undefined
    if (isKnown && isRepeated) warnAboutRepeat(context, entry)
    if (!isKnown || isRepeated) continue
    const value = entry.isTabbed ? undefined : readAlone(context, entry)
    if (value === undefined) return failAt(context, entry, document?.errors[0])
    read.set(key, { key, offset: base + start, value })
  }
  const rest = blank(source, refused)
  const document = parseYaml(rest)
  const [error] = document.errors
  if (error)
    return fail(
      "yaml-syntax",
      Math.min(error.pos[0], source.length),
      `not valid YAML: ${error.message}`,
      remedyFor(error),
    )
  const kept = documentValue(document, rest, base)
  if (kept.kind !== "mapping" && !(kept.kind === "scalar" && kept.value === null)) return failAsNoMapping(context)
  const whole = kept.kind === "mapping" ? kept.entries : new Map<string, Entry>()
  return inOrder([...whole.values(), ...read.values()])
}

/** Of two descriptions the first counts; they decide nothing. */
function warnAboutRepeat({ base, problems }: Context, { key, start }: RawEntry): void {
  const at = { offset: base + start, field: key }
  problems.warning(at, "duplicate-key", "the key is declared twice, and this one is ignored", "Keep one of them")
}

/** A line below a key's own that looks like a condition, whatever sign is behind it and however far it is indented. */
function hiddenKey({ rest }: RawEntry, keys: KeyTests): Line | undefined {
  return rest.find(({ text }) => {
    const key = /^\s*["']?([A-Za-z][\w-]{0,40})["']?\s*[:=：]/.exec(text)?.[1]
    return key !== undefined && keys.isCondition(key)
  })
}

function inOrder(entries: readonly Entry[]): Frontmatter {
  return new Map(entries.toSorted((a, b) => a.offset - b.offset).map((entry) => [entry.key, entry]))
}

function readAlone({ source, base, budget, names, keys }: Context, entry: RawEntry): Value | undefined {
  const takesText = !keys.takesMappings(entry.key)
  const reading = { source, base, names, takesText, column: entry.column + 1, depth: 0, budget }
  const value = readValue(reading, entry.value, !isInline(source, entry.value.start))
  if (value !== undefined || !keys.isDescriptive(entry.key)) return value
  const text = source.slice(entry.value.start, entry.value.end)
  return textValue(text.trim(), base + entry.value.start + text.length - text.trimStart().length)
}

/**
 * A line at the margin is the second line of the description above it, or text of the rule that must not be lost. Keys with
 * conditions take no such line.
 */
function reportStrays({ base, keys, problems, fail }: Context, entry: RawEntry): "error" | undefined {
  const isText = !keys.isKnown(entry.key) || keys.isDescriptive(entry.key)
  const lost = entry.strays.find(
    ({ isAdjoining, text }) => !isText || !isAdjoining || /^\s*(?:[-*+>|]|~~~|```|\d+[.)]\s)/.test(text),
  )
  if (lost) {
    fail("yaml-syntax", lost.start, STRAY, STRAY_REMEDY, isText ? undefined : entry.key)
    return "error"
  }
  for (const { start } of entry.strays) {
    const reason = `this line is read as part of \`${entry.key}\``
    const remedy = "Indent it; or, if it is the rule's text, move it below the closing `---`"
    problems.warning({ offset: base + start, field: entry.key }, "stray-line", reason, remedy)
  }
  return undefined
}

const STRAY = "this line is neither `key: value` nor part of the value above it"
const STRAY_REMEDY = "Indent it or put the value in quotes; the rule's text goes below a line that is exactly `---`"

function failAsNoMapping({ source, fail }: Context): undefined {
  const [error] = parseYaml(source).errors
  if (error)
    return fail(
      "yaml-syntax",
      Math.min(error.pos[0], source.length),
      `not valid YAML: ${error.message}`,
      remedyFor(error),
    )
  const what = /^\s*-\s/.test(source) ? "a list" : "text"
  return fail("not-a-mapping", 0, `the frontmatter is ${what}, not \`key: value\` lines`, NO_FRONTMATTER)
}

function failAt({ fail }: Context, entry: RawEntry, error: YamlError | undefined): undefined {
  const { key, start, end, column, isTabbed } = entry
  if (isTabbed) return fail("yaml-syntax", start - column, "the line is indented with a tab", "Indent with spaces")
  const offset = start - column + (error?.pos[0] ?? 0)
  // What was never closed is an error at the end.
  const place = error === undefined || offset >= end ? start : Math.max(offset, start)
  return fail("yaml-syntax", place, reasonFor(error), remedyFor(error), key)
}

/**
 * Where text of the rule begins that a thematic break further down has made part of the frontmatter: behind the last known key
 * and a blank line, a line with a colon below a heading, or one that has more than a word before it.
 */
function swallowedText({ raw: { entries }, keys }: Context): number | undefined {
  const lastKnown = entries.findLastIndex(({ key }) => keys.isKnown(key))
  const found = entries
    .slice(Math.max(lastKnown + 1, 1))
    .find(({ key, gap }) => gap === "heading" || (gap === "blank" && /\s/.test(key)))
  return found?.start
}

/** A line with a colon is a key to YAML, also where it is a sentence. */
function warnAboutProse({ raw, base, keys, problems }: Context): void {
  for (const { key, start } of raw.entries) {
    if (keys.isKnown(key) || !/[\s`*()]/.test(key)) continue
    const reason = "this line is read as a key that has no effect"
    const remedy = "If it is the rule's text, move it below the closing `---`"
    problems.warning({ offset: base + start }, "stray-line", reason, remedy)
  }
}

/** The source with spaces in place of what is refused, so that every offset stays. */
function blank(source: string, spans: readonly Span[]): string {
  let result = ""
  let from = 0
  for (const { start, end } of spans) {
    result += source.slice(from, start) + source.slice(start, end).replace(/[^\r\n]/g, " ")
    from = end
  }
  return result + source.slice(from)
}
