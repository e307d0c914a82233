import type { SourcedRule } from "../opencode/rules.ts"
import { compileWildcard, matchesWildcard } from "../permissions/wildcard.ts"
import { quote } from "../reasons.ts"
import type { Finding } from "./finding.ts"

/**
 * Bash patterns without effect: of the patterns that match, the last one wins, and one behind them matches all that they do.
 * Rules of an agent stand behind the user's on purpose, so only rules of one scope are compared.
 */
export function findShadowed(rules: readonly SourcedRule[]): readonly Finding[] {
  const bash = rules.filter(
    (rule) => rule.scope !== "default" && matchesWildcard("bash", compileWildcard(rule.permission)),
  )
  const behind = new Map<SourcedRule, SourcedRule[]>()
  for (const [index, rule] of bash.entries()) {
    const later = bash
      .slice(index + 1)
      .findLast((other) => other.scope === rule.scope && isCovered(rule.pattern, other.pattern))
    // A word for everything that another one replaces is no mistake.
    if (later === undefined || later.action === rule.action || /^\*+$/.test(rule.pattern)) continue
    behind.set(later, [...(behind.get(later) ?? []), rule])
  }
  return [...behind].map(([later, shadowed]) => describe(later, shadowed))
}

/** A filling that no pattern holds, so that only `*` and `?` match it. */
const filler = "\uE000"

/**
 * Whether every text that matches the narrow pattern matches the wide one. Stands for all fillings of the `*`s: none, and lengths
 * up to one more than there are `?`s in the wide pattern, where a `*` of it must take a part.
 */
export function isCovered(narrow: string, wide: string): boolean {
  const wildcard = compileWildcard(wide)
  const most = wide.split("?").length
  const forms = narrow.endsWith(" *") ? [narrow, narrow.slice(0, -2)] : [narrow]
  return forms.every((form) =>
    Array.from({ length: most + 1 }, (_, length) => filler.repeat(length)).every((filling) =>
      matchesWildcard(form.replaceAll("*", filling).replaceAll("?", filler), wildcard),
    ),
  )
}

function describe(later: SourcedRule, shadowed: readonly SourcedRule[]): Finding {
  const list = shadowed.map(({ pattern, action }) => `${quote(pattern)} (${action})`).join(", ")
  const [are, patterns, them] = shadowed.length === 1 ? ["has", "pattern", "it"] : ["have", "patterns", "them"]
  return {
    kind: "no-effect",
    severity: "error",
    origin: shadowed[0]?.origin,
    message: `the bash ${patterns} ${list} ${are} no effect, because ${quote(later.pattern)} (${later.action}) stands behind ${them} and the last pattern that matches wins`,
    remedy: `put ${quote(later.pattern)} in front of ${them}`,
  }
}
