import { mkdir, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { shownPath } from "../check/format.ts"
import { UsageError } from "../usage-error.ts"

/** One file that a setup makes or changes. */
export interface Change {
  readonly kind: "create" | "change"
  readonly path: string
  readonly text: string
  /** What the change is for, for people. */
  readonly about: string
}

/** @throws UsageError for a file that can't be written; those before it are written then. */
export async function applyChanges(changes: readonly Change[]): Promise<void> {
  for (const { path, text } of changes) {
    try {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, text)
    } catch (error) {
      throw new UsageError(`${path}: can't be written (${error instanceof Error ? error.message : String(error)})`)
    }
  }
}

/** One line: what was done, or would be done, to which file. */
export function describeChange({ kind, path, about }: Change, cwd: string, isDryRun: boolean): string {
  const verb = kind === "create" ? (isDryRun ? "would create" : "created") : isDryRun ? "would change" : "changed"
  return `${verb} ${shownPath(path, cwd)}: ${about}`
}
