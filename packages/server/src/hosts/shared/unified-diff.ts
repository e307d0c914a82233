import type { ShownHunk } from "../../engine/file-write.ts"
import { field, text } from "./untyped.ts"

/** How the host shows a change that a call has made to one file: its path, and a unified diff. */
export interface FileDiff {
  readonly path: string
  readonly diff: string
}

/**
 * The changes that a call's record shows: `filediff` of an Edit and `files` of a patch on v1 (there beside the place that a file was moved
 * to), `files` of both on v2 (recorded).
 */
export function diffsOf(record: unknown): FileDiff[] {
  const entries: unknown[] = [field(record, "filediff"), field(record, "files")].flat()
  return entries.flatMap((entry) => {
    const path = text(entry, "movePath") ?? text(entry, "filePath") ?? text(entry, "file")
    const diff = text(entry, "patch")
    return path === undefined || diff === undefined ? [] : [{ path, diff }]
  })
}

const HUNK = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

/** The hunks of a unified diff of one file. A line of a hunk is the file's, whatever it looks like: the hunk's heading counts them. */
export function hunksOf(diff: string): ShownHunk[] {
  const lines = diff.split("\n")
  const hunks: ShownHunk[] = []
  for (let index = 0; index < lines.length; index++) {
    const [heading, before = "1", start, after = "1"] = HUNK.exec(lines[index] ?? "") ?? []
    if (heading === undefined) continue
    let [left, right] = [Number(before), Number(after)]
    const shown: ShownHunk["lines"][number][] = []
    while ((left > 0 || right > 0) && index + 1 < lines.length) {
      index += 1
      const line = lines[index] ?? ""
      const sign = line[0]
      if (sign !== " " && sign !== "-" && sign !== "+") continue
      if (sign !== "+") left -= 1
      if (sign !== "-") right -= 1
      shown.push({ sign, text: line.slice(1).replace(/\r$/, "") })
    }
    hunks.push({ start: Number(start), lines: shown })
  }
  return hunks
}
