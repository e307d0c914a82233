import type { RuleDirectory } from "../identity.ts"
import type { Rulebook } from "../rule.ts"
import { discoverRules } from "./discover.ts"
import { fileGate } from "./file-gate.ts"
import { inspect } from "./inspect.ts"
import { loadFiles } from "./load.ts"

/**
 * Loads rules of directories that come to known ones. A file that a known directory has too, by a link say, is none of theirs.
 *
 * @returns undefined when none of the directories is there. Never rejects.
 */
export async function loadNestedRules(
  known: readonly RuleDirectory[],
  directories: readonly RuleDirectory[],
): Promise<Rulebook | undefined> {
  const found = await Promise.all(directories.map(({ path }) => inspect(fileGate, path, false)))
  const there = directories.filter((_, index) => found[index]?.kind !== "missing")
  if (there.length === 0) return undefined
  const { files, problems, folders } = await discoverRules([...known, ...there])
  const own = files.filter(({ directory }) => there.includes(directory))
  const isOwn = (file: string) => there.some(({ path }) => file.startsWith(path))
  return await loadFiles(
    own,
    problems.filter(({ file }) => isOwn(file)),
    folders,
  )
}
