import { pathForm } from "@opencode-rulebook/rule-schema"
import type { SessionHistory } from "../receipts/history.ts"
import type { TouchedFile } from "./figures.ts"

/** How many different files are kept. */
const MOST_FILES = 20_000

/** Collects the project's files that agents read or changed, session by session. */
export interface TouchedFiles {
  add(session: SessionHistory): void
  /** The files of the most sessions first. */
  end(): { readonly files: readonly TouchedFile[]; readonly hasMoreFiles: boolean }
}

export function createTouchedFiles(root: string): TouchedFiles {
  const found = new Map<string, { sessions: number; hasMatched: boolean }>()
  let hasMoreFiles = false

  return {
    add({ directory, steps, rules }) {
      const relative = (path: string) => pathForm(path, { root, directory }).relative
      const touched = new Set<string>()
      for (const { did } of steps) for (const { paths } of did) for (const path of paths) touched.add(path)
      for (const path of touched) {
        const file = fileAt(relative(path))
        if (file) file.sessions += 1
      }
      for (const { arrivals } of rules.values()) {
        for (const by of arrivals.flatMap((arrival) => arrival.by)) {
          if (by.kind !== "condition" || by.family !== "file" || by.seen === undefined) continue
          const file = found.get(relative(by.seen) ?? "")
          if (file) file.hasMatched = true
        }
      }
    },
    end() {
      const files = Array.from(found, ([path, file]) => ({ path, ...file }))
      return { files: files.toSorted((a, b) => b.sessions - a.sessions), hasMoreFiles }
    },
  }

  function fileAt(path: string | undefined): { sessions: number; hasMatched: boolean } | undefined {
    if (path === undefined) return undefined
    const known = found.get(path)
    if (known) return known
    if (found.size >= MOST_FILES) {
      hasMoreFiles = true
      return undefined
    }
    const file = { sessions: 0, hasMatched: false }
    found.set(path, file)
    return file
  }
}
