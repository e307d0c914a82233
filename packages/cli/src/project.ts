import { dirname, join } from "node:path"
import {
  type DirectoryInput,
  findRuleSources,
  projectFolders,
  type RuleSources,
  readSourceOptions,
  ruleDirectories,
  type SourceInput,
} from "@opencode-rulebook/rule-schema"
import { gitWorktree } from "@opencode-rulebook/server/dry-run"
import { type ConfigPlaces, type HostConfig, readHostConfig } from "./host-config.ts"
import type { Io } from "./io.ts"

/** A folder as OpenCode would be started in it. */
export interface Project {
  /** Absolute. */
  readonly directory: string
  /** The root of the git working tree around it. */
  readonly worktree: string | undefined
  readonly config: HostConfig
  readonly configPlaces: ConfigPlaces
  /** All that decides where a session here has rules from, the plugin's options included. */
  readonly input: SourceInput
  /** The places of rules. */
  readonly ruleDirectories: RuleSources["directories"]
  readonly sources: RuleSources
  /** What the plugin says of its options. */
  readonly warnings: readonly string[]
}

/** Looks at a folder as OpenCode would when it is started there. Never rejects. */
export async function openProject(directory: string, io: Io): Promise<Project> {
  const { env, home, platform } = io
  const worktree = await gitWorktree(directory)
  const place: DirectoryInput = { env: { ...env }, home, platform, directory, worktree }
  const configPlaces = { user: userFolder(directory, io), project: projectFolders(place) }
  const config = await readHostConfig(configPlaces, io)
  const { options, warnings } = readSourceOptions(config.pluginOptions)
  const input = { ...place, ...options, projectLinks: config.projectLinks }
  const sources = await findRuleSources(input)
  return { directory, worktree, config, configPlaces, input, ruleDirectories: sources.directories, sources, warnings }
}

/** The user's configuration folder of OpenCode: the one that holds their rules. */
export function userFolder(directory: string, { env, home, platform }: Io): string {
  const all = ruleDirectories({ env: { ...env }, home, platform, directory, worktree: undefined })
  const rules = all.find(({ scope }) => scope === "global")
  return rules ? dirname(rules.path) : join(home, ".config", "opencode")
}
