import { readFile } from "node:fs/promises"
import type { RuleProblem } from "@opencode-rulebook/rule-schema"
import { readRuleSource } from "@opencode-rulebook/rule-schema/authoring"
import { projectTags } from "@opencode-rulebook/server/dry-run"
import type { LintedRule, Surroundings } from "../lints/lint.ts"
import { LINTS } from "../lints/table.ts"
import type { Project } from "../project.ts"
import { projectFiles, spelledFrom } from "./project-files.ts"
import type { Targets } from "./targets.ts"

export interface CheckResult {
  /** Rule files that were looked at. */
  readonly rules: number
  /** By file and place. */
  readonly findings: readonly RuleProblem[]
  /** The texts of the files with findings, as far as they can be read. */
  readonly texts: ReadonlyMap<string, string>
}

/** All that is wrong with the rules: what the plugin itself would say, and what the lints say of rules that work. */
export async function findProblems({ rulebook }: Targets, project: Project, os: string): Promise<CheckResult> {
  const ruleFiles = [...rulebook.rules, ...rulebook.broken].map(({ file }) => file)
  const texts = await readTexts([...new Set([...ruleFiles, ...rulebook.problems.map(({ file }) => file)])])
  const rules = rulebook.rules.flatMap((rule): LintedRule[] => {
    const text = texts.get(rule.file)
    return text === undefined ? [] : [{ rule, source: readRuleSource(rule.file, text) }]
  })
  const files = await projectFiles(project.worktree)
  const surroundings: Surroundings = {
    directory: project.directory,
    files: files && spelledFrom(project.directory, files),
    tags: await projectTags(project.directory),
    os,
    rules,
  }
  const findings = rules.flatMap((subject) =>
    LINTS.flatMap(({ code, check }) =>
      check(subject, surroundings).map((finding) => subject.source.problem("warning", { code, ...finding })),
    ),
  )
  return { rules: ruleFiles.length, findings: [...rulebook.problems, ...findings].toSorted(byPlace), texts }
}

async function readTexts(files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  for (const file of files) {
    const text = await readFile(file, "utf8").catch(() => undefined)
    if (text !== undefined) texts.set(file, text)
  }
  return texts
}

function byPlace(a: RuleProblem, b: RuleProblem): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  return a.line - b.line || a.column - b.column
}
