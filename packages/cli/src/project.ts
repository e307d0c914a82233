import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { type RuleDirectory, ruleDirectories } from "@opencode-rulebook/rule-schema"
import type { Io } from "./io.ts"

/** A folder as OpenCode would be started in it. */
export interface Project {
  /** Absolute. */
  readonly directory: string
  /** The root of the git working tree around it. */
  readonly worktree: string | undefined
  /** The standard places of rules. */
  readonly ruleDirectories: readonly RuleDirectory[]
}

export function openProject(directory: string, { env, home, platform }: Io): Project {
  const worktree = findWorktree(directory)
  return {
    directory,
    worktree,
    ruleDirectories: ruleDirectories({ env: { ...env }, home, platform, directory, worktree }),
  }
}

/** The same project, whose rules folders may have symbolic links that lead out of it. */
export function withTrustedLinks(project: Project): Project {
  return { ...project, ruleDirectories: project.ruleDirectories.map((one) => ({ ...one, within: undefined })) }
}

/** The nearest folder upwards that has a `.git`, which is a file in linked working trees. */
function findWorktree(directory: string): string | undefined {
  for (let folder = directory; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder
    if (dirname(folder) === folder) return undefined
  }
}
