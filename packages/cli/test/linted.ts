import { parseRule, type RuleDirectory, type RuleProblem } from "@opencode-rulebook/rule-schema"
import { readRuleSource } from "@opencode-rulebook/rule-schema/authoring"
import { spelledFrom } from "../src/check/project-files.ts"
import type { LintedRule, Surroundings } from "../src/lints/lint.ts"
import { LINTS } from "../src/lints/table.ts"
import { rule as ruleText } from "./project.ts"

export const ROOT = "/home/dev/app"
export const DIRECTORY: RuleDirectory = { scope: "project", path: `${ROOT}/.opencode/rules`, root: ROOT, prefix: "" }

/** Throws when the rule is broken. */
export function lintedRule(text: string, name = "rule.md", scope: RuleDirectory["scope"] = "project"): LintedRule {
  const path = `${ROOT}/.opencode/rules/${name}`
  const parsed = parseRule({
    directory: { scope, path: `${ROOT}/.opencode/rules`, root: ROOT, prefix: "" },
    path,
    text,
  })
  if (parsed.kind === "broken") throw new Error(JSON.stringify(parsed.rule.problems))
  return { rule: parsed.rule, source: readRuleSource(path, text) }
}

export const surroundings: Surroundings = {
  directory: ROOT,
  files: spelledFrom(
    ROOT,
    ["src/a.ts", "src/deep/b.test.ts", "web/src/components/b.tsx", "web/[id]/page.tsx", ".env", "dist/"].map(
      (path) => `${ROOT}/${path}`,
    ),
  ),
  tags: new Set(["node"]),
  names: {
    agents: new Set(["build", "plan", "Reviewer"]),
    commands: new Set(["init", "review", "deep/check"]),
    tools: new Set(["bash", "edit", "read", "grep", "webfetch", "write", "lsp", "mcp_github"]),
    toolPrefixes: ["github_"],
    models: new Set(["anthropic/claude-sonnet-4-5", "claude-sonnet-4-5"]),
    isWhole: true,
  },
  os: "linux",
  rules: [],
}

export function lint(subject: LintedRule, around: Partial<Surroundings> = {}): readonly RuleProblem[] {
  return LINTS.flatMap(({ code, check }) =>
    check(subject, { ...surroundings, ...around }).map((finding) =>
      subject.source.problem("warning", { code, ...finding }),
    ),
  )
}

/** What the lints find in a rule with this frontmatter: `code at line:column`, the finding's place in the file. */
export function codes(frontmatter: string, scope?: RuleDirectory["scope"], around?: Partial<Surroundings>): string {
  const found = lint(lintedRule(ruleText(frontmatter), "rule.md", scope), around)
  return found.map(({ code, line, column }) => `${code} ${line}:${column}`).join(", ")
}

/** Each finding whole: `code line:column field: reason. remedy`; of one code alone without it. */
export function said(frontmatter: string, code?: string, around?: Partial<Surroundings>): readonly string[] {
  return lint(lintedRule(ruleText(frontmatter)), around)
    .filter((finding) => code === undefined || finding.code === code)
    .map(({ code: own, line, column, field, reason, remedy }) => {
      return `${code === undefined ? `${own} ` : ""}${line}:${column} ${field ?? ""}: ${reason}. ${remedy}.`
    })
}
