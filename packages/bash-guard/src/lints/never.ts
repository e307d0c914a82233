import type { SourcedRule } from "../opencode/rules.ts"
import { compileWildcard, matchesWildcard } from "../permissions/wildcard.ts"
import { quote } from "../reasons.ts"
import { readScript } from "../shell/read.ts"
import type { Finding } from "./finding.ts"

/** Bash patterns that no command can match: each command of a line is compared by itself, without whitespace around it. */
export function findNeverMatching(rules: readonly SourcedRule[]): readonly Finding[] {
  return rules.flatMap((rule): readonly Finding[] => {
    if (rule.scope === "default" || !matchesWildcard("bash", compileWildcard(rule.permission))) return []
    const why = whyNever(rule.pattern)
    if (why === undefined) return []
    const message = `the bash pattern ${quote(rule.pattern)} (${rule.action}) never matches: ${why.reason}`
    return [{ kind: "never-matches", severity: "error", origin: rule.origin, message, remedy: why.remedy }]
  })
}

interface Why {
  readonly reason: string
  readonly remedy: string
}

const removal = "correct it, or remove it"

/** Undefined when some command may match. */
export function whyNever(pattern: string): Why | undefined {
  if (pattern.trim() === "") return { reason: "it is empty", remedy: removal }
  if (pattern !== pattern.trim())
    return { reason: "commands have no whitespace around them", remedy: `write ${quote(pattern.trim())}` }
  if (pattern.startsWith("#")) return { reason: "what begins with `#` is a comment", remedy: removal }
  if (pattern.startsWith("! "))
    return { reason: "`!` is not part of a command, and no sign negates a pattern", remedy: removal }
  const call = /^(?:Bash|Shell)\((.*)\)$/i.exec(pattern)?.[1]
  if (call !== undefined)
    return { reason: "it names a tool, which is the key around it here", remedy: `write ${quote(spaced(call))}` }
  if (/^(?:git|rm|sudo|docker|gh|cargo)(?: [\w-]+)*:\*$|^[\w-]+:\*$/.test(pattern))
    return { reason: "`:*` is not a wildcard of OpenCode", remedy: `write ${quote(spaced(pattern))}` }
  if (/^\^|\\[sdwbSDWB]/.test(pattern))
    return { reason: "it is written as a regular expression, and here only `*` and `?` are wildcards", remedy: removal }
  return /["'\\$`]/.test(pattern) ? undefined : whyNoSingleCommand(pattern)
}

function spaced(pattern: string): string {
  return pattern.replace(/:\*$/, " *")
}

/** Operators end a command, so no command has one in it. */
function whyNoSingleCommand(pattern: string): Why | undefined {
  const reading = readScript(pattern.replaceAll(/[*?]/g, "x"))
  if (reading.kind !== "read") return undefined
  const count = reading.commands.filter(({ role, depth }) => role === "simple" && depth === 1).length
  if (count > 1)
    return { reason: `it holds ${count} commands, and each is compared by itself`, remedy: "write a pattern for each" }
  if (/[&;|]$/.test(pattern)) return { reason: "the operator at its end is not part of a command", remedy: removal }
  return undefined
}
