import { findNestedRules } from "@opencode-rulebook/rule-schema"
import type { EngineOptions } from "@opencode-rulebook/server/dry-run"
import type { Project } from "../project.ts"

/** Finds the rules of nested folders as a session in the project would. */
export function nestedRules({ input }: Project): NonNullable<EngineOptions["findNested"]> {
  return (folders, known) => findNestedRules(input, folders, known)
}
