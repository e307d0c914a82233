import { type FileObservation, foldersAbove, type NestedRules } from "@opencode-rulebook/rule-schema"

/** Finds the rules of folders, relative to the session's own; those of `known` are there already. Must not reject. */
export type FindNested = (folders: readonly string[], known: readonly string[]) => Promise<readonly NestedRules[]>

/**
 * The folders between the session's own and the files that it observes. Each is looked at once, and nothing is scanned: only what
 * stands above an observed file counts.
 */
export interface NestedFolders {
  /** Looks at what is new above these files. A call that comes while another looks waits for it. */
  lookAbove(observations: readonly FileObservation[]): Promise<void>
}

/**
 * @param directory the session's folder, absolute.
 * @param known folders whose rules the session has already.
 * @param find finds the rules of folders.
 * @param take takes the rules that were found.
 */
export function createNestedFolders(
  directory: string,
  known: readonly string[],
  find: FindNested,
  take: (found: readonly NestedRules[]) => void,
): NestedFolders {
  const seen = new Set(known)
  const found = [...known]
  let latest: Promise<void> = Promise.resolve()

  async function look(folders: readonly string[]): Promise<void> {
    const rules = await find(folders, found)
    found.push(...rules.map(({ folder }) => folder))
    if (rules.length > 0) take(rules)
  }

  return {
    async lookAbove(observations) {
      const folders = observations.flatMap(({ path }) => foldersAbove(path, directory))
      const fresh = [...new Set(folders)].filter((folder) => !seen.has(folder))
      for (const folder of fresh) seen.add(folder)
      if (fresh.length > 0) latest = latest.then(() => look(fresh))
      await latest
    },
  }
}
