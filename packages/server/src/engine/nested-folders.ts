import { type CompiledRule, foldersAbove, type NestedRules } from "@opencode-rulebook/rule-schema"

/** Finds the rules of folders, relative to the session's own; those of `known` are there already. Must not reject. */
export type FindNested = (folders: readonly string[], known: readonly string[]) => Promise<readonly NestedRules[]>

/**
 * The folders between the session's own and the files that it observes. Each is looked at once, and nothing is scanned: only what
 * stands above an observed file counts.
 */
export interface NestedFolders {
  /** Looks at what is new above these files. A call that comes while another looks waits for it. */
  lookAbove(paths: readonly string[]): Promise<void>
  /**
   * Looks at what is new above files that are not observed yet. What it finds there is taken at once only when it is needed, else with
   * the first file that is observed below.
   */
  lookAhead(paths: readonly string[], isNeeded: (rules: readonly CompiledRule[]) => boolean): Promise<void>
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

  /** Found, and not taken yet. */
  const waiting: NestedRules[] = []

  async function look(folders: readonly string[]): Promise<void> {
    const rules = await find(folders, found)
    found.push(...rules.map(({ folder }) => folder))
    waiting.push(...rules)
  }

  /** Waits for what is new in folders. */
  async function lookAt(folders: readonly string[]): Promise<void> {
    const fresh = [...new Set(folders)].filter((folder) => !seen.has(folder))
    for (const folder of fresh) seen.add(folder)
    if (fresh.length > 0) latest = latest.then(() => look(fresh))
    await latest
  }

  function takeAll(isWanted: (rules: NestedRules) => boolean): void {
    const wanted = waiting.filter(isWanted)
    waiting.splice(0, waiting.length, ...waiting.filter((rules) => !wanted.includes(rules)))
    if (wanted.length > 0) take(wanted)
  }

  const above = (paths: readonly string[]) => paths.flatMap((path) => foldersAbove(path, directory))
  return {
    async lookAbove(paths) {
      const folders = above(paths)
      await lookAt(folders)
      takeAll(({ folder }) => folders.includes(folder))
    },
    async lookAhead(paths, isNeeded) {
      const folders = above(paths)
      await lookAt(folders)
      takeAll(({ folder, rulebook }) => folders.includes(folder) && isNeeded(rulebook.rules))
    },
  }
}
