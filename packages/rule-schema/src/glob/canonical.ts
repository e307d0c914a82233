import { groupsOf, segmentsOf } from "./groups.ts"
import { unifySeparators } from "./separators.ts"

/** What there is to say of one pattern that compiles. */
export interface PatternNote {
  readonly code: "dead-pattern" | "odd-pattern"
  readonly reason: string
  readonly remedy: string
}

export interface Canonical {
  /** `/`-separated, without what has no effect. */
  readonly text: string
  readonly notes: readonly PatternNote[]
}

const FROM_ROOT = "Write it from the project's root, begin it with `**/`, or write an absolute path"

/** One way to write a path pattern, and what its author probably didn't mean. */
export function canonicalPattern(glob: string): Canonical {
  const separated = unifySeparators(glob.trim().normalize("NFC")).replace(/^[A-Z]:(?=\/|$)/, (drive) =>
    drive.toLowerCase(),
  )
  const text = withoutEmptyParts(separated)
  return { text, notes: [...deadNotes(glob, text), ...oddNotes(glob, separated, text)] }
}

/** `.` and empty segments have no effect; one that stands for a folder stands for all below it. */
function withoutEmptyParts(pattern: string): string {
  const start = /^\/{1,2}/.exec(pattern)?.[0] ?? ""
  const segments = segmentsOf(pattern.slice(start.length))
  const kept = segments.filter((segment) => segment !== "" && segment !== ".")
  const isFolder = segments.at(-1) === "" || segments.at(-1) === "."
  if (isFolder && pattern !== "" && kept.at(-1) !== "**") kept.push("**")
  return start + kept.join("/")
}

/** Why no path can match the pattern, told from its text alone. */
function deadNotes(glob: string, text: string): readonly PatternNote[] {
  const dead = (reason: string, remedy: string): PatternNote[] => [{ code: "dead-pattern", reason, remedy }]
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(glob)) return dead("is a URL, and files have paths", FROM_ROOT)
  if (glob.includes("\0")) return dead("has a NUL character, which no path has", "Remove it")
  const segments = segmentsOf(text)
  if (segments.includes("..")) return dead("has `..` in it, and paths are compared without", FROM_ROOT)
  if (segments.some((segment) => /^!\(\*+\)$/.test(segment))) {
    return dead("excludes every name with `!(*)`", "Name what it is to exclude")
  }
  return []
}

/** What is valid, but probably a mistake. */
function oddNotes(glob: string, separated: string, text: string): readonly PatternNote[] {
  const notes: PatternNote[] = []
  const odd = (reason: string, remedy: string) => notes.push({ code: "odd-pattern", reason, remedy })
  if (/\/\.(?:\/|$)/.test(separated)) odd("has a `.` for a folder, which has no effect", `Write \`${text}\``)
  const globstar = lonelyGlobstar(text)
  if (globstar !== undefined) odd("has `**` beside other characters, where it stays in one folder", globstar)
  if (/^~[\w.-]*\//.test(text))
    odd("begins with `~`, which is not replaced by a home folder", "Write the absolute path")
  if (/\$\{\w/.test(glob)) odd("has a variable in it, which is not replaced", FROM_ROOT)
  if (/\\[*?]/.test(text)) odd("has a `*` or `?` that a backslash escapes", "Remove the backslash, or write `/` there")
  if (/^\^|\$$|\.\*\\\./.test(glob))
    odd("looks like a regular expression, and is a glob", "Write for example `src/**/*.ts`")
  if (/\*\.\([\w-]+\)$/.test(text)) odd("has parentheses without a `|`, which are part of the name", "Write `*.ts`")
  if (/^-/.test(text))
    odd("begins with `-`", "Put a space after the dash of a list, or `./` before a name that begins with `-`")
  const words = glob.trim().split(/\s+/)
  if (words.length > 1 && words.every((word) => word.includes("*")) && !isInGroup(glob)) {
    odd("has several patterns with only whitespace between them", "Separate them with commas, or write a list")
  }
  return notes
}

/** What to write for a `**` that shares its segment, when the pattern has folders. */
function lonelyGlobstar(text: string): string | undefined {
  if (!text.includes("/")) return undefined
  if (!/[^/{,(|*\\]\*\*(?!\*)|(?<!\*)\*\*[^/},)|*]/.test(text)) return undefined
  const meant = text.replace(/(?<=^|\/)\*\*(?=[^/*])/g, "**/*").replace(/(?<=[^/*])\*\*(?=\/|$)/g, "*/**")
  return meant === text ? "Make `**` a folder of its own: `a/**/b`" : `Write \`${meant}\` for the folders below too`
}

function isInGroup(glob: string): boolean {
  const groups = groupsOf(glob)
  const spaces = Array.from(glob.matchAll(/\s/g), ({ index }) => index)
  return spaces.some((space) => [...groups].some(([open, close]) => open < space && space < close))
}
