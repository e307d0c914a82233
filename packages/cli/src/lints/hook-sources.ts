import type { RuleHook } from "@opencode-rulebook/rule-schema"
import { itemsOf, type RuleSource, readBlock, simpleForm, type Value } from "@opencode-rulebook/rule-schema/authoring"

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
  const hooks = source.entry("hooks")?.value
  return (hooks ? itemsOf(hooks) : []).flatMap((item, index): HookSource[] => {
    if (item.kind !== "mapping") return []
    // As the rule is read: a key in a form of its own, such as `Tool` or `tools`, means the same.
    const values = new Map(Array.from(item.entries.values(), ({ key, value }) => [simpleForm(key), value]))
    const names = namesOf(values.get("tool"))
    const block = values.get("block")
    return [
      {
        path: `hooks[${index}]`,
        offset: item.offset,
        tools: names.length === 0 ? ["*"] : names.map(({ text }) => text.toLowerCase()),
        names,
        blocks: (block && readBlock(block)) ?? false,
        matches: expressionsOf(values.get("match"), `hooks[${index}].match`),
      },
    ]
  })
}

function expressionsOf(value: Value | undefined, path: string, argument?: string): readonly ExpressionSource[] {
  if (value?.kind === "mapping")
    return Array.from(value.entries.values()).flatMap((entry) =>
      expressionsOf(entry.value, `${path}.${entry.key}`, entry.key),
    )
  return value?.kind === "scalar" ? [{ source: value.text.trim(), offset: value.offset, path, argument }] : []
}

function namesOf(value: Value | undefined): HookSource["names"] {
  return (value ? itemsOf(value) : []).flatMap((item) => {
    const names = item.kind === "scalar" ? item.text.split(/[|,]/).map((name) => name.trim()) : []
    return names.filter((name) => name !== "").map((text) => ({ text, offset: item.offset }))
  })
}
