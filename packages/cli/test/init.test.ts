import { expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { parse } from "jsonc-parser/lib/esm/main.js"
import { type TestProject, testProject } from "./project.ts"

const YES = ["init", "--yes", "--plugin", "opencode-rulebook"]

const SKILL = join(import.meta.dir, "../../../skills/crafting-rules")
const REFERENCES = readdirSync(join(SKILL, "references")).toSorted()

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
  expect(first.out.split("\n")).toEqual([
    "created .opencode/opencode.json: loads the plugin",
    "created .opencode/tui.json: shows the sidebar",
    "created .opencode/rules/tests.md: a first rule to edit",
    "created .opencode/skills/crafting-rules/SKILL.md: a skill with which the agent writes rules",
    ...REFERENCES.map((name) => `created .opencode/skills/crafting-rules/references/${name}: part of the skill`),
    "Restart OpenCode to load the plugin.",
    "",
  ])
  expect(await json(project, ".opencode/opencode.json")).toEqual({
    $schema: "https://opencode.ai/config.json",
    plugin: ["opencode-rulebook"],
  })
  expect(await json(project, ".opencode/tui.json")).toEqual({
    $schema: "https://opencode.ai/tui.json",
    plugin: ["opencode-rulebook"],
  })
  for (const name of ["SKILL.md", ...REFERENCES.map((reference) => `references/${reference}`)]) {
    const written = join(project.directory, ".opencode/skills/crafting-rules", name)
    expect(await readFile(written, "utf8")).toBe(await readFile(join(SKILL, name), "utf8"))
  }
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
  const expected = [
    "would change opencode.json: loads the plugin",
    "would create .opencode/tui.json: shows the sidebar",
    "would create .opencode/rules/tests.md: a first rule to edit",
    "",
  ]
  // It does not ask on a terminal either.
  for (const args of [
    [...YES, "--dry-run"],
    ["init", "--dry-run"],
  ]) {
    const { out, code } = await project.run([...args, "--no-skill"], { isInteractive: true })
    expect({ code, out: out.split("\n") }).toEqual({ code: 0, out: expected })
  }
  expect(await everything(project)).toEqual(before)
  expect((await project.run(YES, { isInteractive: true })).out).toStartWith("changed opencode.json: loads the plugin\n")
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

test.each<[there: readonly string[], changed: readonly string[]]>([
  [["opencode.json", "opencode.jsonc"], ["opencode.jsonc"]],
  [["opencode.json", ".opencode/opencode.jsonc"], ["opencode.json"]],
  [[".opencode/opencode.json"], [".opencode/opencode.json"]],
  [
    ["opencode.json", "tui.json", ".opencode/tui.json"],
    ["opencode.json", "tui.json"],
  ],
  [
    ["opencode.json", ".opencode/tui.jsonc"],
    ["opencode.json", ".opencode/tui.jsonc"],
  ],
])("of the config files %p it changes %p", async (there, changed) => {
  await using project = await testProject(Object.fromEntries(there.map((name) => [name, "{}"])))
  const { out } = await project.run([...YES, "--no-rule", "--no-skill"])
  expect([...(out.match(/(?<=^changed )[^:]+/gm) ?? [])]).toEqual([...changed])
  for (const name of there) {
    const isChanged = changed.includes(name)
    expect((await json(project, name))["plugin"]).toEqual(isChanged ? ["opencode-rulebook"] : (undefined as never))
  }
})

test("the user's configuration is where OPENCODE_CONFIG_DIR says, and a project's files are none of it", async () => {
  await using project = await testProject({ "opencode.json": "{}", "own/tui.jsonc": "{}" })
  const env = { OPENCODE_CONFIG_DIR: join(project.directory, "own") }
  const { out } = await project.run([...YES, "--global", "--no-skill"], { env })
  expect(out.split("\n")).toEqual([
    "created own/opencode.json: loads the plugin",
    "changed own/tui.jsonc: shows the sidebar",
    "created own/rules/tests.md: a first rule to edit",
    "Restart OpenCode to load the plugin.",
    "",
  ])
  expect(await json(project, "opencode.json")).toEqual({})
})

test.each<[there: string, isFirst: boolean]>([
  ["rules/own.md", false],
  ["rules/deep/own.MDC", false],
  ["rules/notes.txt", true],
  ["rules/own.md.bak", true],
])("with %s there, is a first rule written: %p", async (there, isFirst) => {
  await using project = await testProject({ [there]: "Mine." })
  const { out } = await project.run([...YES, "--no-skill"])
  expect(out.includes("created .opencode/rules/tests.md: a first rule to edit\n")).toBe(isFirst)
})

test("what can't be written is named, with the reason", async () => {
  await using project = await testProject({ "opencode.json": "{}", ".opencode": "A file in the folder's place." })
  const { code, out, err } = await project.run([...YES, "--no-skill"])
  expect({ code, out, err }).toEqual({
    code: 2,
    out: "",
    err: expect.stringMatching(
      new RegExp(`^error: ${join(project.directory, ".opencode/tui.json")}: can't be written \\(E[A-Z]+: .+\\)\n$`),
    ),
  })
  expect((await json(project, "opencode.json"))["plugin"]).toEqual(["opencode-rulebook"])
})

test.each<[flags: readonly string[], message: string]>([
  [["--plugin", " "], "--plugin: the name is empty"],
  [
    ["--rules-of", "cursor,vim"],
    "--rules-of: vim is not one of cursor, claude, copilot, windsurf, kiro, cline, continue",
  ],
])("%p is a usage error", async (flags, message) => {
  await using project = await testProject({})
  expect(await project.run(["init", "--yes", ...flags])).toEqual({ code: 2, out: "", err: `error: ${message}\n` })
  expect(await readdir(project.directory)).toEqual([])
})

test("rules and an edited skill that are there stay", async () => {
  const skill = ".opencode/skills/crafting-rules/SKILL.md"
  await using project = await testProject({ "rules/own.md": "Mine.", [skill]: "Edited." })
  const { out } = await project.run(YES)
  expect(out).not.toContain("a first rule")
  expect(out).not.toContain("SKILL.md")
  expect(out.match(/part of the skill$/gm)).toHaveLength(REFERENCES.length)
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
  await using project = await testProject({ ...CURSOR, ".clinerules/a.md": "Text." })
  const few = [...YES, "--no-rule", "--no-skill"]
  const changed = "changed opencode.json: loads the plugin\ncreated .opencode/tui.json: shows the sidebar\n"
  const restart = "Restart OpenCode to load the plugin.\n"
  const offer =
    "There are rules of Cursor, Cline here. To use them too: opencode-rulebook init --rules-of cursor,cline\n"
  const would = changed.replace("changed", "would change").replace("created", "would create")
  expect((await project.run([...few, "--dry-run"])).out).toBe(would + offer)
  const named = [...few, "--rules-of", " Cursor, ,claude"]
  expect((await project.run(named)).out).toBe(changed + restart)
  const list = [["opencode-rulebook", { rulesOf: ["cursor", "claude"] }]]
  expect((await json(project, "opencode.json"))["plugin"]).toEqual(list)
  expect((await json(project, ".opencode/tui.json"))["plugin"]).toEqual(["opencode-rulebook"] as never)
  const already = "Everything is set up already. Nothing was changed.\n"
  expect((await project.run(named)).out).toBe(already)
  expect((await project.run(few)).out).toBe(already + offer)
  expect((await project.run([...few, "--global", "--dry-run"])).out).not.toContain("There are rules of")
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
