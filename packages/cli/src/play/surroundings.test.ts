import { expect, test } from "bun:test"
import { join } from "node:path"
import { testProject } from "../../test/project.ts"
import { BUILT_IN_TOOLS } from "../built-in-tools.ts"
import type { Io } from "../io.ts"
import { openProject } from "../project.ts"
import { type GivenFacts, surroundingsOf } from "./surroundings.ts"

/** What a session in a folder of the project knows, as plain values. */
async function factsIn(folder: string, given: GivenFacts, env: Io["env"] = {}, platform = "darwin") {
  const io: Io = {
    ...{ cwd: folder, env, home: "/nowhere", platform, hasColors: false, isInteractive: false },
    ...{ write: () => undefined, writeError: () => undefined, readStdin: async () => "" },
  }
  const { directory, sources, findNested } = await surroundingsOf(given, await openProject(folder, io), io)
  const { os, ci, project, branch, tools } = sources
  const nested = (await findNested(["deep", "empty"], [])).map(({ folder: name, rulebook }) => {
    return [name, ...rulebook.rules.map(({ id }) => id)]
  })
  return { directory, os, ci, project: await project(), branch: await branch(), tools: await tools("ses_1"), nested }
}

const FILES = {
  "package.json": "{}",
  "opencode.json": JSON.stringify({ mcp: { github: {}, off: { enabled: false } } }),
  "web/go.mod": "module x",
  "web/deep/.opencode/rules/a.md": "Text.",
}

test("what nobody names is as on this machine: that of the repository, for a folder in it too", async () => {
  await using project = await testProject(FILES, true)
  const directory = join(project.directory, "web")
  expect(await factsIn(directory, {}, { CI: "1" })).toEqual({
    ...{ directory, os: "darwin", ci: true, project: new Set(["node", "go"]), branch: "main" },
    tools: new Set([...BUILT_IN_TOOLS, "mcp_github"]),
    nested: [["deep", "project:web/deep/a.md"]],
  })
  expect(await factsIn(directory, {}, {}, "linux")).toMatchObject({ os: "linux", ci: false })
})

test("outside a repository, the folder alone decides, and there is no branch", async () => {
  await using project = await testProject(FILES)
  expect(await factsIn(join(project.directory, "web"), {})).toMatchObject({
    ...{ project: new Set(["go"]), branch: undefined, tools: new Set([...BUILT_IN_TOOLS, "mcp_github"]) },
  })
})

test.each<[what: string, given: GivenFacts, known: object]>([
  [
    "names",
    { os: "win32", ci: true, project: ["rust"], branch: "topic", tools: ["mcp_x"] },
    { os: "win32", ci: true, project: new Set(["rust"]), branch: "topic", tools: new Set(["mcp_x"]) },
  ],
  ["none", { project: [], branch: "", tools: [] }, { project: new Set(), branch: undefined, tools: new Set() }],
  ["that there is no branch", { branch: false }, { branch: undefined, project: new Set(["node", "go"]) }],
])("what somebody names is as they say: %s", async (_what, given, known) => {
  await using project = await testProject(FILES, true)
  expect(await factsIn(join(project.directory, "web"), given)).toMatchObject(known)
})

test("not in CI is what somebody can say where the environment says otherwise", async () => {
  await using project = await testProject(FILES)
  expect(await factsIn(project.directory, { ci: false }, { CI: "1" })).toMatchObject({ ci: false })
})
