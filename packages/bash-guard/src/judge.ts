import { isOwnAssignment } from "./permissions/assignments.ts"
import { resolveCommand } from "./permissions/commands.ts"
import {
  byStrictness,
  type FileMatch,
  resolveOpenEnd,
  resolvePaths,
  resolveRedirectPath,
  resolveWrite,
} from "./permissions/files.ts"
import { type Place, whereabouts } from "./permissions/places.ts"
import { allowsEverything, type Permissions } from "./permissions/rules.ts"
import type { FoundCommand, Reading } from "./shell/reading.ts"

/** What is to become of a shell call. */
export type Verdict =
  | { readonly kind: "allow" }
  /** A person decides. `byHost`: the host will ask by itself, and about nothing but folders. */
  | { readonly kind: "ask"; readonly reasons: readonly string[]; readonly byHost: boolean }
  | { readonly kind: "deny"; readonly reason: string }

/** Whether the user's bash permissions give the guard anything to do. */
export function isGuarded(permissions: Permissions): boolean {
  return permissions.bash.length > 0 && !allowsEverything(permissions.bash)
}

/** Judges a command line: each command in it, each file it writes, each folder it names; the strictest verdict wins. */
export function judge(reading: Reading, permissions: Permissions, place: Place): Verdict {
  if (reading.kind === "unreadable") {
    const where = `line ${reading.line}, column ${reading.column}`
    return {
      kind: "deny",
      reason: `The command cannot be parsed (${where}: ${reading.reason}), so it cannot be checked. Rewrite it as valid bash.`,
    }
  }
  const asks: string[] = []
  for (const command of reading.commands) {
    if (isOwnAssignment(command, permissions.bash, place.isInEnvironment)) continue
    const match = resolveCommand(command, permissions.bash)
    if (match.action === "deny") return { kind: "deny", reason: deniedCommand(command, match.pattern) }
    if (match.action === "ask") {
      const why =
        match.why === "pattern"
          ? `the bash pattern ${quote(match.pattern)}`
          : `it may meet the bash pattern ${quote(match.pattern)}`
      asks.push(`${quote(command.written)}: ${why}`)
    }
  }
  const where = whereabouts(reading.commands, place)
  const files = [
    ...reading.redirects.flatMap((redirect) => [
      ...resolveWrite(redirect, where, place, permissions),
      ...resolveRedirectPath(redirect, where, place, permissions),
    ]),
    ...reading.commands.flatMap((command) => resolvePaths(command, where, place, permissions)),
    ...resolveOpenEnd(where, permissions),
  ].toSorted(byStrictness)
  const [strictest] = files
  if (strictest?.action === "deny") return { kind: "deny", reason: deniedFile(strictest) }
  for (const doubt of reading.doubts) asks.push(`${quote(doubt.text)}: ${doubt.reason}`)
  const fileAsks = files.filter((file) => file.action === "ask")
  const own = fileAsks.filter((file) => !file.byHost)
  const reasons = [...new Set([...asks, ...own.map(askedFile)])]
  if (reasons.length > 0) return { kind: "ask", reasons, byHost: false }
  return fileAsks.length > 0 ? { kind: "ask", reasons: fileAsks.map(askedFile), byHost: true } : { kind: "allow" }
}

function deniedCommand(command: FoundCommand, pattern: string): string {
  return `${quote(command.written)} is forbidden by the bash permission pattern ${quote(pattern)}. Nothing was run.`
}

function deniedFile(file: FileMatch): string {
  return `${quote(file.text)} is forbidden by the ${file.permission} permission pattern ${quote(file.pattern)}. Nothing was run.`
}

function askedFile(file: FileMatch): string {
  return `${quote(file.text)}: the ${file.permission} pattern ${quote(file.pattern)}`
}

const longestQuote = 300

/** Command text in a message: control characters escaped, long text cut. */
export function quote(text: string): string {
  const cut = text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text
  return `\`${cut.replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1))}\``
}
