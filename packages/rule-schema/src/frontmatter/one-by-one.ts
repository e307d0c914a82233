import { isMap } from "yaml"
import type { Context } from "./context.ts"
import type { RawEntry } from "./entries.ts"
import { isInline, readValue } from "./lenient.ts"
import type { Span } from "./lines.ts"
import { hiddenCondition, reportLeading, reportStrayLines } from "./stray-text.ts"
import { documentValue, type Entry, textValue, type Value } from "./value.ts"
import { isReadAsMeant, parseYaml, reasonFor, remedyFor, type YamlError } from "./yaml.ts"

const NO_FRONTMATTER = "If these lines are the rule's text, put an empty frontmatter (`---` twice) above them"

/**
 * Reads each entry by itself. What YAML takes as it is meant stays YAML's, with anchors and aliases; the others are blanked out for
 * it and read leniently, unless they mean nothing here. Undefined when one can't be read, which is one error.
 */
export function readOneByOne(context: Context): ReadonlyMap<string, Entry> | undefined {
  const { source, base, raw, keys, fail } = context
  if (raw.entries.length === 0) return failAsNoMapping(context)
  if (reportLeading(context) === "error") return undefined
  const read: Entry[] = []
  const seen = new Set<string>()
  const refused: Span[] = []
  for (const entry of raw.entries) {
    const { key, start, end } = entry
    const isKnown = keys.isKnown(key)
    const isRepeated = seen.has(key)
    seen.add(key)
    if (isKnown && isRepeated && !keys.isDescriptive(key)) {
      return fail("duplicate-key", start, "the key is declared twice", "Keep one of them, with all the values", key)
    }
    const yaml = readAsYaml(context, entry)
    if (yaml.isMeant && !isRepeated) continue
    refused.push({ start: start - entry.column, end })
    if (!yaml.isMeant && reportStrayLines(context, entry) === "error") return undefined
    if (isKnown && isRepeated) warnAboutRepeat(context, entry)
    if (isRepeated) continue
    const value = isKnown ? readKnown(context, entry) : readUnknown(context, entry)
    if (value === undefined) return failAt(context, entry, yaml.error)
    read.push({ key, offset: base + start, value })
  }
  const kept = readRest(context, blank(source, refused))
  return kept && new Map([...kept, ...read].toSorted(byOffset).map((entry) => [entry.key, entry]))
}

/** What nothing here reads is left to YAML only where an alias may need it, or it may hide a condition. */
function readAsYaml({ source, keys, names }: Context, entry: RawEntry): { isMeant: boolean; error?: YamlError } {
  const isNeeded = keys.isKnown(entry.key) || names.aliases.size > 0 || hiddenCondition(entry, keys.isCondition)
  if (!isNeeded) return { isMeant: false }
  const document = parseYaml(" ".repeat(entry.column) + source.slice(entry.start, entry.end))
  const isMeant = isMap(document.contents) && isReadAsMeant(document, names)
  const [error] = document.errors
  return { isMeant: isMeant && entry.strays.length === 0 && !entry.isTabbed, ...(error && { error }) }
}

function readRest(context: Context, rest: string): readonly Entry[] | undefined {
  const document = parseYaml(rest)
  const [error] = document.errors
  if (error) return failAsYaml(context, error)
  const value = documentValue(document, rest, context.base)
  if (value.kind === "mapping") return [...value.entries.values()]
  return value.kind === "scalar" && value.value === null ? [] : failAsNoMapping(context)
}

function readKnown(context: Context, entry: RawEntry): Value | undefined {
  const { keys } = context
  if (entry.isTabbed) return undefined
  const value = readLeniently(context, entry, !keys.takesMappings(entry.key))
  return value === undefined && keys.isDescriptive(entry.key) ? writtenText(context, entry) : value
}

/** Braces may hide a condition. */
function readUnknown(context: Context, entry: RawEntry): Value {
  const isBraced = /^\s*(?:&\S+\s+)?\{/.test(context.source.slice(entry.value.start, entry.value.end))
  return (isBraced ? readLeniently(context, entry, false) : undefined) ?? writtenText(context, entry)
}

function readLeniently(context: Context, { value, column }: RawEntry, takesText: boolean): Value | undefined {
  const { source, base, budget, names } = context
  const reading = { source, base, names, takesText, column: column + 1, depth: 0, budget }
  return readValue(reading, value, !isInline(source, value.start))
}

/** A value as it is written, whatever YAML has against it. */
function writtenText({ source, base }: Context, { value: { start, end } }: RawEntry): Value {
  const text = source.slice(start, end)
  return textValue(text.trim(), base + start + text.length - text.trimStart().length)
}

/** Of two descriptions the first counts; they decide nothing. */
function warnAboutRepeat({ base, problems }: Context, { key, start }: RawEntry): void {
  const at = { offset: base + start, field: key }
  problems.warning(at, "duplicate-key", "the key is declared twice, and this one is ignored", "Keep one of them")
}

function failAsNoMapping(context: Context): undefined {
  const { source, fail } = context
  const [error] = parseYaml(source).errors
  if (error) return failAsYaml(context, error)
  const what = /^\s*-\s/.test(source) ? "a list" : "text"
  return fail("not-a-mapping", 0, `the frontmatter is ${what}, not \`key: value\` lines`, NO_FRONTMATTER)
}

function failAsYaml({ source, fail }: Context, error: YamlError): undefined {
  return fail("yaml-syntax", Math.min(error.pos[0], source.length), reasonFor(error), remedyFor(error))
}

function failAt({ fail }: Context, entry: RawEntry, error: YamlError | undefined): undefined {
  const { key, start, end, column, isTabbed } = entry
  if (isTabbed) return fail("yaml-syntax", start - column, "the line is indented with a tab", "Indent with spaces")
  const offset = error && start - column + error.pos[0]
  // What was never closed is an error at the end.
  const place = offset === undefined || offset >= end ? start : Math.max(offset, start)
  return fail("yaml-syntax", place, reasonFor(error), remedyFor(error), key)
}

function byOffset(a: Entry, b: Entry): number {
  return a.offset - b.offset
}

/** The source with spaces in place of what is refused, so that every offset stays. */
function blank(source: string, spans: readonly Span[]): string {
  let result = ""
  let from = 0
  for (const { start, end } of spans) {
    result += source.slice(from, start) + source.slice(start, end).replace(/[^\n]/g, " ")
    from = end
  }
  return result + source.slice(from)
}
