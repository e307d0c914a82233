import { isOwnAssignment } from "./permissions/assignments.ts"
import { type CommandMatch, resolveCommand } from "./permissions/commands.ts"
import { isOwnDeclaration } from "./permissions/declarations.ts"
import { type FileMatch, resolveFiles } from "./permissions/files.ts"
import { followFolders } from "./permissions/folders.ts"
import type { Place } from "./permissions/places.ts"
import { allowsEverything, type Permissions } from "./permissions/rules.ts"
import { isUnchecked } from "./permissions/unchecked.ts"
import type { JudgedCommand, Reason } from "./reasons.ts"
import type { FoundCommand, Reading } from "./shell/reading.ts"

/** What is to become of a shell call, why, and how each of its commands was read. */
export interface Verdict {
  readonly kind: "allow" | "ask" | "deny"
  /** Empty when allowed; of a denied call only what denies it. Most important first, none twice. */
  readonly reasons: readonly Reason[]
  /** Every command that was found, in order; empty when the call cannot be read. */
  readonly commands: readonly JudgedCommand[]
  /** The host will ask by itself, and there is nothing else to ask about. */
  readonly byHost: boolean
}

/** Whether the user's bash permissions give the guard anything to do. */
export function isGuarded(permissions: Permissions): boolean {
  return permissions.bash.length > 0 && !allowsEverything(permissions.bash)
}

/** Judges a command line: each command in it, each file it writes, each folder it names; the strictest verdict wins. */
export function judge(reading: Reading, permissions: Permissions, place: Place): Verdict {
  if (reading.kind === "unreadable") {
    const { reason: why, line, column } = reading
    return { kind: "deny", reasons: [{ kind: "unreadable", why, line, column }], commands: [], byHost: false }
  }
  const commands = reading.commands.map((command) => judgeCommand(command, permissions, place))
  const byPattern = commands.flatMap(patternReasons)
  const files = judgeFiles(reading, permissions, place)
  const own = files.filter((file) => !file.byHost)
  const doubts = reading.doubts.map(({ text, reason }): Reason => ({ kind: "doubt", text, why: reason }))
  const denied = [...byPattern, ...files.flatMap(fileReasons)].filter((reason) => isDenied(reason))
  if (denied.length > 0) return { kind: "deny", reasons: unique(denied), commands, byHost: false }
  const asked = unique([...byPattern, ...doubts, ...own.flatMap(fileReasons)])
  if (asked.length > 0) return { kind: "ask", reasons: asked, commands, byHost: false }
  const byHost = unique(files.flatMap(fileReasons))
  return { kind: byHost.length > 0 ? "ask" : "allow", reasons: byHost, commands, byHost: byHost.length > 0 }
}

interface Judged extends JudgedCommand {
  readonly match: CommandMatch
}

function judgeCommand(command: FoundCommand, permissions: Permissions, place: Place): Judged {
  const { written: text, role, depth } = command
  const passed = whyPassed(command, permissions, place)
  const match: CommandMatch =
    passed === undefined
      ? resolveCommand(command, permissions.bash)
      : { action: "allow", order: -1, pattern: passed, form: text, certainty: "certain", forms: [text] }
  return { text, role, depth, forms: match.forms, action: match.action, pattern: match.pattern, match }
}

/** What stands for a pattern where none is compared. */
function whyPassed(command: FoundCommand, { bash }: Permissions, place: Place): string | undefined {
  if (isOwnAssignment(command, bash, place.isInEnvironment)) return "(an assignment)"
  if (isOwnDeclaration(command, bash, place.isInEnvironment)) return "(a declaration)"
  return isUnchecked(command, bash) ? "(a folder change or a test)" : undefined
}

/** Of what is launched elsewhere or only assumed, a denial counts; that it is not allowed does not. */
function patternReasons({ text, role, match }: Judged): readonly Reason[] {
  const { action, pattern, form, certainty } = match
  if (action === "ask" && (role === "launched" || role === "assumed")) return []
  return action === "allow" ? [] : [{ kind: "pattern", action, text, pattern, form, certainty }]
}

function judgeFiles(
  reading: Extract<Reading, { kind: "read" }>,
  permissions: Permissions,
  place: Place,
): readonly FileMatch[] {
  // To follow folders asks the disk.
  if (allowsEverything(permissions.edit) && allowsEverything(permissions.externalDirectory)) return []
  return followFolders(reading, place).flatMap((visit) => resolveFiles(visit, place, permissions))
}

function fileReasons({ action, permission, text, pattern }: FileMatch): readonly Reason[] {
  return action === "allow" ? [] : [{ kind: "file", action, permission, text, pattern }]
}

function isDenied(reason: Reason): boolean {
  return (reason.kind === "pattern" || reason.kind === "file") && reason.action === "deny"
}

function unique(reasons: readonly Reason[]): readonly Reason[] {
  return [...new Map(reasons.map((reason) => [JSON.stringify(reason), reason])).values()]
}
