import type { Frontmatter } from "../frontmatter/read.ts"
import { type Entry, isEmptyValue, itemsOf, type Value } from "../frontmatter/value.ts"
import { KNOWN_KEYS, PATTERN_KEYS } from "../known-keys.ts"
import type { Problems } from "../problems.ts"
import { type Origin, toolOf } from "./origin.ts"
import type { ModeDefault, Tool } from "./tool.ts"

const MODE_KEYS = ["alwaysApply", "inclusion", "trigger"]

/**
 * A rule's keys in the meaning that its tool gives them, as our own. A key that the tool doesn't have is left out with a warning,
 * and so is one that can't be honoured.
 */
export function withToolKeys(origin: Origin | undefined, written: Frontmatter, problems: Problems): Frontmatter {
  const tool = toolOf(origin)
  if (tool === undefined) return written
  reportUnsupported(tool, written, problems)
  const known = new Map([...written].filter(([key, entry]) => isOfTool(tool, key, entry, problems)))
  if (tool.emptyMatchesNothing !== true) {
    for (const key of PATTERN_KEYS) if (isEmpty(known.get(key))) known.delete(key)
  }
  const patterns = PATTERN_KEYS.flatMap((key) => known.get(key) ?? [])
  if (patterns.some(({ value }) => isEverything(tool, value)))
    return withMode(known, { key: "alwaysApply", value: "true" })
  const isDeclared = (key: string) => known.has(key) && !isEmpty(known.get(key))
  if (tool.byDefault === undefined || MODE_KEYS.some(isDeclared)) return known
  return withMode(known, tool.byDefault)
}

/** A name and a description count in every rule. Keys that mean nothing to us either are ignored, as in every rule. */
function isOfTool(tool: Tool, key: string, { offset }: Entry, problems: Problems): boolean {
  if (["name", "description", ...tool.keys].includes(key) || !KNOWN_KEYS.includes(key)) return true
  const reason = `is not a key of ${tool.title}'s rules and has no effect`
  const remedy = `Write one of ${tool.keys.join(", ")}, or move the rule to .opencode/rules`
  problems.warning({ offset, field: key }, "foreign-key", reason, remedy)
  return false
}

function reportUnsupported(tool: Tool, written: Frontmatter, problems: Problems): void {
  for (const [key, effect] of Object.entries(tool.unsupported ?? {})) {
    const entry = written.get(key)
    if (entry === undefined || isEmptyValue(entry.value)) continue
    const reason = `${effect}, which can't be honoured here`
    problems.warning(
      { offset: entry.offset, field: key },
      "unsupported-key",
      reason,
      "Remove the rule from this project if it is not for a coding agent",
    )
  }
}

function isEmpty(entry: Entry | undefined): boolean {
  return entry !== undefined && isEmptyValue(entry.value)
}

function isEverything({ everything }: Tool, value: Value): boolean {
  const items = itemsOf(value)
  return items.length === 1 && items[0]?.kind === "scalar" && everything?.includes(items[0].text.trim()) === true
}

/** What is always so in the tool, as if the author had written it. */
function withMode(frontmatter: Frontmatter, { key, value }: ModeDefault): Frontmatter {
  const scalar = value === "always" ? value : value === "true"
  const entry: Entry = { key, offset: 0, value: { kind: "scalar", offset: 0, value: scalar, text: value } }
  return new Map([...frontmatter, [key, entry]])
}
