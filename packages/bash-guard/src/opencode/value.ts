import type { Node } from "jsonc-parser/lib/esm/main.js"
import { isRecord } from "../shape.ts"

/** Where something stands in a file; lines count from 1. */
export interface Origin {
  readonly file: string
  readonly line: number
}

/** A value of a configuration, in the order of its keys, with the place that each part comes from. */
export type ConfigValue =
  | { readonly kind: "leaf"; readonly value: unknown; readonly origin: Origin | undefined }
  | { readonly kind: "list"; readonly items: readonly ConfigValue[]; readonly origin: Origin | undefined }
  | { readonly kind: "map"; readonly entries: ReadonlyMap<string, ConfigValue>; readonly origin: Origin | undefined }

export type ConfigMap = Extract<ConfigValue, { kind: "map" }>

/** A map that stands in no file as it is. */
export function mapOf(entries: Iterable<readonly [string, ConfigValue]>): ConfigMap {
  return { kind: "map", entries: new Map(entries), origin: undefined }
}

export const emptyMap: ConfigMap = mapOf([])

/** A value that comes from no file. */
export function fromPlain(value: unknown, origin?: Origin): ConfigValue {
  if (Array.isArray(value)) return { kind: "list", items: value.map((item) => fromPlain(item, origin)), origin }
  if (!isRecord(value)) return { kind: "leaf", value, origin }
  const entries = Object.entries(value).map(([key, item]) => [key, fromPlain(item, origin)] as const)
  return { kind: "map", entries: new Map(entries), origin }
}

/** @param lineOf the line of an offset into the text that the node was parsed from. */
export function fromNode(node: Node, file: string, lineOf: (offset: number) => number): ConfigValue {
  const origin = { file, line: lineOf(node.offset) }
  if (node.type === "array")
    return { kind: "list", items: (node.children ?? []).map((child) => fromNode(child, file, lineOf)), origin }
  if (node.type !== "object") return { kind: "leaf", value: node.value, origin }
  const entries = (node.children ?? []).flatMap(({ children: [key, value] = [] }): [string, ConfigValue][] =>
    key === undefined || value === undefined ? [] : [[String(key.value), fromNode(value, file, lineOf)]],
  )
  return { kind: "map", entries: new Map(entries), origin }
}

/** Deep: keys keep the place of their first appearance, and anything but two maps is replaced (OpenCode 1.18.33, measured). */
export function merge(left: ConfigMap, right: ConfigMap): ConfigMap {
  const entries = new Map(left.entries)
  for (const [key, value] of right.entries) {
    const before = entries.get(key)
    entries.set(key, before?.kind === "map" && value.kind === "map" ? merge(before, value) : value)
  }
  return mapOf(entries)
}

/** The map at a key; an empty one when there is none. */
export function mapAt(value: ConfigValue | undefined, key: string): ConfigMap {
  const found = value?.kind === "map" ? value.entries.get(key) : undefined
  return found?.kind === "map" ? found : emptyMap
}

/** The plain value at a key that is no map and no list. */
export function leafAt(value: ConfigValue | undefined, key: string): unknown {
  const found = value?.kind === "map" ? value.entries.get(key) : undefined
  return found?.kind === "leaf" ? found.value : undefined
}
