import type { FactSources } from "@opencode-rulebook/server/dry-run"
import { gitBranch, projectTags, runsInCI } from "@opencode-rulebook/server/dry-run"
import { BUILT_IN_TOOLS } from "../built-in-tools.ts"
import type { Io } from "../io.ts"
import type { Project } from "../project.ts"
import { nestedRules } from "./nested.ts"
import type { Surroundings } from "./play.ts"

/** Facts about the machine that somebody names; what is left out is as on this machine. */
export interface GivenFacts {
  readonly os?: string | undefined
  readonly ci?: boolean | undefined
  /** The project's tags. */
  readonly project?: readonly string[] | undefined
  /** An empty name, or false: none is checked out. */
  readonly branch?: string | false | undefined
  /** Names of tools, and `mcp_<server>`. */
  readonly tools?: readonly string[] | undefined
}

/** What a session in the project has around it: its facts, and the rules of nested folders. */
export async function surroundingsOf(given: GivenFacts, project: Project, io: Io): Promise<Surroundings> {
  return { directory: project.directory, sources: await factsOf(given, project, io), findNested: nestedRules(project) }
}

async function factsOf(given: GivenFacts, project: Project, io: Io): Promise<FactSources> {
  const { directory, worktree, config } = project
  const tags = given.project ? new Set(given.project) : await projectTags(directory, worktree)
  const branch = given.branch === undefined ? await gitBranch(worktree ?? directory) : given.branch || undefined
  const tools = new Set(given.tools ?? [...BUILT_IN_TOOLS, ...config.mcpServers.map((name) => `mcp_${name}`)])
  return {
    os: given.os ?? io.platform,
    ci: given.ci ?? runsInCI(io.env),
    project: async () => tags,
    branch: async () => branch,
    tools: async () => tools,
  }
}
