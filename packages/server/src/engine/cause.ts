import type { CompiledRule, Facts } from "@opencode-rulebook/rule-schema"

/** What made a rule match, in a few words, and when, in milliseconds since 1970. */
export interface Cause {
  readonly by: string
  readonly at: number
}

/** Paths of more characters are cut: the state is a small file. */
const LONGEST = 200

/**
 * What of the facts a rule's conditions are met by: the file's path, `prompt`, or the families' names. Undefined for a rule without
 * conditions.
 *
 * @param directory paths below it are relative to it, absolute.
 */
export function causeOf(rule: CompiledRule, facts: Facts, directory: string): string | undefined {
  const met = rule.conditions.filter((condition) => condition.isMet(facts, rule.id))
  const parts = met.map(({ family }) => {
    if (family === "keywords") return "prompt"
    const path = family === "file" ? facts.observed.get(rule.id) : undefined
    if (path === undefined) return family
    const isBelow = path.startsWith(directory) && /^[\\/]$/.test(path.charAt(directory.length))
    return isBelow ? path.slice(directory.length + 1) : path
  })
  return parts.length === 0 ? undefined : parts.join(" and ").slice(0, LONGEST)
}
