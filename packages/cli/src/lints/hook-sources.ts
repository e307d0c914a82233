import type { RuleSource, Value } from "@opencode-rulebook/rule-schema/authoring"

/** One hook as it is written. */
export interface HookSource {
  /** `hooks[0]`. */
  readonly path: string
  readonly offset: number
  readonly tools: readonly string[]
  readonly blocks: boolean
  readonly match: { readonly source: string; readonly offset: number } | undefined
}

/** The hooks of a rule that parses, with their places. */
export function hookSources(source: RuleSource): readonly HookSource[] {
  const value = source.entry("hooks")?.value
  const items = value === undefined ? [] : value.kind === "list" ? value.items : [value]
  return items.flatMap((item, index): HookSource[] => {
    if (item.kind !== "mapping") return []
    const match = item.entries.get("match")?.value
    const pattern = textOf(match)
    return [
      {
        path: `hooks[${index}]`,
        offset: item.offset,
        tools: toolsOf(item.entries.get("tool")?.value),
        blocks: textOf(item.entries.get("block")?.value)?.toLowerCase() === "true",
        match: match && pattern !== undefined ? { source: pattern, offset: match.offset } : undefined,
      },
    ]
  })
}

function toolsOf(value: Value | undefined): readonly string[] {
  if (value === undefined) return ["*"]
  const items = value.kind === "list" ? value.items : [value]
  return items.flatMap((item) => textOf(item)?.split(/[|,]/) ?? []).map((name) => name.trim().toLowerCase())
}

function textOf(value: Value | undefined): string | undefined {
  return value?.kind === "scalar" ? value.text.trim() : undefined
}
