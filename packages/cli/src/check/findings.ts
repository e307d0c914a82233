import { fileGate, instructionProblems, type RuleProblem, readRegularFile } from "@opencode-rulebook/rule-schema"
import { readRuleSource } from "@opencode-rulebook/rule-schema/authoring"
import { projectTags } from "@opencode-rulebook/server/dry-run"
import { knownNames } from "../known-names.ts"
import type { LintedRule, Surroundings } from "../lints/lint.ts"
import { LINTS } from "../lints/table.ts"
import type { Project } from "../project.ts"
import { spelledFrom } from "./project-files.ts"
import type { Targets } from "./targets.ts"

/** Larger files are no rules. */
const MOST_BYTES = 10 * 1024 * 1024

export interface CheckResult {
  /** Rule files that were looked at. */
  readonly rules: number
  /** By file and place. */
  readonly findings: readonly RuleProblem[]
  /** The texts of the files with findings, as far as they can be read. */
  readonly texts: ReadonlyMap<string, string>
}

/**
 * All that is wrong with the rules: what the plugin itself would say, and what the lints say of rules that work.
 *
 * @param machine.files the project's files, absolute, as far as git can tell.
 */
export async function findProblems(
  { rulebook }: Targets,
  project: Project,
  { files, home, platform }: { files: readonly string[] | undefined; home: string; platform: string },
): Promise<CheckResult> {
  const ruleFiles = [...rulebook.rules, ...rulebook.broken].map(({ file }) => file)
  // Not those of links that lead out of the project: what is behind them is shown to nobody.
  const wrongFiles = rulebook.problems.flatMap(({ file, code }) => (code === "outside-link" ? [] : [file]))
  const texts = await readTexts([...new Set([...ruleFiles, ...wrongFiles])])
  const rules = rulebook.rules.flatMap((rule): LintedRule[] => {
    const text = texts.get(rule.file)
    return text === undefined ? [] : [{ rule, source: readRuleSource(rule.file, text, rule.origin) }]
  })
  const surroundings: Surroundings = {
    directory: project.directory,
    files: files && spelledFrom(project.directory, files),
    tags: await projectTags(project.directory, project.worktree),
    names: await knownNames(project, home),
    os: platform,
    rules,
  }
  // Nobody here can change what a package has.
  const own = rules.filter(({ rule }) => rule.origin?.kind !== "pack")
  const findings = own.flatMap((subject) => lintRule(subject, surroundings))
  const { directory, worktree, ruleDirectories, config } = project
  const place = { home, directory, worktree, platform }
  const listed = await instructionProblems(rulebook, ruleDirectories, config.instructions, place)
  const all = [...rulebook.problems, ...listed, ...findings]
  return { rules: ruleFiles.length, findings: all.toSorted(byPlace), texts }
}

/** What the lints say of one rule that works. */
export function lintRule(subject: LintedRule, surroundings: Surroundings): readonly RuleProblem[] {
  return LINTS.flatMap(({ code, check }) =>
    check(subject, surroundings).map((finding) => subject.source.problem("warning", { code, ...finding })),
  )
}

async function readTexts(files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  for (const file of files) {
    const read = await fileGate.pass(file, true, () => readRegularFile(file, MOST_BYTES)).catch(() => undefined)
    if (read?.kind === "bytes") texts.set(file, new TextDecoder("utf-8", { ignoreBOM: true }).decode(read.bytes))
  }
  return texts
}

function byPlace(a: RuleProblem, b: RuleProblem): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  return a.line - b.line || a.column - b.column
}
