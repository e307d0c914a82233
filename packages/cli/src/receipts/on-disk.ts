import {
  type CompiledRule,
  findNestedRules,
  foldersAbove,
  loadRulebook,
  type Rulebook,
} from "@opencode-rulebook/rule-schema"
import type { Project } from "../project.ts"

/**
 * The rules of a project as they are on disk now, those of nested folders above the given paths included. Never rejects.
 *
 * @param paths of files, absolute or relative to the project's folder.
 */
export async function rulesOnDisk(project: Project, paths: Iterable<string>): Promise<Rulebook> {
  const folders = new Set<string>()
  for (const path of paths) for (const folder of foldersAbove(path, project.directory)) folders.add(folder)
  const own = await loadRulebook(project.ruleDirectories)
  const nested = await findNestedRules(project.input, [...folders])
  const all = [own, ...nested.map(({ rulebook }) => rulebook)]
  return {
    rules: all.flatMap(({ rules }) => rules),
    broken: all.flatMap(({ broken }) => broken),
    problems: all.flatMap(({ problems }) => problems),
    folders: all.flatMap(({ folders: own }) => own),
  }
}

export function byId(rules: readonly CompiledRule[]): ReadonlyMap<string, CompiledRule> {
  return new Map(rules.map((rule) => [rule.id, rule]))
}
