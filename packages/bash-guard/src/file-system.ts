import { existsSync, statSync } from "node:fs"
import type { Place } from "./permissions/places.ts"

/** The folders of a call on the real file system. */
export function realPlace(folders: Pick<Place, "cwd" | "directory" | "worktree" | "home">): Place {
  return { ...folders, exists: existsSync, isDirectory }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
