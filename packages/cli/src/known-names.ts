import { readdir } from "node:fs/promises"
import { dirname, join, sep } from "node:path"
import type { Project } from "./project.ts"

/** What agents, commands, tools and models are called in a project, as far as its files tell. */
export interface KnownNames {
  readonly agents: ReadonlySet<string>
  readonly commands: ReadonlySet<string>
  /** `mcp_<server>` among them. */
  readonly tools: ReadonlySet<string>
  /** What the names of other tools begin with: `<server>_`, and `<file>_` of a file with several tools. */
  readonly toolPrefixes: readonly string[]
  /** `modelID` and `providerID/modelID`; there are always others. */
  readonly models: ReadonlySet<string>
  /** Whether there are no other agents, commands and tools: no other plugin that could add some. */
  readonly isWhole: boolean
}

/** Agents that a user can choose or a model can start, on either major of OpenCode. */
const AGENTS = "build plan general explore scout".split(" ")
const COMMANDS = "init review".split(" ")
/** Tools on either major of OpenCode (measured on 1.18.33 and 2.0.26), those of experiments and other models included. */
const TOOLS =
  "apply_patch bash batch codesearch edit execute glob grep list lsp patch plan_enter plan_exit question read shell skill subagent task todoread todowrite webfetch websearch write".split(
    " ",
  )

/**
 * Collects the names: OpenCode's own, those of configuration files, and those of the files in `.opencode` and the user's folder.
 * A folder that can't be read has none. Never rejects.
 *
 * @param home the user's home, absolute.
 */
export async function knownNames(
  { directory, worktree, config, ruleDirectories }: Project,
  home: string,
): Promise<KnownNames> {
  const own = ruleDirectories.filter(({ origin }) => origin === undefined).map(({ path }) => dirname(path))
  const folders = [...new Set([...own, join(home, ".config", "opencode"), join(home, ".opencode")])]
  const around = [...new Set([directory, worktree ?? directory, home])]
  const skillFolders = around.flatMap((folder) => [
    join(folder, ".claude", "skills"),
    join(folder, ".agents", "skills"),
  ])
  const [agents, commands, skills, tools, plugins] = await Promise.all([
    filesIn(within(folders, "agent", "agents", "mode", "modes"), /\.md$/),
    filesIn(within(folders, "command", "commands"), /\.md$/),
    filesIn([...within(folders, "skill", "skills"), ...skillFolders], /[\\/]SKILL\.md$/),
    filesIn(within(folders, "tool", "tools"), /\.[jt]s$/),
    filesIn(within(folders, "plugin", "plugins"), /\.[jt]sx?$/),
  ])
  const { declared } = config
  const servers = declared.mcpServers
  return {
    agents: new Set([...AGENTS, ...agents, ...declared.agents]),
    commands: new Set([...COMMANDS, ...commands, ...skills.map(lastName), ...declared.commands]),
    tools: new Set([...TOOLS, ...tools, ...servers.map((name) => `mcp_${name}`)]),
    toolPrefixes: [...servers.flatMap((name) => [name, name.replace(/[^\w-]/g, "_")]), ...tools].map(
      (name) => `${name}_`,
    ),
    models: new Set(declared.models),
    isWhole: !declared.hasMore && plugins.length === 0,
  }
}

function within(folders: readonly string[], ...names: readonly string[]): readonly string[] {
  return folders.flatMap((folder) => names.map((name) => join(folder, name)))
}

/** The paths of files in folders, without the ending, `/`-separated. */
async function filesIn(folders: readonly string[], ending: RegExp): Promise<readonly string[]> {
  const found = folders.map(async (folder) => {
    const paths = await readdir(folder, { recursive: true }).catch((): string[] => [])
    return paths.filter((path) => ending.test(sep + path)).map((path) => (sep + path).replace(ending, "").slice(1))
  })
  return (await Promise.all(found)).flat().map((path) => path.replaceAll(sep, "/"))
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1)
}
