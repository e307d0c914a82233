import { type Document, isAlias, isMap, isScalar, isSeq } from "yaml"

/** A YAML value with its place. Offsets count in the file's text. */
export type Value = ScalarValue | ListValue | MappingValue

export interface ScalarValue {
  readonly kind: "scalar"
  readonly offset: number
  readonly value: string | number | bigint | boolean | null
  /** The text as it is written: "1.10" stays "1.10", and an unquoted text of several lines keeps its lines. */
  readonly text: string
}

export interface ListValue {
  readonly kind: "list"
  readonly offset: number
  readonly items: readonly Value[]
}

export interface MappingValue {
  readonly kind: "mapping"
  readonly offset: number
  readonly entries: ReadonlyMap<string, Entry>
}

/** One key of a mapping as it is written. */
export interface Entry {
  readonly key: string
  readonly offset: number
  readonly value: Value
}

/** Is nothing written: no value, an empty text or an empty list? */
export function isEmptyValue(value: Value): boolean {
  if (value.kind === "list") return value.items.length === 0
  return value.kind === "scalar" && (value.value === null || value.text.trim() === "")
}

/** The items of a list; anything else stands for a list of itself. */
export function itemsOf(value: Value): readonly Value[] {
  return value.kind === "list" ? value.items : [value]
}

/** A text that was read without YAML. */
export function textValue(text: string, offset: number): ScalarValue {
  return { kind: "scalar", offset, value: text.replace(/\s*\n\s*/g, " "), text }
}

/** A document that is too large once its aliases are followed, or too deep. */
export class OversizedYaml extends Error {}

const MAX_NODES = 20_000
const MAX_DEPTH = 50

/**
 * Turns a parsed document into located values, aliases and merge keys followed. Throws OversizedYaml when that takes more than
 * 20,000 nodes ("billion laughs", an alias of itself).
 *
 * @param source the document's text.
 * @param base its offset in the file.
 */
export function documentValue(document: Document, source: string, base: number): Value {
  let nodes = 0
  return convert(document.contents, 0, 0)

  function convert(node: unknown, fallback: number, depth: number): Value {
    nodes += 1
    if (nodes > MAX_NODES || depth > MAX_DEPTH) throw new OversizedYaml()
    if (isAlias(node)) return convert(node.resolve(document), node.range?.[0] ?? fallback, depth + 1)
    const start = rangeStart(node) ?? fallback
    const offset = base + start
    if (isScalar(node)) {
      // YAML takes `- #include` for a comment and no value.
      if (node.value === null && /^\S[^\n]*$/.test(node.comment ?? "")) return textValue(`#${node.comment}`, offset)
      const written = node.type === "PLAIN" ? source.slice(start, node.range?.[1]) : undefined
      return scalarValue(node.value, node.source, written, offset)
    }
    if (isSeq(node)) {
      return {
        kind: "list",
        offset,
        items: node.items.map((item) => convert(item, start, depth + 1)),
      }
    }
    if (!isMap(node)) return { kind: "scalar", offset, value: null, text: "" }
    const entries = new Map<string, Entry>()
    const merged: Value[] = []
    for (const pair of node.items) {
      const keyStart = rangeStart(pair.key) ?? start
      const key = isScalar(pair.key) ? String(pair.key.value) : ""
      const value = convert(pair.value, keyStart, depth + 1)
      if (key === "<<") merged.push(value)
      else if (isScalar(pair.key)) entries.set(key, { key, offset: base + keyStart, value })
    }
    for (const source of merged) mergeInto(entries, source)
    return { kind: "mapping", offset, entries }
  }
}

/** YAML's merge key: what is declared here wins over what is merged, earlier sources over later ones. */
function mergeInto(entries: Map<string, Entry>, source: Value): void {
  if (source.kind === "list") for (const item of source.items) mergeInto(entries, item)
  if (source.kind !== "mapping") return
  for (const [key, entry] of source.entries) if (!entries.has(key)) entries.set(key, entry)
}

function scalarValue(
  value: unknown,
  source: string | undefined,
  written: string | undefined,
  offset: number,
): ScalarValue {
  if (typeof value === "string") {
    const text = written?.includes("\n") ? written.replace(/[ \t]*\n[ \t]*/g, "\n") : value
    return { kind: "scalar", offset, value, text }
  }
  const known = typeof value === "number" || typeof value === "bigint" || typeof value === "boolean" ? value : null
  return { kind: "scalar", offset, value: known, text: source ?? String(known ?? "") }
}

function rangeStart(node: unknown): number | undefined {
  if (!isScalar(node) && !isMap(node) && !isSeq(node) && !isAlias(node)) return undefined
  return node.range?.[0]
}
