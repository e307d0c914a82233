import { existsSync } from "node:fs"
import { stat } from "node:fs/promises"
import { basename, dirname, join, relative, resolve, sep } from "node:path"
import { isWithin, type Rulebook, type RuleDirectory, type RuleProblem } from "@opencode-rulebook/rule-schema"
import { discoverRules, type FoundFile, loadFiles } from "@opencode-rulebook/rule-schema/authoring"
import type { Project } from "../project.ts"
import { UsageError } from "../usage-error.ts"
import { nestedPlaces, toolDirectoryOf } from "./sources.ts"

/** What is checked: rules, and the places where they were looked for. */
export interface Targets {
  readonly rulebook: Rulebook
  readonly places: readonly string[]
}

/**
 * Loads the rules of the given files and folders, or those of the standard places when none are given. A project's
 * folder stands for the rules in its `.opencode/rules`; another one is a rules folder itself.
 *
 * @param projectFiles the project's files, absolute, as far as git can tell: nested folders with rules are found by them.
 * @throws UsageError for a path that is not there or no rule file.
 */
export async function loadTargets(
  paths: readonly string[],
  project: Project,
  cwd: string,
  projectFiles: readonly string[] = [],
): Promise<Targets> {
  if (paths.length === 0) {
    const directories = [...project.ruleDirectories, ...nestedPlaces(project, projectFiles)]
    return await loadDirectories(directories, project.sources.problems)
  }
  const files: FoundFile[] = []
  const problems: Rulebook["problems"][number][] = []
  const places: string[] = []
  for (const path of paths.map((given) => resolve(cwd, given))) {
    const stats = await stat(path).catch(() => undefined)
    if (stats === undefined) throw new UsageError(`${path}: no such file or folder`)
    if (stats.isDirectory()) {
      const inner = join(path, ".opencode", "rules")
      const isProject = path === project.directory || existsSync(inner) || existsSync(join(path, ".git"))
      const folder = isProject ? inner : path
      const found = await discoverRules([directoryOf(folder, project)])
      places.push(folder)
      files.push(...found.files)
      problems.push(...found.problems)
    } else {
      if (!/\.mdc?$/i.test(path)) throw new UsageError(`${path} is not a rule file; rule files end in .md or .mdc`)
      places.push(path)
      files.push({ directory: directoryOf(dirname(path), project), path, size: stats.size, isForeign: true })
    }
  }
  return { rulebook: await loadFiles(withoutRepeats(files), problems), places }
}

async function loadDirectories(directories: readonly RuleDirectory[], known: readonly RuleProblem[]): Promise<Targets> {
  const { files, problems } = await discoverRules(directories)
  return { rulebook: await loadFiles(files, [...known, ...problems]), places: directories.map(({ path }) => path) }
}

function withoutRepeats(files: readonly FoundFile[]): FoundFile[] {
  const paths = new Set<string>()
  return files.filter(({ path }) => !paths.has(path) && paths.add(path))
}

/** The rules directory that a folder is in: a standard place, another project's, or the folder itself. */
export function directoryOf(folder: string, project: Project): RuleDirectory {
  const { directory, worktree, ruleDirectories } = project
  const standard = ruleDirectories.find(({ path }) => isWithin(folder, path)) ?? toolDirectoryOf(project, folder)
  if (standard) return standard
  for (let outer = folder; dirname(outer) !== outer; outer = dirname(outer)) {
    const isRules = basename(outer) === "rules" && basename(dirname(outer)) === ".opencode"
    if (isRules) return foreignDirectory(outer, dirname(dirname(outer)), directory)
  }
  return foreignDirectory(folder, worktree ?? directory, directory)
}

/** Its prefix keeps rules of several such folders apart. */
function foreignDirectory(path: string, root: string, directory: string): RuleDirectory {
  return { scope: "project", path, root, prefix: `${relative(directory, path).replaceAll(sep, "/")}/` }
}
