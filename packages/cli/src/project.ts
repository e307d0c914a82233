import { type RuleDirectory, ruleDirectories } from "@opencode-rulebook/rule-schema"
import { gitWorktree } from "@opencode-rulebook/server/dry-run"
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

export async function openProject(directory: string, { env, home, platform }: Io): Promise<Project> {
  const worktree = await gitWorktree(directory)
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
