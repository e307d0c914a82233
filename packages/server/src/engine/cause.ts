import type { CompiledRule, Condition, Facts, MatchedBy } from "@opencode-rulebook/rule-schema"

/** What made a rule match, and when, in milliseconds since 1970. */
export interface Cause {
  readonly by: readonly MatchedBy[]
  readonly at: number
}

/** Names and texts of more characters are cut: states and receipts are small files. */
const LONGEST = 200
const LONGEST_TOOL = 100

/**
 * What of the facts a rule's conditions are met by. Empty when none is.
 *
 * @param pathOf how paths are noted.
 */
export function conditionCauses(
  rule: CompiledRule,
  facts: Facts,
  pathOf: (path: string) => string,
): readonly MatchedBy[] {
  if (rule.conditions.length === 0) return [{ kind: "always" }]
  const met = rule.conditions.filter((condition) => condition.isMet(facts, rule.id))
  return met.map((condition) => ({
    kind: "condition",
    family: condition.family,
    ...seenBy(condition, rule, facts, pathOf),
  }))
}

export function hookCause(tool: string): MatchedBy {
  return { kind: "hook", tool: notedTool(tool) }
}

/** The name of a tool, as a model has written it. */
export function notedTool(tool: string): string {
  return tool.slice(0, LONGEST_TOOL)
}

/** What a condition saw, if it is one name. */
export function seenBy(
  condition: Condition,
  rule: CompiledRule,
  facts: Facts,
  pathOf: (path: string) => string,
): { readonly seen?: string } {
  const seen = condition.seen(facts, rule.id)
  if (seen === undefined) return {}
  return { seen: condition.family === "file" ? pathOf(seen) : seen.slice(0, LONGEST) }
}

/** A cause in a few words: the file's path, `prompt`, or the families' names. Undefined for a rule without conditions. */
export function causeText(by: readonly MatchedBy[]): string | undefined {
  const words = by.flatMap((one) => {
    switch (one.kind) {
      case "always":
        return []
      case "hook":
        return `${one.tool} call`
      case "condition":
        if (one.family === "keywords") return "prompt"
        return one.family === "file" ? (one.seen ?? one.family) : one.family
      default:
        return one satisfies never
    }
  })
  return words.length === 0 ? undefined : words.join(" and ").slice(0, LONGEST)
}
