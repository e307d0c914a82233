import type { RuleHook } from "@opencode-rulebook/rule-schema"
import { type RuleSource, readBlock, type Value } from "@opencode-rulebook/rule-schema/authoring"

/** One hook as it is written. */
export interface HookSource {
  /** `hooks[0]`. */
  readonly path: string
  readonly offset: number
  /** In lower case; `*` for every tool. */
  readonly tools: readonly string[]
  /** The tools as they are written, with their places. */
  readonly names: readonly { readonly text: string; readonly offset: number }[]
  readonly blocks: RuleHook["block"]
  /** Its expressions: one for all arguments, or one for each of some. None: every call will do. */
  readonly matches: readonly ExpressionSource[]
}

/** One expression as it is written. */
export interface ExpressionSource {
  readonly source: string
  readonly offset: number
  /** `hooks[0].match`, `hooks[0].match.command`. */
  readonly path: string
  /** The argument that it is tested on; undefined: the JSON of all. */
  readonly argument: string | undefined
}

/** The hooks of a rule that parses, with their places. */
export function hookSources(source: RuleSource): readonly HookSource[] {
  const value = source.entry("hooks")?.value
  const items = value === undefined ? [] : value.kind === "list" ? value.items : [value]
  return items.flatMap((item, index): HookSource[] => {
    if (item.kind !== "mapping") return []
    const names = namesOf(item.entries.get("tool")?.value)
    return [
      {
        path: `hooks[${index}]`,
        offset: item.offset,
        tools: names.length === 0 ? ["*"] : names.map(({ text }) => text.toLowerCase()),
        names,
        blocks: blockOf(item.entries.get("block")?.value),
        matches: expressionsOf(item.entries.get("match")?.value, `hooks[${index}].match`, undefined),
      },
    ]
  })
}

function expressionsOf(
  value: Value | undefined,
  path: string,
  argument: string | undefined,
): readonly ExpressionSource[] {
  if (value?.kind === "mapping" && argument === undefined)
    return Array.from(value.entries.values()).flatMap((entry) =>
      expressionsOf(entry.value, `${path}.${entry.key}`, entry.key),
    )
  const source = textOf(value)
  return value === undefined || source === undefined ? [] : [{ source, offset: value.offset, path, argument }]
}

function namesOf(value: Value | undefined): HookSource["names"] {
  const items = value?.kind === "list" ? value.items : value === undefined ? [] : [value]
  return items.flatMap((item) => {
    const names = textOf(item)?.split(/[|,]/) ?? []
    return names.flatMap((name) => (name.trim() === "" ? [] : [{ text: name.trim(), offset: item.offset }]))
  })
}

function blockOf(value: Value | undefined): HookSource["blocks"] {
  return (value && readBlock(value)) ?? false
}

function textOf(value: Value | undefined): string | undefined {
  return value?.kind === "scalar" ? value.text.trim() : undefined
}
