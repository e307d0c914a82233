import { dirname, sep } from "node:path"
import {
  foldersAbove,
  isWithin,
  nestedDirectories,
  originLabel,
  type Rulebook,
  type RuleDirectory,
  ruleDirectories,
  TOOLS,
  type ToolName,
} from "@opencode-rulebook/rule-schema"
import { discoverRules } from "@opencode-rulebook/rule-schema/authoring"
import type { Project } from "../project.ts"

/** A pack that was read. */
export interface CheckedPack {
  readonly name: string
  readonly version: string
  readonly rules: number
}

/** The packs that the project reads, each with the number of its rules. */
export function checkedPacks({ sources }: Project, { rules, broken }: Rulebook): readonly CheckedPack[] {
  return sources.directories.flatMap(({ origin }) => {
    if (origin?.kind !== "pack") return []
    const own = [...rules, ...broken].filter((rule) => rule.origin && originLabel(rule.origin) === originLabel(origin))
    return [{ name: origin.name, version: origin.version, rules: own.length }]
  })
}

/**
 * The rules directories of folders below the project's, as far as git knows files in them: a session finds them one by one.
 *
 * @param files the project's files, absolute.
 */
export function nestedPlaces({ directory, input }: Project, files: readonly string[]): readonly RuleDirectory[] {
  const marks = nestedDirectories(input, directory).map(({ path }) => path.slice(directory.length) + sep)
  const folders = files.flatMap((file) => {
    const mark = marks.find((each) => file.includes(each))
    const folder = mark === undefined ? "" : file.slice(0, file.indexOf(mark))
    if (!folder.startsWith(directory + sep)) return []
    // A folder that no session looks at, since it is in a dependency, is not above a file.
    const inside = folder.slice(directory.length + 1).replaceAll(sep, "/")
    return foldersAbove(`${inside}/x`, directory).at(-1) === inside ? [folder] : []
  })
  return [...new Set(folders)].flatMap((folder) => nestedDirectories(input, folder))
}

/** What else may be meant: rules of other tools that are there, while the option that reads them is not. */
export async function hintsOf(project: Project): Promise<readonly string[]> {
  if (project.input.rulesOf !== undefined) return project.warnings
  const tools = await toolsWithRules(project)
  if (tools.length === 0) return project.warnings
  const titles = tools.map((name) => TOOLS[name].title).join(", ")
  const option = JSON.stringify({ rulesOf: tools }).slice(1, -1)
  const hint = `this project has rules of ${titles}; the plugin's option ${option} in opencode.json reads them in place`
  return [...project.warnings, hint]
}

/** The other tools that have rules in the project. */
export async function toolsWithRules(project: Project): Promise<readonly ToolName[]> {
  const names = Object.values(TOOLS).map(({ name }): ToolName => name)
  const found = await Promise.all(names.map(async (name) => ((await hasRules(project, name)) ? [name] : [])))
  return found.flat()
}

/** Only a project's own folders count: the user's are the same in every project. */
async function hasRules({ input }: Project, tool: ToolName): Promise<boolean> {
  const places = ruleDirectories({ ...input, rulesOf: [tool] }).filter(
    ({ scope, origin }) => scope === "project" && origin !== undefined,
  )
  return (await discoverRules(places)).files.length > 0
}

/** The folder of another tool that a path lies in, whether its rules are read here or not. */
export function toolDirectoryOf({ input }: Project, path: string): RuleDirectory | undefined {
  const rulesOf = Object.values(TOOLS).map(({ name }): ToolName => name)
  const isAround = ({ path: place, origin }: RuleDirectory) => origin !== undefined && isWithin(path, place)
  const here = ruleDirectories({ ...input, rulesOf }).find(isAround)
  if (here) return here
  for (let folder = path; dirname(folder) !== folder; folder = dirname(folder)) {
    const found = ruleDirectories({ ...input, directory: folder, worktree: undefined, rulesOf }).find(isAround)
    if (found) return found
  }
  return undefined
}
