import { realpath, stat } from "node:fs/promises"
import { join } from "node:path"
import type { FileGate } from "./file-gate.ts"

/** What tells one state of a file from another. `changed` is in milliseconds since 1970. */
export interface FileDate {
  readonly stamp: string
  readonly changed: number
}

/** What is at a path, symbolic links followed. `real` is its real path, `size` in bytes. */
export type Inspection =
  | ({ readonly kind: "file"; readonly real: string; readonly size: number } & FileDate)
  | { readonly kind: "folder"; readonly real: string }
  | { readonly kind: "other" | "missing" }
  | { readonly kind: "failed"; readonly reason: string }

export function whyNoRule(entry: Exclude<Inspection, { readonly kind: "file" | "folder" }>): string {
  if (entry.kind === "failed") return `can't be read: ${entry.reason}`
  return entry.kind === "other" ? "is not a regular file" : "is a link to a file that does not exist"
}

export interface DirectoryEntry {
  readonly name: string
  isFile(): boolean
  isDirectory(): boolean
}

/** What is no symbolic link has its place under the folder's real path: to ask the file system costs as much as reading. */
export function realPathOf(entry: DirectoryEntry, folder: string): string | undefined {
  return entry.isFile() || entry.isDirectory() ? join(folder, entry.name) : undefined
}

/** Looks without opening: a pipe or a device would make its reader wait. */
export async function inspect(
  gate: FileGate,
  path: string,
  isForeign: boolean,
  knownReal?: string,
): Promise<Inspection> {
  try {
    const stats = await gate.pass(path, isForeign, () => stat(path))
    if (!stats.isFile() && !stats.isDirectory()) return { kind: "other" }
    const real = knownReal ?? (await gate.pass(path, isForeign, () => realpath(path)))
    if (!stats.isFile()) return { kind: "folder", real }
    const { ino, size, mtimeMs, ctimeMs } = stats
    return { kind: "file", real, size, stamp: `${ino}:${size}:${mtimeMs}:${ctimeMs}`, changed: ctimeMs }
  } catch (error) {
    return isMissing(error) ? { kind: "missing" } : { kind: "failed", reason: reasonOf(error) }
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")
}

/** What a failed file operation says. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
