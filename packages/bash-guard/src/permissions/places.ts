import { dirname, isAbsolute, join, normalize, relative } from "node:path"
import { type ArgumentWord, isKnown } from "../shell/reading.ts"

/** The folders of a call, and what the guard may ask of the file system. */
export interface Place {
  /** Where the command starts. */
  readonly cwd: string
  /** The project's folder. */
  readonly directory: string
  /** The repository's root. `/` when there is no repository. */
  readonly worktree: string
  /** The folder that the host names files from: OpenCode 1 the worktree, which is the default; OpenCode 2 the directory. */
  readonly filesFrom?: string
  readonly home: string
  isDirectory(path: string): boolean
  exists(path: string): boolean
  /** Whether programs that the shell starts see a variable of this name. */
  isInEnvironment(name: string): boolean
}

/** The path a word may name: undefined when its beginning is up to the shell. The unknown rest is left out. */
export function pathIn(word: ArgumentWord, place: Place): string | undefined {
  if (isKnown(word)) return word.value
  const home = /^(~|\$HOME|\$\{HOME\})(?=\/|$)/.exec(word.value)
  if (home !== null) return place.home + (word.fragments[1] ?? "")
  // Other users' folders lie beside one's own.
  const other = /^~(\w[\w.-]*)/.exec(word.written)?.[1]
  if (other !== undefined) return join(dirname(place.home), other) + (word.fragments[1] ?? "")
  const [head = ""] = word.fragments
  return head.includes("/") ? head : undefined
}

export function resolveFrom(folder: string, path: string): string {
  const full = normalize(isAbsolute(path) ? path : join(folder, path))
  return full.length > 1 && full.endsWith("/") ? full.slice(0, -1) : full
}

/** Whether a path lies in the project or its repository. */
export function isInside(path: string, place: Place): boolean {
  return within(path, place.directory) || (place.worktree !== "/" && within(path, place.worktree))
}

/** The folder pattern that the host would ask about for a path. */
export function folderPattern(path: string, place: Place): string {
  return join(place.isDirectory(path) ? path : dirname(path), "*")
}

function within(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === "" || (way !== ".." && !way.startsWith("../") && !isAbsolute(way))
}
