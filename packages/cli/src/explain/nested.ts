import { join } from "node:path"
import { loadNestedRules, nestedDirectories } from "@opencode-rulebook/rule-schema"
import type { EngineOptions } from "@opencode-rulebook/server/dry-run"
import type { Project } from "../project.ts"

/** Finds the rules of nested folders as a session in the project would. */
export function nestedRules({ directory, input, ruleDirectories }: Project): NonNullable<EngineOptions["findNested"]> {
  return async (folders) => {
    const found = await Promise.all(
      folders.map(async (folder) => {
        const rulebook = await loadNestedRules(ruleDirectories, nestedDirectories(input, join(directory, folder)))
        return rulebook ? [{ folder, rulebook }] : []
      }),
    )
    return found.flat()
  }
}
