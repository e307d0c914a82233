import { join } from "node:path"
import type { RuleDirectory } from "../identity.ts"
import type { Rulebook } from "../rule.ts"
import { nestedDirectories } from "./directories.ts"
import { discoverRules } from "./discover.ts"
import { fileGate } from "./file-gate.ts"
import { inspect } from "./inspect.ts"
import { loadFiles } from "./load.ts"
import { findRuleSources, type SourceInput } from "./sources.ts"
import { isWithin } from "./within.ts"

/** The rules of one folder below the one that the host was opened in. `folder` is relative to that, `/`-separated. */
export interface NestedRules {
  readonly folder: string
  readonly rulebook: Rulebook
}

/**
 * Finds the rules of nested folders, in their order; a folder without any has none. A file that is a rule of a known directory too, by a
 * link say, is none of theirs. Never rejects.
 *
 * @param folders relative to the host's folder.
 * @param known nested folders whose rules are there already.
 */
export async function findNestedRules(
  input: SourceInput,
  folders: readonly string[],
  known: readonly string[] = [],
): Promise<readonly NestedRules[]> {
  const directoriesOf = (folder: string) => nestedDirectories(input, join(input.directory, folder))
  let sources: RuleDirectory[] | undefined
  const found: NestedRules[] = []
  for (const folder of folders) {
    const there = await existing(directoriesOf(folder))
    if (there.length === 0) continue
    sources ??= [...(await findRuleSources(input)).directories, ...known.flatMap(directoriesOf)]
    found.push({ folder, rulebook: await loadBeside(sources, there) })
    sources.push(...there)
  }
  return found
}

async function existing(directories: readonly RuleDirectory[]): Promise<readonly RuleDirectory[]> {
  const looks = await Promise.all(directories.map(({ path }) => inspect(fileGate, path, false)))
  return directories.filter((_, index) => looks[index]?.kind !== "missing")
}

async function loadBeside(known: readonly RuleDirectory[], directories: readonly RuleDirectory[]): Promise<Rulebook> {
  const { files, problems, folders } = await discoverRules([...known, ...directories])
  const own = files.filter(({ directory }) => directories.includes(directory))
  const isOwn = (file: string) => directories.some(({ path }) => isWithin(file, path))
  return await loadFiles(
    own,
    problems.filter(({ file }) => isOwn(file)),
    folders,
  )
}
