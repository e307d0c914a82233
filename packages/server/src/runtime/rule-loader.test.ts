import { afterEach, expect, test } from "bun:test"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { writeState } from "@opencode-rulebook/rule-schema"
import { createProject, type ProjectOptions } from "../../test/support/project.ts"
import { createRuleLoader, type LoadedRules } from "./rule-loader.ts"

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean()
})

async function loading(options: ProjectOptions, packs: readonly string[] = []) {
  const project = await createProject(options)
  cleanups.push(project.remove)
  const { home, directory } = project
  const said: string[] = []
  const loaded: LoadedRules[] = []
  const states = join(home, "states")
  await mkdir(states)
  const short = (message: string) => message.replace(`${directory}/`, "").replace(/(\.md|the pack \S+).*/, "$1")
  const loader = createRuleLoader(
    { env: { HOME: home }, home, directory, worktree: directory, projectLinks: false, rulesOf: [], packs },
    states,
    {
      ofRule: (message) => said.push(`rule ${short(message)}`),
      ofSource: (message) => said.push(`source ${short(message)}`),
      loaded: (found) => loaded.push(found),
    },
  )
  const remember = (of: string, nested?: readonly string[]) =>
    writeState(states, {
      ...{ version: 2, sessionID: "ses_1", directory: of, updatedAt: Date.now(), snapshot: "", rules: [] },
      ...(nested && { nested }),
    })
  return { ...project, loader, said, loaded, remember }
}

const FILES = {
  "web/.opencode/rules/web.md": "Text.",
  "web/.opencode/rules/bad.md": "---\nci: maybe\n---\nText.",
  "api/.opencode/rules/api.md": "Text.",
}
const RULES = { "a.md": "Text.", "bad.md": "---\nci: maybe\n---\nText." }
const idsOf = (rules: readonly { readonly id: string }[]) => rules.map(({ id }) => id)

test("a session begins with the rules of its places, and every problem is reported, source or rule", async () => {
  const { loader, said, loaded, path, home } = await loading({ rules: RULES }, ["@acme/none"])
  const { rules, broken, nested } = await loader.load("ses_1")
  expect([idsOf(rules), idsOf(broken), nested]).toEqual([["project:a.md"], ["project:bad.md"], []])
  expect(said).toEqual([
    "source node_modules/@acme/none/package.json:1:1: the pack @acme/none",
    "rule .opencode/rules/bad.md",
  ])
  expect(
    loaded.map(({ rulebook, directories }) => [idsOf(rulebook.rules), directories.map((one) => one.path)]),
  ).toEqual([[["project:a.md"], [join(home, ".config/opencode/rules"), path(".opencode/rules")]]])
})

test("what would be loaded now is found without a report", async () => {
  const { loader, said, loaded, path } = await loading({ rules: RULES }, ["@acme/none"])
  const { rulebook, directories } = await loader.survey()
  expect([idsOf(rulebook.rules), idsOf(rulebook.broken)]).toEqual([["project:a.md"], ["project:bad.md"]])
  expect(directories.map((one) => one.path)).toContain(path(".opencode/rules"))
  expect([said, loaded]).toEqual([[], []])
})

test("rules of nested folders, with their problems, but for what is known", async () => {
  const { loader, said } = await loading({ files: FILES })
  const found = await loader.findNested(["web", "docs", "api"])
  expect(found.map(({ folder, rulebook }) => [folder, ...idsOf(rulebook.rules)])).toEqual([
    ["web", "project:web/web.md"],
    ["api", "project:api/api.md"],
  ])
  expect(said).toEqual(["rule web/.opencode/rules/bad.md"])
})

test("a session of before a restart has the nested folders that its state names, if it was in this folder", async () => {
  const own = await loading({ files: FILES })
  const folders = async () => (await own.loader.load("ses_1")).nested?.map(({ folder }) => folder)
  expect(await folders()).toEqual([])
  await own.remember(own.directory)
  expect(await folders()).toEqual([])
  await own.remember(own.directory, ["web", "../project/api", "api"])
  expect(await folders()).toEqual(["web", "api"])
  expect(own.said).toEqual(["rule web/.opencode/rules/bad.md"])
  await own.remember(own.home, ["web"])
  expect(await folders()).toEqual([])
})
