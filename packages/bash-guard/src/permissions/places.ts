import { dirname, isAbsolute, join, normalize, relative } from "node:path"
import { type ArgumentWord, type FoundCommand, isKnown } from "../shell/reading.ts"

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

/** Where a script may stand when a command of it runs; `isOpen` when some `cd` leads who knows where. */
export interface Whereabouts {
  readonly folders: readonly string[]
  readonly isOpen: boolean
}

/** More folders than this, and they count as unknown. */
const mostFolders = 24

/** Follows every `cd`, `pushd` and `popd` of a script, taken or not. */
export function whereabouts(commands: readonly FoundCommand[], place: Place): Whereabouts {
  let folders: readonly string[] = [place.cwd]
  let isOpen = false
  for (const command of commands) {
    const name = command.words[0]?.value
    if (name !== "cd" && name !== "pushd" && name !== "popd" && name !== "chdir") continue
    const target = name === "popd" ? undefined : targetOf(command, place)
    if (target === undefined || (command.deferred && !isAbsolute(target))) isOpen = true
    else folders = [...new Set([...folders, ...folders.map((folder) => resolveFrom(folder, target))])]
  }
  return folders.length > mostFolders ? { folders: [place.cwd], isOpen: true } : { folders, isOpen }
}

/** The path a word may name: undefined when its beginning is up to the shell. The unknown rest is left out. */
export function pathIn(word: ArgumentWord, place: Place): string | undefined {
  if (isKnown(word)) return word.value
  const home = /^(~|\$HOME|\$\{HOME\})(?=\/|$)/.exec(word.value)
  if (home !== null) return place.home + (word.fragments[1] ?? "")
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

function targetOf(command: FoundCommand, place: Place): string | undefined {
  const operand = command.words.slice(1).find((word) => !/^-[LPe@]+$|^--$/.test(word.value))
  if (operand === undefined) return place.home
  const path = pathIn(operand, place)
  const isWhole = isKnown(operand) || operand.fragments.length === 2
  return path === undefined || !isWhole || path === "-" || /^[-+]\d*$/.test(path) ? undefined : path
}

function within(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === "" || (way !== ".." && !way.startsWith("../") && !isAbsolute(way))
}
