import { readdir, readFile } from "node:fs/promises"
import { join, relative } from "node:path"
import type { Change } from "./changes.ts"
import type { Choices } from "./choices.ts"
import { withPlugin } from "./config-edit.ts"
import { FIRST_RULE } from "./first-rule.ts"
import type { SetupFiles } from "./place.ts"
import { packageFolder } from "./plugin-spec.ts"

const SKILL = "crafting-rules"

/**
 * What a setup changes, and nothing that is there already.
 *
 * @throws UsageError for a config file that can't be understood.
 */
export async function planSetup(choices: Choices, place: SetupFiles): Promise<readonly Change[]> {
  return [
    ...(await configChanges(choices, place)),
    ...(choices.writesRule ? await ruleChanges(place) : []),
    ...(choices.installsSkill ? await skillChanges(place) : []),
  ]
}

/** OpenCode 2 loads the TUI part by itself; OpenCode 1 has a config file for it. */
async function configChanges(
  { major, plugin, rulesOf }: Choices,
  { config, tuiConfig }: SetupFiles,
): Promise<readonly Change[]> {
  const files =
    major === 2
      ? [{ path: config, list: "plugins", kind: "opencode", about: "loads the plugin" } as const]
      : [
          { path: config, list: "plugin", kind: "opencode", about: "loads the plugin" } as const,
          { path: tuiConfig, list: "plugin", kind: "tui", about: "shows the sidebar" } as const,
        ]
  const changes = await Promise.all(
    files.map(async ({ path, about, ...edit }): Promise<Change[]> => {
      const before = await read(path)
      const text = withPlugin(before, path, { ...edit, plugin, rulesOf: edit.kind === "tui" ? [] : rulesOf })
      return text === undefined ? [] : [{ kind: before === undefined ? "create" : "change", path, text, about }]
    }),
  )
  return changes.flat()
}

/** A first rule, where there is none yet. */
async function ruleChanges({ rules }: SetupFiles): Promise<readonly Change[]> {
  const names = await readdir(rules, { recursive: true }).catch(() => [])
  if (names.some((name) => /\.mdc?$/i.test(name))) return []
  return [{ kind: "create", path: join(rules, FIRST_RULE.name), text: FIRST_RULE.text, about: "a first rule to edit" }]
}

/** The skill's files that are not there. One that somebody has edited stays as it is. */
async function skillChanges({ skills }: SetupFiles): Promise<readonly Change[]> {
  const source = await skillFolder()
  if (source === undefined) return []
  const entries = await readdir(source, { recursive: true, withFileTypes: true })
  const changes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry): Promise<Change[]> => {
        const from = join(entry.parentPath, entry.name)
        const path = join(skills, SKILL, relative(source, from))
        if ((await read(path)) !== undefined) return []
        const about = entry.name === "SKILL.md" ? "a skill with which the agent writes rules" : "part of the skill"
        return [{ kind: "create", path, text: await readFile(from, "utf8"), about }]
      }),
  )
  return changes.flat().toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** Where the skill is: in the package, or in a checkout. */
async function skillFolder(): Promise<string | undefined> {
  const own = packageFolder(import.meta.url)
  if (own === undefined) return undefined
  for (const folder of [join(own, "skills", SKILL), join(own, "../../skills", SKILL)]) {
    if ((await read(join(folder, "SKILL.md"))) !== undefined) return folder
  }
  return undefined
}

async function read(path: string): Promise<string | undefined> {
  return await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined
    throw error
  })
}
