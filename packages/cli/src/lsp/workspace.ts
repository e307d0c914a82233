import { readFile } from "node:fs/promises"
import { basename, dirname } from "node:path"
import {
  type CompiledRule,
  loadRulebook,
  parseRule,
  type RuleDirectory,
  type RuleProblem,
} from "@opencode-rulebook/rule-schema"
import { readRuleSource } from "@opencode-rulebook/rule-schema/authoring"
import { projectTags } from "@opencode-rulebook/server/dry-run"
import { lintRule } from "../check/findings.ts"
import { projectFiles, spelledFrom } from "../check/project-files.ts"
import { directoryOf } from "../check/targets.ts"
import type { HostConfig } from "../host-config.ts"
import type { Io } from "../io.ts"
import { type KnownNames, knownNames } from "../known-names.ts"
import type { LintedRule, Surroundings } from "../lints/lint.ts"
import { openProject, type Project } from "../project.ts"

/** What the server knows of the project around a document: its other rules, its files, its configuration. */
export interface Workspace {
  readonly project: Project
  readonly config: HostConfig
  /** The project's files, absolute; undefined where git can't tell. */
  readonly files: readonly string[] | undefined
  readonly tags: ReadonlySet<string>
  readonly names: KnownNames
  /** Rules on disk with their texts. */
  readonly others: readonly LintedRule[]
}

/** Reads what there is in a folder. Never rejects for what is missing there. */
export async function openWorkspace(folder: string, io: Io): Promise<Workspace> {
  const project = await openProject(folder, { ...io, cwd: folder })
  const [files, tags, names, rulebook] = await Promise.all([
    projectFiles(project.worktree),
    projectTags(folder, project.worktree),
    knownNames(project, io.home),
    loadRulebook(project.ruleDirectories),
  ])
  return { project, config: project.config, files, tags, names, others: await withTexts(rulebook.rules) }
}

async function withTexts(rules: readonly CompiledRule[]): Promise<readonly LintedRule[]> {
  const read = rules.map(async (rule): Promise<LintedRule[]> => {
    const text = await readFile(rule.file, "utf8").catch(() => undefined)
    return text === undefined ? [] : [{ rule, source: readRuleSource(rule.file, text, rule.origin) }]
  })
  return (await Promise.all(read)).flat()
}

/** Whether a file is a rule: it lies in a rules folder of the project, or in another project's, and its name ends as a rule's does. */
export function isRuleFile(path: string, { project }: Workspace): boolean {
  if (!/\.mdc?$/i.test(path)) return false
  return rulesFolderOf(path, project) !== undefined
}

function rulesFolderOf(path: string, project: Project): RuleDirectory | undefined {
  const directory = directoryOf(dirname(path), project)
  const isStandard = project.ruleDirectories.some((one) => one.path === directory.path)
  const isOthers = basename(directory.path) === "rules" && basename(dirname(directory.path)) === ".opencode"
  return isStandard || isOthers ? directory : undefined
}

/** All that is wrong with a rule's text as it stands in the editor: what `check` would report of it. */
export function problemsOf(path: string, text: string, workspace: Workspace, platform: string): readonly RuleProblem[] {
  const { project, files, tags, names, others } = workspace
  const directory = rulesFolderOf(path, project)
  if (directory === undefined) return []
  const parsed = parseRule({ directory, path, text })
  if (parsed.kind === "broken") return parsed.rule.problems
  const subject: LintedRule = { rule: parsed.rule, source: readRuleSource(path, text, directory.origin) }
  const surroundings: Surroundings = {
    directory: project.directory,
    files: files && spelledFrom(project.directory, files),
    tags,
    names,
    os: platform,
    rules: inPlace(others, subject),
  }
  return [...parsed.problems, ...lintRule(subject, surroundings)]
}

/** The rules on disk with this one in its place, as `check` lists them: of two that clash the later one is reported. */
function inPlace(others: readonly LintedRule[], subject: LintedRule): readonly LintedRule[] {
  const { file } = subject.rule
  const known = others.findIndex(({ rule }) => rule.file === file)
  if (known >= 0) return others.with(known, subject)
  const folder = others.findIndex(({ rule }) => rule.file > file && dirname(rule.file) === dirname(file))
  return folder >= 0 ? others.toSpliced(folder, 0, subject) : [...others, subject]
}
