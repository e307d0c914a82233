import type { ArgumentWord, FoundCommand } from "../shell/reading.ts"
import { isOwnName } from "./assignments.ts"
import type { CompiledPermission } from "./rules.ts"
import { hasOwnPattern } from "./unchecked.ts"

/** OpenCode's own check passes over these (1.18.33, measured). */
const declaring = new Set(["export", "declare", "typeset", "local", "readonly", "unset"])

/** Names by which well-known programs find or run other things. */
const ofPrograms =
  /^(GIT|NODE_(OPTIONS|PATH)|NPM|npm|PNPM|YARN|PYTHON|PERL|RUBY|GEM|BUNDLE|JAVA|_JAVA|JDK|MAVEN|MVN|GRADLE|SSH|SUDO|LESS|MAN|TAR|CARGO|RUSTC|RUSTDOC|RUSTFLAGS|GOFLAGS|CC|CXX|CPP|MAKE|PAGER|EDITOR|VISUAL|BROWSER|XDG|DOCKER|KUBE|AWS|PIP|UV|RIPGREP|GREP|FZF|TMUX|SVN|HG|PGSERVICE|PSQL|MYSQL|OPENSSL|GCONV|LOCPATH|NIX|HOMEBREW)/

/**
 * Whether a command only declares, exports or unsets variables of the script's own: not special to the shell, not in the
 * environment already, and not known to make programs find or run other things. A search path that leads to installed programs
 * passes too. A pattern other than `*` that matches the line still counts.
 */
export function isOwnDeclaration(
  command: FoundCommand,
  rules: readonly CompiledPermission[],
  isInEnvironment: (name: string) => boolean,
): boolean {
  const [name, ...args] = command.words
  if (name === undefined || command.role !== "simple" || command.assignments.length > 0) return false
  if (!declaring.has(name.written) || hasOwnPattern(command, rules)) return false
  const operands = args.filter((word) => !isOption(word))
  if (name.written === "unset") return operands.every((word) => isOwnName(nameIn(word) ?? "PATH", () => false))
  return operands.every((word) => {
    const variable = nameIn(word)
    if (variable === undefined) return false
    // Whatever else it is set to is a doubt of the reading.
    return variable === "PATH" || (isOwnName(variable, isInEnvironment) && !ofPrograms.test(variable))
  })
}

function isOption(word: ArgumentWord): boolean {
  return /^[-+][A-Za-z]+$/.test(word.value)
}

/** The variable of `NAME`, `NAME=value` and `NAME=(…)`. */
function nameIn(word: ArgumentWord): string | undefined {
  const [head = "", ...rest] = word.fragments
  const match = /^([A-Za-z_]\w*)(\+?=)?/.exec(head)
  const isWhole = match !== null && (match[2] !== undefined || (rest.length === 0 && match[0] === head))
  return isWhole ? match[1] : undefined
}
