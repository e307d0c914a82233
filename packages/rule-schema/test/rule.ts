import { type CompiledRule, type ParsedRule, parseRule, type RuleDirectory } from "../src/index.ts"

export const directory: RuleDirectory = {
  scope: "project",
  path: "/home/dev/app/.opencode/rules",
  root: "/home/dev/app",
  prefix: "",
}

export const path = `${directory.path}/rule.md`

/** Parses a whole file's text. */
export function parseText(text: string): ParsedRule {
  return parseRule({ directory, path, text })
}

/** Parses a rule with this frontmatter and a body. */
export function parseWith(frontmatter: string): ParsedRule {
  return parseText(`---\n${frontmatter}\n---\nBe careful.\n`)
}

/** The compiled rule of this frontmatter. Throws with the problems when it is broken. */
export function ruleWith(frontmatter: string): CompiledRule {
  const parsed = parseWith(frontmatter)
  if (parsed.kind === "broken") throw new Error(JSON.stringify(parsed.rule.problems))
  return parsed.rule
}

export function conditionsOf(parsed: ParsedRule): string {
  if (parsed.kind === "broken")
    return parsed.rule.problems.map((problem) => `${problem.severity} ${problem.code}`).join(", ")
  return parsed.rule.conditions.map((condition) => `${condition.family}: ${condition.details}`).join(" | ")
}
