import { isAbsolute, relative } from "node:path"
import { type ArgumentWord, type FileRedirect, type FoundCommand, isKnown } from "../shell/reading.ts"
import { folderPattern, isInside, type Place, pathIn, resolveFrom, type Whereabouts } from "./places.ts"
import { type Action, allowsEverything, evaluate, type Match, type Permissions } from "./rules.ts"

/** What a file or folder makes of the verdict. */
export interface FileMatch {
  readonly action: Action
  readonly pattern: string
  readonly permission: "edit" | "external_directory"
  /** The text that the guard judged. */
  readonly text: string
  /** The host will ask about it by itself. */
  readonly byHost: boolean
}

/** Judges the target of a redirection that writes by the user's `edit` permission. */
export function resolveWrite(
  redirect: FileRedirect,
  where: Whereabouts,
  place: Place,
  permissions: Permissions,
): readonly FileMatch[] {
  if (redirect.mode === "read" || allowsEverything(permissions.edit)) return []
  const unknown: FileMatch = {
    action: "ask",
    pattern: "(the file is only known when it runs)",
    permission: "edit",
    text: redirect.written,
    byHost: false,
  }
  const word = redirect.target
  if (word === undefined) return [unknown]
  // A process substitution is no file; its commands are judged where they stand.
  if (/^>\(.*\)$/s.test(word.written)) return []
  if (!isKnown(word)) return [unknown]
  if (isDevice(word.value)) return []
  if (where.isOpen && !isAbsolute(word.value)) return [unknown]
  return where.folders.map((folder) => {
    const path = relative(place.filesFrom ?? place.worktree, resolveFrom(folder, word.value))
    const match = evaluate(permissions.edit, path)
    return { action: match.action, pattern: match.pattern, permission: "edit", text: redirect.written, byHost: false }
  })
}

/** Judges the paths in a command's words, and in a redirection, by the user's `external_directory` patterns. */
export function resolvePaths(
  command: FoundCommand,
  where: Whereabouts,
  place: Place,
  permissions: Permissions,
): readonly FileMatch[] {
  if (allowsEverything(permissions.externalDirectory)) return []
  const [name, ...args] = command.words
  return args.flatMap((word) => {
    const isWatched = command.role === "simple" && watched.has(name?.written ?? "") && plain.test(word.written)
    return resolveWord(word, where, place, permissions, isWatched)
  })
}

export function resolveRedirectPath(
  redirect: FileRedirect,
  where: Whereabouts,
  place: Place,
  permissions: Permissions,
): readonly FileMatch[] {
  if (redirect.target === undefined || allowsEverything(permissions.externalDirectory)) return []
  return resolveWord(redirect.target, where, place, permissions, false)
}

/** A `cd` to a place only the shell knows: what the script does there can't be judged. */
export function resolveOpenEnd(where: Whereabouts, permissions: Permissions): readonly FileMatch[] {
  if (!where.isOpen || allowsEverything(permissions.externalDirectory)) return []
  const pattern = "(the folder is only known when it runs)"
  return [{ action: "ask", pattern, permission: "external_directory", text: "cd", byHost: false }]
}

/** The commands for which OpenCode itself asks about folders, and how their arguments must be written (measured on 1.18.33). */
const watched = new Set(["cd", "pushd", "rm", "cp", "mv", "mkdir", "touch", "chmod", "chown", "cat"])
const plain = /^(?:[\w./~@%+,:-]+|"[^"$`\\]*")$/

function resolveWord(
  word: ArgumentWord,
  where: Whereabouts,
  place: Place,
  permissions: Permissions,
  isWatched: boolean,
): readonly FileMatch[] {
  return candidates(word, place).flatMap((path) => {
    if (isDevice(path) && !isWatched) return []
    const outside = where.folders.map((folder) => resolveFrom(folder, path)).filter((full) => !isInside(full, place))
    return [...new Set(outside.filter((full) => isPlausible(full, place)))].map((full) => {
      const folder = folderPattern(full, place)
      const match: Match = evaluate(permissions.externalDirectory, folder)
      const byHost = isWatched && where.folders.length === 1
      return {
        action: match.action,
        pattern: match.pattern,
        permission: "external_directory" as const,
        text: folder,
        byHost,
      }
    })
  })
}

/** The paths a word may be: all of it, or what stands behind `=` in `--file=/x` and `of=/x`, `-f` in `-f/x`, `@` in `@/x`. */
function candidates(word: ArgumentWord, place: Place): readonly string[] {
  const path = pathIn(word, place)
  if (path === undefined) return []
  const expanded = word.written.startsWith("~") ? path.replace(/^~(?=\/|$)/, place.home) : path
  const assigned = /^(?:[\w-]+=|-[A-Za-z](?=[/.~])|@)(.+)$/s.exec(expanded)?.[1]
  return [expanded, ...(assigned === undefined ? [] : [assigned])].filter((text) => leadsOut(text))
}

/** Relative words without `..` stay where the script is; links are not followed. */
function leadsOut(text: string): boolean {
  return isAbsolute(text) || /(^|\/)\.\.(\/|$)/.test(text)
}

/** `/foo/` in a sed script is no path: a path starts with something that exists. */
function isPlausible(path: string, place: Place): boolean {
  const [, top = ""] = path.split("/")
  return top === "" ? path === "/" : place.exists(`/${top}`)
}

function isDevice(path: string): boolean {
  return /^\/dev\/(null|zero|full|tty|stdin|stdout|stderr|u?random|fd\/\d+)$/.test(path)
}
