import type { FoundCommand } from "../shell/reading.ts"
import type { CompiledPermission } from "./rules.ts"
import { matchesWildcard } from "./wildcard.ts"

/** Builtins that run nothing and that OpenCode's own check passes over (1.18.33, measured): folder changes and tests. */
const unchecked = new Set(["cd", "chdir", "pushd", "popd", "["])

/**
 * Whether a command is a folder change or a test, and no pattern but one for everything is about it. Where a folder change leads is
 * judged by `external_directory`, and what is substituted in it by itself.
 */
export function isUnchecked(command: FoundCommand, rules: readonly CompiledPermission[]): boolean {
  const [name] = command.words
  if (name === undefined || command.role !== "simple" || command.assignments.length > 0) return false
  return unchecked.has(name.written) && !hasOwnPattern(command, rules)
}

/** Whether a pattern other than `*` matches a command as it is written. */
export function hasOwnPattern(command: FoundCommand, rules: readonly CompiledPermission[]): boolean {
  return rules.some((rule) => !/^\*+$/.test(rule.pattern) && matchesWildcard(command.written, rule.wildcard))
}
