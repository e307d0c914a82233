import { expect, test } from "bun:test"
import { join } from "node:path"
import type { Io } from "../src/io.ts"
import { type KnownNames, knownNames } from "../src/known-names.ts"
import { openProject } from "../src/project.ts"
import { testProject } from "./project.ts"

const AGENTS = ["build", "plan", "general", "explore", "scout"]
const COMMANDS = ["init", "review"]

async function namesOf(files: Record<string, string>, git = false, below = "."): Promise<KnownNames> {
  await using project = await testProject(files, git)
  const home = join(project.directory, "../home")
  const directory = join(project.directory, below)
  const io = { cwd: directory, env: {}, home, platform: "linux" } as unknown as Io
  return await knownNames(await openProject(directory, io), home)
}

/** What a project adds to the names that OpenCode has. */
async function added(files: Record<string, string>, git?: boolean, below?: string) {
  const [bare, whole] = [await namesOf({}), await namesOf(files, git, below)]
  const more = (all: ReadonlySet<string>, known: ReadonlySet<string>) =>
    [...all].filter((name) => !known.has(name)).toSorted()
  return {
    agents: more(whole.agents, bare.agents),
    commands: more(whole.commands, bare.commands),
    tools: more(whole.tools, bare.tools),
    prefixes: whole.toolPrefixes.toSorted(),
    models: [...whole.models],
    isWhole: whole.isWhole,
  }
}

const NOTHING = { agents: [], commands: [], tools: [], prefixes: [], models: [], isWhole: true }

test("OpenCode's own names are there without any file", async () => {
  const names = await namesOf({})
  expect([...names.agents]).toEqual(AGENTS)
  expect([...names.commands]).toEqual(COMMANDS)
  for (const tool of ["bash", "shell", "apply_patch", "patch", "task", "subagent", "webfetch", "lsp", "write"])
    expect(names.tools).toContain(tool)
  expect(await added({})).toEqual(NOTHING)
})

test("files of the project and of the user add theirs, by their paths", async () => {
  const files = {
    ".opencode/agent/reviewer.md": "",
    ".opencode/agents/team/lead.md": "",
    ".opencode/mode/careful.md": "",
    ".opencode/modes/quick.md": "",
    ".opencode/agent/notes.txt": "",
    ".opencode/agent/x.md.bak": "",
    ".opencode/command/ship.md": "",
    ".opencode/commands/deep/check.md": "",
    ".opencode/skill/one/SKILL.md": "",
    ".opencode/skills/group/two/SKILL.md": "",
    ".opencode/skills/group/README.md": "",
    ".opencode/skills/group/NOSKILL.md": "",
    ".claude/skills/three/SKILL.md": "",
    ".agents/skills/four/SKILL.md": "",
    ".opencode/tool/jira.ts": "",
    ".opencode/tools/db.js": "",
    ".opencode/tools/db.py": "",
    "../home/.config/opencode/agent/mine.md": "",
    "../home/.opencode/command/own.md": "",
    "../home/.claude/skills/five/SKILL.md": "",
  }
  expect(await added(files)).toEqual({
    ...NOTHING,
    agents: ["careful", "mine", "quick", "reviewer", "team/lead"],
    commands: ["deep/check", "five", "four", "one", "own", "ship", "three", "two"],
    tools: ["db", "jira"],
    prefixes: ["db_", "jira_"],
  })
})

test("in a folder of a repository, those at its root count too", async () => {
  const files = {
    ".opencode/agent/outer.md": "",
    ".agents/skills/outer/SKILL.md": "",
    "web/.opencode/agent/inner.md": "",
    "web/a.ts": "",
  }
  expect(await added(files, true, "web")).toEqual({ ...NOTHING, agents: ["inner", "outer"], commands: ["outer"] })
})

test("configuration adds its names; a server's are its own tool and what its tools begin with", async () => {
  const config = { agent: { one: {} }, command: { two: {} }, mcp: { "git hub.x": {}, "a-b_1": {} }, model: "p/m" }
  expect(await added({ "opencode.json": JSON.stringify(config) })).toEqual({
    agents: ["one"],
    commands: ["two"],
    tools: ["mcp_a-b_1", "mcp_git hub.x"],
    prefixes: ["a-b_1_", "a-b_1_", "git hub.x_", "git_hub_x_"],
    models: ["p/m", "m"],
    isWhole: true,
  })
})

test.each([
  ["a plugin's file", { ".opencode/plugin/x.ts": "" }],
  ["a plugin's file with elements", { ".opencode/plugins/x.jsx": "" }],
  ["a plugin of the user", { "../home/.config/opencode/plugin/x.js": "" }],
  ["a plugin in the configuration", { "opencode.json": '{ "plugin": ["x"] }' }],
])("with %s there may be others", async (_what, files) => {
  expect((await added(files)).isWhole).toBe(false)
})

test("other files beside plugins add nothing", async () => {
  expect((await added({ ".opencode/plugin/x.json": "", ".opencode/plugin/README.md": "" })).isWhole).toBe(true)
})
