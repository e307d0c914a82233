import { type CompiledRule, pathForm } from "@opencode-rulebook/rule-schema"
import { isIncluded, type Pattern } from "@opencode-rulebook/rule-schema/authoring"
import type { TouchedFile } from "./figures.ts"

/** Files of one folder with one ending that no rule is about. */
export interface FilesWithoutRule {
  /** `src/api/*.ts`, or `Makefile`. */
  readonly pattern: string
  readonly files: number
  /** How often one of them was read or changed: once a session and file. */
  readonly touched: number
}

/**
 * The files that no rule is about, by folder and ending, the most often touched first. A rule is about a file when its `globs` match the
 * path, or when it has matched by it. A rule that looks at texts only is about no path.
 *
 * @param root what the files' paths are relative to, absolute.
 */
export function filesWithoutRule(
  files: readonly TouchedFile[],
  rules: readonly CompiledRule[],
  root: string,
): readonly FilesWithoutRule[] {
  const isCovered = coverage(rules, root)
  const groups = new Map<string, { files: number; touched: number }>()
  for (const { path, sessions, hasMatched } of files) {
    if (hasMatched || isCovered(path)) continue
    const pattern = patternOf(path)
    const group = groups.get(pattern) ?? { files: 0, touched: 0 }
    groups.set(pattern, group)
    group.files += 1
    group.touched += sessions
  }
  const all = Array.from(groups, ([pattern, group]) => ({ pattern, ...group }))
  return all.toSorted((a, b) => b.touched - a.touched || b.files - a.files)
}

function coverage(rules: readonly CompiledRule[], directory: string): (path: string) => boolean {
  const byPlace = new Map<
    string,
    { readonly place: Parameters<typeof pathForm>[1]; readonly patterns: (readonly Pattern[])[] }
  >()
  for (const { root, project, conditions } of rules) {
    const patterns = conditions.flatMap(({ file }) => (file?.globs ? [file.globs] : []))
    const key = JSON.stringify([root, project])
    const known = byPlace.get(key) ?? { place: { root, project, directory }, patterns: [] }
    byPlace.set(key, known)
    known.patterns.push(...patterns)
  }
  return (path) =>
    Array.from(byPlace.values()).some(({ place, patterns }) => {
      const form = pathForm(path, place)
      return patterns.some((list) => isIncluded(list, form))
    })
}

/** A file without an ending stands for itself. */
function patternOf(path: string): string {
  const [, folder = "", ending] = /^(.*\/)?[^/]*?[^/](\.[^./]+)$/.exec(path) ?? []
  return ending === undefined ? path : `${folder}*${ending}`
}
