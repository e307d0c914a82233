import { compileWildcard, matchesWildcard, type Wildcard } from "./permissions/wildcard.ts"
import type { Reason } from "./reasons.ts"

/** What a person has allowed by "always" answers, for as long as the host remembers them too: until it is restarted. */
export interface Approvals {
  /** @param pattern a wildcard, as the host stores one. */
  add(permission: string, pattern: string): void
  allows(permission: string, text: string): boolean
}

export function createApprovals(): Approvals {
  const patterns = new Map<string, { readonly permission: string; readonly wildcard: Wildcard }>()
  return {
    add(permission, pattern) {
      patterns.set(JSON.stringify([permission, pattern]), { permission, wildcard: compileWildcard(pattern) })
    },
    allows(permission, text) {
      for (const approved of patterns.values()) {
        if (approved.permission === permission && matchesWildcard(text, approved.wildcard)) return true
      }
      return false
    },
  }
}

/** What an "always" answer to one asking command approves, besides what the host stores. */
export interface LastingPattern {
  readonly permission: "bash" | "external_directory"
  readonly pattern: string
  /** The command or folder that it is for. */
  readonly text: string
}

/**
 * The patterns that an "always" answer is worth, for the reasons it answers. What cannot be known before it runs, and files
 * that a redirection writes, are approved with the command itself only.
 */
export function lastingPatterns(reasons: readonly Reason[]): readonly LastingPattern[] {
  return reasons.flatMap((reason): readonly LastingPattern[] => {
    if (reason.kind === "file" && reason.permission === "external_directory") {
      return [{ permission: reason.permission, pattern: reason.text, text: reason.text }]
    }
    if (reason.kind !== "pattern" || reason.certainty !== "certain") return []
    return [...new Set([reason.text, reason.form])].flatMap((text): readonly LastingPattern[] => {
      const pattern = lastingPattern(text)
      return pattern === undefined ? [] : [{ permission: "bash", pattern, text }]
    })
  })
}

/** Programs of which the second word says what they do; for some of those words the third does. */
const withSubcommands = new Set(
  "apt apt-get aws az brew bun bundle cargo composer conda deno docker docker-compose dotnet gcloud gem gh git go gradle helm hg just kubectl make mise mvn nix npm pip pip3 pipx pnpm podman poetry rails rake rustup svn systemctl terraform tofu uv yarn".split(
    " ",
  ),
)
const withThird = new Set("compose run exec remote stash worktree config pr issue release api repo add".split(" "))

/** Words that mean themselves: no quoting, no expansion, no assignment, and no `*` or `?`, which would mean more in a pattern. */
const plainWord = /^[\w./:@%+,~-]+$/

/**
 * The pattern that an "always" answer is worth for a command that the host does not see, because another starts it: its
 * first word, with subcommands as far as they say what is done. OpenCode 1.18.33 stores the like for those that it sees:
 * `npm test *`, `npm run build *`, `python3 *` (measured).
 *
 * @returns undefined when these words are not plain.
 */
function lastingPattern(command: string): string | undefined {
  const words = command.split(/\s+/)
  const [name = "", second = ""] = words
  const count = withSubcommands.has(name) ? (withThird.has(second) ? 3 : 2) : 1
  const kept = words.slice(0, count)
  return kept.every((word) => plainWord.test(word)) ? `${kept.join(" ")} *` : undefined
}
