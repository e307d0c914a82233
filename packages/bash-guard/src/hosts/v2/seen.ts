import type { JudgedCommand, Reason } from "../../reasons.ts"

/** What the host's scanner does not report as a command: folder changes, declarations, tests (2.0.26, `core/shell/parse.ts`). */
const unseen = new Set("cd chdir pushd popd declare typeset export readonly local unset [ [[".split(" "))

/**
 * Whether the host surely sees a command of its own in the call, and so asks plugins about it: one at the top, or one that opens
 * a substitution. What stands in a string that a command runs, it does not see.
 */
export function hostSees(source: string, commands: readonly JudgedCommand[]): boolean {
  const isQuoted = source.includes("'")
  return commands.some((command) => {
    if (!isTop(command) && (isQuoted || !source.includes(`$(${command.text}`))) return false
    const name = nameOf(command.text)
    return name !== undefined && !unseen.has(name)
  })
}

/** A folder change that the host checks by itself. */
const plainFolderChange = /^(?:cd|chdir|pushd|popd)(?:\s+[\w./~+-]+)*$/

/** Whether all that is asked about are such commands at the top: they run unasked without the guard, or the host asks. */
export function isUnseenOnly(reasons: readonly Reason[], commands: readonly JudgedCommand[]): boolean {
  const top = new Set(commands.filter(isTop).map((command) => command.text))
  const areFolderChanges = commands.every((command) => plainFolderChange.test(command.text))
  return reasons.every((reason) => {
    if (reason.kind === "file") return reason.permission === "external_directory" && areFolderChanges
    return reason.kind === "pattern" && reason.certainty === "certain" && top.has(reason.text)
  })
}

function isTop({ role, depth }: JudgedCommand): boolean {
  return role === "simple" && depth === 1
}

/** The first word behind assignments, when all of them are plain. */
function nameOf(text: string): string | undefined {
  const [name] = text.split(/\s+/).filter((word) => !/^\w+=[\w./:@%+,-]*$/.test(word))
  return name !== undefined && /^(?:[\w./+-]+|\[{1,2})$/.test(name) ? name : undefined
}
