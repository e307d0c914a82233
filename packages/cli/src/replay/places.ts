import { stat } from "node:fs/promises"
import { isAbsolute, join, relative } from "node:path"
import { isWithin, loadRulebook, type Rulebook, type RuleDirectory } from "@opencode-rulebook/rule-schema"
import type { StoredSession } from "@opencode-rulebook/server/dry-run"
import type { Io } from "../io.ts"
import { nestedRules } from "../play/nested.ts"
import type { Surroundings } from "../play/play.ts"
import { surroundingsOf } from "../play/surroundings.ts"
import { openProject, type Project } from "../project.ts"
import { UsageError } from "../usage-error.ts"
import { type CommandOf, createCommandOf } from "./commands.ts"

/** What a session is played with. */
export interface Place {
  /** The folder that the session is played in, absolute: its own, if it is here. */
  readonly directory: string
  readonly rulebook: Rulebook
  readonly around: Surroundings
  readonly commandOf: CommandOf
}

/** The places of sessions; what several have in common is looked at once. */
export interface Places {
  of(session: StoredSession): Promise<Place>
}

/**
 * @param here the project that the command runs in: a session whose folder is not on this machine is played in it.
 * @param rules a folder of rules, or another checkout of the project, in place of the project's rules; absolute.
 * @throws UsageError when that is not a folder.
 */
export async function createPlaces(here: Project, rules: string | undefined, io: Io): Promise<Places> {
  const isCheckout = rules !== undefined && (await isFolder(join(rules, ".opencode")))
  if (rules !== undefined && !(await isFolder(rules))) throw new UsageError(`--rules ${rules}: not a folder`)
  const known = new Map<string, Promise<Place>>()

  /** The place of the sessions of a folder that is there. */
  async function open(directory: string): Promise<Place> {
    const project = directory === here.directory ? here : await openProject(directory, io)
    const around = await surroundingsOf({}, project, io)
    const commandOf = await createCommandOf(project)
    if (rules === undefined) return await placeIn(project, project.ruleDirectories, { around, commandOf })
    if (!isCheckout) {
      const alone = { ...around, findNested: async () => [] }
      return await placeIn(project, drafted(project, rules), { around: alone, commandOf })
    }
    const checkout = await openProject(join(rules, inside(project)), io)
    const there = { ...around, findNested: nestedRules(checkout) }
    return await placeIn(checkout, checkout.ruleDirectories, { around: there, commandOf })
  }

  return {
    async of({ directory: own }) {
      const directory = own !== undefined && isAbsolute(own) && (await isFolder(own)) ? own : here.directory
      const place = known.get(directory) ?? open(directory)
      known.set(directory, place)
      return await place
    },
  }
}

async function placeIn(
  { directory }: Project,
  directories: readonly RuleDirectory[],
  { around, commandOf }: Pick<Place, "around" | "commandOf">,
): Promise<Place> {
  const own = { ...around, directory, findNested: withoutEmptyFolders(around.findNested) }
  return { directory, rulebook: await loadRulebook(directories), around: own, commandOf }
}

/** Many sessions see the same folders, and few of these have rules: one without any is looked at once. */
function withoutEmptyFolders(find: NonNullable<Surroundings["findNested"]>): typeof find {
  const empty = new Set<string>()
  return async (folders, known) => {
    const left = folders.filter((folder) => !empty.has(folder))
    const found = await find(left, known)
    for (const folder of left) if (found.every((one) => one.folder !== folder)) empty.add(folder)
    return found
  }
}

/** The rules of a folder in place of the project's own; the user's and those of packs stay. */
function drafted({ directory, ruleDirectories }: Project, path: string): readonly RuleDirectory[] {
  const others = ruleDirectories.filter(({ scope }) => scope !== "project")
  return [...others, { scope: "project", path, root: directory, prefix: "" }]
}

/** The way from the root of a project's repository to its folder: the same in another checkout. */
function inside({ directory, worktree }: Project): string {
  return worktree !== undefined && isWithin(directory, worktree) ? relative(worktree, directory) : ""
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true
}
