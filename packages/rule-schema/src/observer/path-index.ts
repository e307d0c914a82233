import type { Pattern } from "../glob/compile.ts"
import { extensionOf } from "../glob/literal-ends.ts"
import type { PathForm } from "../glob/path-form.ts"

/** Looks for the pattern lists, of many, that a path may meet. */
export interface PathIndex {
  /** The numbers of the lists that may include a path: all that do, and few others. */
  candidatesFor(form: PathForm): ReadonlySet<number>
}

/** Files each list under the folders and the endings without which none of its patterns includes a path. */
export function createPathIndex(lists: readonly (readonly Pattern[])[]): PathIndex {
  const byFolder = new Map<string, Map<string, number[]>>()
  for (const [at, patterns] of lists.entries()) {
    for (const { folder, endings } of patterns.filter(({ excludes }) => !excludes)) {
      for (const ending of endings) {
        const byEnding = byFolder.get(folder) ?? new Map<string, number[]>()
        const known = byEnding.get(ending) ?? []
        known.push(at)
        byFolder.set(folder, byEnding.set(ending, known))
      }
    }
  }
  return {
    candidatesFor({ path, base }) {
      const extension = extensionOf(base)
      const found = new Set<number>()
      for (const folder of foldersOf(path)) {
        const byEnding = byFolder.get(folder)
        for (const at of byEnding?.get("") ?? []) found.add(at)
        for (const at of byEnding?.get(extension) ?? []) found.add(at)
      }
      return found
    },
  }
}

/** `""`, `a`, `a/b` and `a/b/c` for `a/b/c`. */
function foldersOf(path: string): readonly string[] {
  const folders = [""]
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) folders.push(path.slice(0, at))
  folders.push(path)
  return folders
}
