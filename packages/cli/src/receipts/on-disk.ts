import { type CompiledRule, findNestedRules, foldersAbove, loadRulebook } from "@opencode-rulebook/rule-schema"
import type { Project } from "../project.ts"

/**
 * The rules of a project as they are on disk now, those of nested folders above the given paths included. Never rejects.
 *
 * @param paths of files, absolute or relative to the project's folder.
 */
export async function rulesOnDisk(project: Project, paths: Iterable<string>): Promise<readonly CompiledRule[]> {
  const folders = new Set<string>()
  for (const path of paths) for (const folder of foldersAbove(path, project.directory)) folders.add(folder)
  const own = await loadRulebook(project.ruleDirectories)
  const nested = await findNestedRules(project.input, [...folders])
  return [own, ...nested.map(({ rulebook }) => rulebook)].flatMap(({ rules }) => rules)
}

export function byId(rules: readonly CompiledRule[]): ReadonlyMap<string, CompiledRule> {
  return new Map(rules.map((rule) => [rule.id, rule]))
}
