import { expect, test } from "bun:test"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { parse } from "jsonc-parser/lib/esm/main.js"
import { type TestProject, testProject } from "./project.ts"

const YES = ["init", "--yes", "--plugin", "opencode-rulebook"]

async function json(project: TestProject, path: string): Promise<Record<string, unknown>> {
  return parse(await readFile(join(project.directory, path), "utf8"), [], { allowTrailingComma: true })
}

async function everything(project: TestProject): Promise<Record<string, string>> {
  const entries = await readdir(project.directory, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(await Promise.all(files.map(async (file) => [file, await readFile(file, "utf8")] as const)))
}

test("an empty project gets both config files, a rule that check passes and the skill; a second run changes nothing", async () => {
  await using project = await testProject({})
  const first = await project.run(YES)
  expect({ code: first.code, err: first.err }).toEqual({ code: 0, err: "" })
  expect(first.out.split("\n").slice(0, 3)).toEqual([
    "created .opencode/opencode.json: loads the plugin",
    "created .opencode/tui.json: shows the sidebar",
    "created .opencode/rules/tests.md: a first rule to edit",
  ])
  expect(await json(project, ".opencode/opencode.json")).toEqual({
    $schema: "https://opencode.ai/config.json",
    plugin: ["opencode-rulebook"],
  })
  expect((await json(project, ".opencode/tui.json"))["plugin"]).toEqual(["opencode-rulebook"])
  expect(await readFile(join(project.directory, ".opencode/skills/crafting-rules/SKILL.md"), "utf8")).toContain(
    "name: crafting-rules",
  )
  expect((await project.run(["check"])).out).not.toMatch(/ (error|warning) /)

  const before = await everything(project)
  const second = await project.run(YES)
  expect(second).toEqual({ code: 0, out: "Everything is set up already. Nothing was changed.\n", err: "" })
  expect(await everything(project)).toEqual(before)
})

const COMMENTED = `// our settings
{
    "model": "a/b", // the model
    "plugin": [
        // first
        "other-plugin"
    ],
}
`

test("comments, indentation and other plugins of a config file stay", async () => {
  await using project = await testProject({ "opencode.jsonc": COMMENTED })
  await project.run(YES)
  const text = await readFile(join(project.directory, "opencode.jsonc"), "utf8")
  expect((await json(project, "opencode.jsonc"))["plugin"]).toEqual(["other-plugin", "opencode-rulebook"])
  for (const line of ["// our settings", '    "model": "a/b", // the model', "        // first"])
    expect(text).toContain(line)
  expect(text).toContain('\n        "opencode-rulebook"')
})

test.each<[string, unknown]>([
  ["its name", { plugin: ["opencode-rulebook"] }],
  ["a version", { plugin: ["opencode-rulebook@1.2.3"] }],
  ["options", { plugin: [["opencode-rulebook", { maxSessions: 5 }]] }],
  ["a folder", { plugin: ["/opt/opencode-rulebook"] }],
  ["a file URL", { plugin: ["file:///opt/opencode-rulebook"] }],
  ["OpenCode 2's list", { plugins: [{ package: "opencode-rulebook", options: {} }] }],
])("a config file that names the plugin by %s stays as it is", async (_what, config) => {
  const text = JSON.stringify(config)
  await using project = await testProject({ "opencode.json": text })
  await project.run(YES)
  expect(await readFile(join(project.directory, "opencode.json"), "utf8")).toBe(text)
})

test("a package whose name only begins alike is another plugin", async () => {
  await using project = await testProject({ "opencode.json": '{ "plugin": ["opencode-rulebook-bash-guard"] }' })
  await project.run(YES)
  expect((await json(project, "opencode.json"))["plugin"]).toEqual([
    "opencode-rulebook-bash-guard",
    "opencode-rulebook",
  ])
})

test("a dry run says what would change, and changes nothing", async () => {
  await using project = await testProject({ "opencode.json": "{}" })
  const before = await everything(project)
  const { out, code } = await project.run([...YES, "--dry-run"])
  expect(code).toBe(0)
  expect(out).toContain("would change opencode.json: loads the plugin\n")
  expect(out).toContain("would create .opencode/rules/tests.md: a first rule to edit\n")
  expect(await everything(project)).toEqual(before)
})

test("OpenCode 2 has one list, and loads the sidebar by itself", async () => {
  await using project = await testProject({})
  await project.run([...YES, "--opencode", "2"])
  expect((await json(project, ".opencode/opencode.json"))["plugins"]).toEqual(["opencode-rulebook"])
  expect(await readdir(join(project.directory, ".opencode"))).not.toContain("tui.json")
})

test("for all projects it writes to the user's configuration, and to nothing else", async () => {
  await using project = await testProject({})
  const { out } = await project.run([...YES, "--global"])
  expect(await readdir(project.directory)).toEqual([])
  const config = join(project.directory, "../home/.config/opencode")
  expect((await readdir(config)).toSorted()).toEqual(["opencode.json", "rules", "skills", "tui.json"])
  expect(out).toContain(join(config, "opencode.json"))
})

test("rules and an edited skill that are there stay", async () => {
  const skill = ".opencode/skills/crafting-rules/SKILL.md"
  await using project = await testProject({ "rules/own.md": "Mine.", [skill]: "Edited." })
  const { out } = await project.run(YES)
  expect(out).not.toContain("a first rule")
  expect(await readFile(join(project.directory, skill), "utf8")).toBe("Edited.")
})

test("--no-rule and --no-skill leave them out", async () => {
  await using project = await testProject({})
  await project.run([...YES, "--no-rule", "--no-skill"])
  expect((await readdir(join(project.directory, ".opencode"))).toSorted()).toEqual(["opencode.json", "tui.json"])
})

test.each([
  ["{ nonsense", "opencode.json:1: not valid JSON"],
  ["[]", "opencode.json: not a JSON object"],
  ['{ "plugin": "x" }', 'opencode.json: "plugin" is not a list'],
])("a config file with %p is left alone, with a clear message", async (text, message) => {
  await using project = await testProject({ "opencode.json": text })
  const { code, err } = await project.run(YES)
  expect(code).toBe(2)
  expect(err).toContain(message)
  expect(err).toContain("correct it and run init again")
  expect(await readdir(project.directory)).toEqual(["opencode.json"])
  expect(await readFile(join(project.directory, "opencode.json"), "utf8")).toBe(text)
})

test("without --plugin the entry is this package's folder", async () => {
  await using project = await testProject({})
  await project.run(["init", "--yes"])
  const [entry] = (await json(project, ".opencode/opencode.json"))["plugin"] as string[]
  expect(entry).toEndWith("packages/opencode-rulebook")
})

const CURSOR = { ".cursor/rules/a.mdc": "---\nalwaysApply: true\n---\nText.", "opencode.json": '{ "plugin": [] }' }

test("rules of another tool are offered, and read when they are named; a second time nothing changes", async () => {
  await using project = await testProject(CURSOR)
  const offered = await project.run([...YES, "--dry-run"])
  expect(offered.out).toContain(
    "There are rules of Cursor here. To use them too: opencode-rulebook init --rules-of cursor\n",
  )
  const named = [...YES, "--rules-of", "cursor, claude"]
  expect((await project.run(named)).out).not.toContain("There are rules of")
  const list = [["opencode-rulebook", { rulesOf: ["cursor", "claude"] }]]
  expect((await json(project, "opencode.json"))["plugin"]).toEqual(list)
  expect((await project.run(named)).out).toStartWith("Everything is set up already.")
  expect((await project.run(["explain"])).out).toContain(".cursor/rules/a.mdc")
})

test.each<[string, object, object]>([
  ["a name", { plugin: ["opencode-rulebook"] }, { plugin: [["opencode-rulebook", { rulesOf: ["cursor"] }]] }],
  [
    "other options",
    { plugin: [["opencode-rulebook", { maxSessions: 5, rulesOf: ["kiro"] }]] },
    { plugin: [["opencode-rulebook", { maxSessions: 5, rulesOf: ["kiro", "cursor"] }]] },
  ],
  [
    "OpenCode 2's form",
    { plugins: [{ package: "opencode-rulebook" }] },
    { plugins: [{ package: "opencode-rulebook", options: { rulesOf: ["cursor"] } }] },
  ],
  [
    "a name in OpenCode 2's list",
    { plugins: ["opencode-rulebook"] },
    { plugins: [{ package: "opencode-rulebook", options: { rulesOf: ["cursor"] } }] },
  ],
])("--rules-of adds to an entry with %s", async (_what, before, after) => {
  await using project = await testProject({ "opencode.json": JSON.stringify(before) })
  await project.run([...YES, "--rules-of", "cursor"])
  expect(await json(project, "opencode.json")).toEqual({ ...after })
})

test("a new entry for OpenCode 2 has the option in that form", async () => {
  await using project = await testProject({})
  await project.run([...YES, "--opencode", "2", "--rules-of", "cursor"])
  expect((await json(project, ".opencode/opencode.json"))["plugins"]).toEqual([
    { package: "opencode-rulebook", options: { rulesOf: ["cursor"] } },
  ])
})

test("a tool that nobody knows is a usage error", async () => {
  await using project = await testProject({})
  const { code, err } = await project.run([...YES, "--rules-of", "vim"])
  expect(code).toBe(2)
  expect(err).toContain("--rules-of: vim is not one of cursor, claude")
})
