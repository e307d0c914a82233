import type { FoundCommand } from "../shell/reading.ts"
import type { CompiledPermission } from "./rules.ts"
import { hasOwnPattern } from "./unchecked.ts"

/** Variables by which the shell itself finds, reads or runs things. */
const special = new Set(
  "PATH IFS ENV CDPATH SHELLOPTS FUNCNEST GLOBIGNORE EXECIGNORE FIGNORE FPATH PS0 PS1 PS2 PS3 PS4 PROMPT_COMMAND POSIXLY_CORRECT SHELL HOME TMPDIR OPTIND TMOUT HISTFILE MAILCHECK MAILPATH MAIL INPUTRC TERM LANG LANGUAGE TEXTDOMAIN TEXTDOMAINDIR".split(
    " ",
  ),
)
const specialBeginning =
  /^(BASH|LD_|DYLD_|LC_|HIST|COMP|READLINE|ZSH|ZDOTDIR|precmd|preexec|chpwd|periodic|fpath|path|cdpath|psvar|functions|[gs]?aliases|commands|options)/

/**
 * Whether a command is nothing but assignments to variables of the script's own: not special to the shell, and not in the
 * environment, so that no program sees them. OpenCode's own check passes such lines too. A pattern other than `*` that
 * matches the line still counts.
 */
export function isOwnAssignment(
  command: FoundCommand,
  rules: readonly CompiledPermission[],
  isInEnvironment: (name: string) => boolean,
): boolean {
  if (command.words.length > 0 || command.assignments.length === 0) return false
  return !hasOwnPattern(command, rules) && command.assignments.every((assignment) => isOwn(assignment, isInEnvironment))
}

function isOwn(assignment: string, isInEnvironment: (name: string) => boolean): boolean {
  const name = /^([A-Za-z_]\w*)(?:\[|\+?=)/.exec(assignment)?.[1]
  return name !== undefined && isOwnName(name, isInEnvironment)
}

/** Whether a variable is the script's own: not special to the shell, and not in the environment. */
export function isOwnName(name: string, isInEnvironment: (name: string) => boolean): boolean {
  return !special.has(name) && !specialBeginning.test(name) && !isInEnvironment(name)
}
