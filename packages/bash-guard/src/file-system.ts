import { existsSync, statSync } from "node:fs"
import type { Place } from "./permissions/places.ts"

/** The folders of a call on the real file system, and the environment that its shell inherits. */
export function realPlace(folders: Pick<Place, "cwd" | "directory" | "worktree" | "filesFrom" | "home">): Place {
  return { ...folders, exists: existsSync, isDirectory, isInEnvironment: (name) => name in process.env }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
