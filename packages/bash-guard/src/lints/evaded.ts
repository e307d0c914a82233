import { judge } from "../judge.ts"
import type { SourcedRule } from "../opencode/rules.ts"
import type { Place } from "../permissions/places.ts"
import { compilePermissions, evaluate } from "../permissions/rules.ts"
import { quote } from "../reasons.ts"
import { readScript } from "../shell/read.ts"
import type { Finding } from "./finding.ts"

/**
 * Denials that OpenCode alone would not keep: the same command started by another one, or with an option before its
 * subcommand, is allowed by its own comparison with the whole text. The guard denies them, so nothing is to be corrected.
 */
export function findEvaded(rules: readonly SourcedRule[], place: Place): readonly Finding[] {
  const permissions = compilePermissions(rules)
  return permissions.bash.flatMap((rule): readonly Finding[] => {
    if (rule.action !== "deny") return []
    const evading = variants(rule.pattern).flatMap((text) => {
      const match = evaluate(permissions.bash, text)
      const isDenied = judge(readScript(text), permissions, place).kind === "deny"
      return match.action === "allow" && isDenied ? [{ text, pattern: match.pattern }] : []
    })
    const [first] = evading
    if (first === undefined) return []
    const examples = evading.slice(0, 4).map(({ text }) => quote(text))
    return [
      {
        kind: "needs-the-guard",
        severity: "note",
        origin: rules[rule.order]?.origin,
        message: `without the guard, the bash pattern ${quote(rule.pattern)} (deny) would not stop ${examples.join(", ")}, which ${quote(first.pattern)} allows`,
        remedy: "the guard denies them",
      },
    ]
  })
}

/** Ways to run what a pattern denies; none for a pattern that begins with a wildcard. */
function variants(pattern: string): readonly string[] {
  const sample = pattern.replaceAll(/[*?]/g, "x")
  const [name = "", ...args] = sample.split(" ")
  if (!/^[\w.+-]+$/.test(name) || /[*?]/.test(pattern.split(" ")[0] ?? "") || sample.includes("'")) return []
  const split = args.flatMap((word) =>
    /^-[A-Za-z]{2,}$/.test(word) ? [...word.slice(1)].map((letter) => `-${letter}`) : [word],
  )
  return [
    `timeout 5 ${sample}`,
    `env ${sample}`,
    `command ${sample}`,
    `/usr/bin/${sample}`,
    `\\${sample}`,
    `sh -c '${sample}'`,
    ...(name === "git" ? [`git -C . ${args.join(" ")}`] : []),
    [name, ...split].join(" "),
  ]
}
