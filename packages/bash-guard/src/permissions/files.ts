import { isAbsolute, relative } from "node:path"
import { programName } from "../shell/names.ts"
import { type ArgumentWord, type FileRedirect, type FoundCommand, isKnown } from "../shell/reading.ts"
import type { Visit, Whereabouts } from "./folders.ts"
import { folderPattern, isInside, type Place, pathIn, resolveFrom } from "./places.ts"
import {
  type Action,
  allowsEverything,
  type CompiledPermission,
  evaluate,
  type Match,
  type Permissions,
} from "./rules.ts"
import { couldMatch } from "./wildcard.ts"

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

/** Judges the files and folders of a command or redirection by the user's `edit` and `external_directory` permissions. */
export function resolveFiles({ item, where }: Visit, place: Place, permissions: Permissions): readonly FileMatch[] {
  if ("command" in item) return resolvePaths(item.command, where, place, permissions)
  return [
    ...resolveWrite(item.redirect, where, place, permissions),
    ...resolveRedirectPath(item.redirect, where, place, permissions),
  ]
}

function resolveWrite(
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

function resolvePaths(
  command: FoundCommand,
  where: Whereabouts,
  place: Place,
  permissions: Permissions,
): readonly FileMatch[] {
  const rules = permissions.externalDirectory
  const [name, ...args] = command.words.slice(0, command.elsewhereFrom ?? command.words.length)
  if (name === undefined || allowsEverything(rules) || command.elsewhereFrom === 0) return []
  const program = programName(name.value)
  if (textual.has(program)) return []
  const skipped = skippedOperand(program, args)
  const isWatched = watched.has(program)
  const matches = args.flatMap((word, at) => {
    if (at === skipped) return []
    const isByHost =
      command.role === "simple" && !command.isInString && watched.has(name.written) && plain.test(word.written)
    return resolveWord(word, {
      where,
      place,
      rules,
      isWatched,
      isByHost,
      takesRoot: takesRoot.has(program),
      sends: senders.has(program),
    })
  })
  const isMove = /^(cd|chdir|pushd)$/.test(program)
  if (isMove && args.length === 0 && command.role !== "assumed") matches.push(...homeMatch(place, rules))
  return [...matches, ...openMatches(command, { isMove, isWatched }, where, rules)]
}

/** `cd` without a word leads home. */
function homeMatch(place: Place, rules: readonly CompiledPermission[]): readonly FileMatch[] {
  if (isInside(place.home, place)) return []
  return [fileMatch(evaluate(rules, folderPattern(place.home, place)), folderPattern(place.home, place), false)]
}

/**
 * In a folder that only the shell knows: whatever the user's own patterns say of folders may hold there. OpenCode's own
 * default asks about folders that it knows, and so only counts for relative paths of the commands it watches.
 */
function openMatches(
  command: FoundCommand,
  { isMove, isWatched }: { readonly isMove: boolean; readonly isWatched: boolean },
  where: Whereabouts,
  rules: readonly CompiledPermission[],
): readonly FileMatch[] {
  if (!where.isOpen || (command.role !== "simple" && command.role !== "wrapped")) return []
  const hasPath = isWatched && !isMove && command.words.slice(1).some((word) => !/^[-/]/.test(word.value))
  if (!hasPath && !rules.some((rule) => rule.action !== "allow" && !rule.isHostDefault)) return []
  const pattern = "(the folder is only known when it runs)"
  return [{ action: "ask", pattern, permission: "external_directory", text: command.written, byHost: false }]
}

function resolveRedirectPath(
  redirect: FileRedirect,
  where: Whereabouts,
  place: Place,
  permissions: Permissions,
): readonly FileMatch[] {
  const { target } = redirect
  const rules = permissions.externalDirectory
  if (target === undefined || allowsEverything(rules)) return []
  // Logs in the folders for temporary files are everyday, and OpenCode doesn't ask about them.
  const isTemporary = /^(\/tmp|\/var\/tmp|\/private\/tmp)\//.test(target.value)
  const about = { where, place, rules, isWatched: !isTemporary, isByHost: false, takesRoot: false, sends: false }
  return resolveWord(target, about)
}

/** The commands for which OpenCode itself asks about folders, and how their arguments must be written (measured on 1.18.33). */
const watched = new Set(["cd", "pushd", "rm", "cp", "mv", "mkdir", "touch", "chmod", "chown", "cat"])
const plain = /^(?:[\w./~@%+,:-]+|"[^"$`\\]*")$/
/** Programs whose arguments are text. */
const textual = new Set(
  "echo printf expr tr seq date basename dirname which type hash true false sleep kill wait jobs let return exit set shift alias export declare local readonly unset gh jq yq psql sqlite3 mysql cut bc".split(
    " ",
  ),
)
/** Programs whose first operand is a pattern or a script, unless an option gives it. */
const patternFirst = new Set("grep egrep fgrep zgrep rg ag ack sed awk gawk mawk perl ruby".split(" "))
/** Programs that send files away. */
const senders = new Set("curl wget http https xh scp rsync sftp nc ncat".split(" "))
/** Programs for which a lone `/` is the root folder. */
const takesRoot = new Set(
  "cd pushd ls tree find du rm cp mv chmod chown chgrp stat tar rsync cat mkdir touch ln mount df fd rg grep".split(
    " ",
  ),
)

function skippedOperand(program: string, args: readonly ArgumentWord[]): number {
  if (!patternFirst.has(program) || args.some((word) => /^-\w*[ef]|^--(regexp|file|expression)/.test(word.value)))
    return -1
  return args.findIndex((word) => !word.value.startsWith("-"))
}

interface About {
  readonly where: Whereabouts
  readonly place: Place
  readonly rules: readonly CompiledPermission[]
  readonly isWatched: boolean
  readonly isByHost: boolean
  readonly takesRoot: boolean
  readonly sends: boolean
}

function resolveWord(word: ArgumentWord, about: About): readonly FileMatch[] {
  const { where, place, rules, isByHost } = about
  return candidates(word, about).flatMap(({ path, isPartial, isSent }) => {
    if (isDevice(path) && !isByHost) return []
    const outside = where.folders.map((folder) => resolveFrom(folder, path)).filter((full) => !isInside(full, place))
    return [...new Set(outside)].flatMap((full) => {
      if (!isPartial && !isPlausible(full, place)) return []
      const folder = folderPattern(full, place)
      const match = matchFolder(folder, word, isPartial, rules)
      // OpenCode's own default is about the commands it watches; it asks for nothing else.
      if (match.isHostDefault && !about.isWatched && !(isSent && about.sends)) return []
      // The host takes every path from where the whole command starts.
      const isSeenByHost = isByHost && !isInside(resolveFrom(place.cwd, path), place)
      return [fileMatch(match, folder, isSeenByHost)]
    })
  })
}

function fileMatch(match: Match, text: string, byHost: boolean): FileMatch {
  return { action: match.action, pattern: match.pattern, permission: "external_directory", text, byHost }
}

/** Where only the shell knows the folder's name, a pattern that could match it asks. */
function matchFolder(
  folder: string,
  word: ArgumentWord,
  isPartial: boolean,
  rules: readonly CompiledPermission[],
): Match & { readonly isHostDefault: boolean } {
  const match = evaluate(rules, folder)
  const isHostDefault = rules.some((rule) => rule.order === match.order && rule.isHostDefault)
  if (!isPartial) return { ...match, isHostDefault }
  const possible = rules.findLast((rule) => rule.action !== "allow" && couldMatch(word.fragments, rule.wildcard))
  if (possible === undefined || possible.isHostDefault) return { ...match, action: "ask", isHostDefault: true }
  return { ...possible, action: "ask", isHostDefault: false }
}

interface Candidate {
  readonly path: string
  /** The first folder's name is not known. */
  readonly isPartial: boolean
  /** An option hands over the file's contents. */
  readonly isSent: boolean
}

/** What may stand before a path: `--file=`, `of=`, `-f`, `@`. */
const prefix = /^(?:-{0,2}[\w-]+=|-[A-Za-z](?=[/.~@])|@)/

/** The paths a word may be: all of it, or what stands behind `=` in `--file=/x` and `of=/x`, `-f` in `-f/x`, `@` in `@/x`. */
function candidates(word: ArgumentWord, { where, place, takesRoot: ofRoot }: About): readonly Candidate[] {
  const found: Candidate[] = []
  const isOutside = where.folders.some((folder) => !isInside(folder, place))
  const add = (text: string, isWhole: boolean, isSent: boolean): void => {
    const path = isWhole ? text.replace(/^~(?=\/|$)/, place.home) : text
    const isRoot = /^\/+$/.test(path)
    if (isRoot && !(isWhole && ofRoot)) return
    if (leadsOut(path) || (isOutside && isWhole && isKnown(word) && !path.startsWith("-"))) {
      found.push({ path, isPartial: isPartial(word, path), isSent })
    }
  }
  const path = pathIn(word, place)
  for (const text of fallbacks(word)) add(text, true, false)
  if (path === undefined) return found
  add(word.written.startsWith("~") || isKnown(word) === false ? path : plainTilde(path, word), true, false)
  let rest = path
  for (let round = 0; round < 3; round += 1) {
    const cut = rest.replace(prefix, "")
    if (cut === rest) break
    add(cut, false, rest.includes("@"))
    rest = cut
  }
  // `/host/folder:/inside`
  if (/^\/[^:]+:/.test(path)) add(path.slice(0, path.indexOf(":")), false, false)
  return found
}

/** A `~` in quotes is a character. */
function plainTilde(path: string, word: ArgumentWord): string {
  return word.written.startsWith("~") ? path : path.replace(/^~/, "./~")
}

/** The paths in `${x:-/etc/passwd}`. */
function fallbacks(word: ArgumentWord): readonly string[] {
  return word.gaps.flatMap(({ fallback }, at) =>
    fallback === undefined ? [] : [`${word.fragments[at] ?? ""}${fallback}${word.fragments[at + 1] ?? ""}`],
  )
}

function isPartial(word: ArgumentWord, path: string): boolean {
  return !isKnown(word) && /^\/[^/]*$/.test(path) && path === word.fragments[0]
}

/** Relative words without `..` stay where the script is; links are not followed. */
function leadsOut(text: string): boolean {
  return isAbsolute(text) || /(^|\/)\.\.(\/|$)/.test(text)
}

/** `/foo/` in a sed script is no path: a path starts with something that exists. */
function isPlausible(path: string, place: Place): boolean {
  const [, top = ""] = path.split("/")
  return top === "" || place.exists(`/${top}`)
}

function isDevice(path: string): boolean {
  return /^\/dev\/(null|zero|full|tty|stdin|stdout|stderr|u?random|fd\/\d+)$/.test(path)
}
