import { afterAll, beforeAll, expect, test } from "bun:test"
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { type TestProject, testProject } from "./project.ts"

interface Diagnosis {
  readonly check: string
  readonly severity: "ok" | "warning" | "error"
  readonly message: string
  readonly remedy?: string
}

/** A folder with an `opencode` that says its version. */
let tools: string
beforeAll(async () => {
  tools = await mkdtemp(join(tmpdir(), "rulebook-doctor-"))
  for (const version of ["1.18.3", "1.17.0", "2.0.26"]) await pretend(version)
})
afterAll(() => rm(tools, { recursive: true }))

async function pretend(version: string): Promise<void> {
  const file = join(tools, version, "opencode")
  await Bun.write(file, `#!/bin/sh\necho ${version}\n`)
  await chmod(file, 0o755)
  await Bun.write(`${file}.cmd`, `@echo ${version}\r\n`)
}

async function diagnose(project: TestProject, opencode = "1.18.3", env: Record<string, string> = {}) {
  const PATH = opencode === "" ? tools : pathWith(opencode)
  const { code, out } = await project.run(["doctor", "--json"], { env: { PATH, ...env } })
  const { diagnoses } = JSON.parse(out) as { readonly diagnoses: readonly Diagnosis[] }
  return { code, wrong: diagnoses.filter(({ severity }) => severity !== "ok"), all: diagnoses }
}

/** Where a shell is found, with that `opencode` before all others. */
function pathWith(opencode: string): string {
  const system = process.platform === "win32" ? [process.env["PATH"] ?? ""] : ["/usr/bin", "/bin"]
  return [join(tools, opencode), ...system].join(delimiter)
}

const PLUGIN = join(import.meta.dir, "../../opencode-rulebook")
const WELL = {
  "opencode.json": JSON.stringify({ plugin: [PLUGIN] }),
  ".opencode/tui.json": JSON.stringify({ plugin: [PLUGIN] }),
  "rules/a.md": "Text.",
}

test("where all is well it says so, with the versions, and exits with 0", async () => {
  await using project = await testProject(WELL)
  const { code, wrong, all } = await diagnose(project)
  expect({ code, wrong }).toEqual({ code: 0, wrong: [] })
  expect(all.find(({ check }) => check === "plugin")?.message).toMatch(
    /opencode-rulebook \(\d+\.\d+\.\d+\) in .*opencode\.json$/,
  )
  const { out } = await project.run(["doctor"], { env: { PATH: pathWith("1.18.3") } })
  expect(out).toEndWith("No problems found.\n")
})

test.each<[string, Record<string, string>, Partial<Diagnosis>]>([
  [
    "no config file names it",
    { "opencode.json": "{}" },
    { check: "plugin", severity: "error", message: expect.stringContaining("no rule is delivered") },
  ],
  ["only the TUI has it", { "opencode.json": "" }, { check: "plugin", severity: "error" }],
  ["the sidebar's part is not named", { ".opencode/tui.json": "{}" }, { check: "sidebar", severity: "warning" }],
  [
    "a path leads nowhere",
    { "opencode.json": '{ "plugin": ["./x/opencode-rulebook"] }' },
    { check: "plugin", severity: "error", message: expect.stringContaining("no package is there") },
  ],
  [
    "a name is not installed",
    { "opencode.json": '{ "plugin": ["opencode-rulebook@9"] }' },
    { check: "plugin", severity: "warning", message: expect.stringContaining("not installed yet") },
  ],
  [
    "two entries differ",
    { ".opencode/opencode.jsonc": `{ "plugin": ["${PLUGIN}/"] } // twice` },
    { check: "plugin", severity: "warning", message: expect.stringContaining("several entries") },
  ],
  [
    "a rule is broken",
    { "rules/b.md": "---\nci: maybe\n---\nText." },
    { check: "rules", severity: "error", message: expect.stringContaining("b.md:2:5 ci") },
  ],
  [
    "rules are instructions too",
    { "opencode.json": JSON.stringify({ plugin: [PLUGIN], instructions: [".opencode/rules/*.md"] }) },
    { check: "instructions", severity: "warning" },
  ],
])("it finds that %s", async (_what, files, expected) => {
  await using project = await testProject({ ...WELL, ...files })
  const { code, wrong } = await diagnose(project)
  expect(code).toBe(1)
  expect(wrong).toEqual([expect.objectContaining({ ...expected, remedy: expect.stringMatching(/\S/) })])
})

test("no rules are a warning", async () => {
  const { "rules/a.md": _, ...files } = WELL
  await using project = await testProject(files)
  expect((await diagnose(project)).wrong).toEqual([expect.objectContaining({ check: "rules", severity: "warning" })])
})

test.each([
  ["1.17.0", ["OpenCode"]],
  ["", ["OpenCode"]],
  ["2.0.26", []],
])("OpenCode %p", async (version, checks) => {
  await using project = await testProject(WELL)
  expect((await diagnose(project, version)).wrong.map(({ check }) => check)).toEqual(checks)
})

test("a state folder that can't be written is an error", async () => {
  await using project = await testProject({ ...WELL, "no-folder": "" })
  const { wrong } = await diagnose(project, "1.18.3", { XDG_STATE_HOME: join(project.directory, "no-folder") })
  expect(wrong).toEqual([expect.objectContaining({ check: "state folder", severity: "error" })])
})

test("the plugin's last complaints of both logs are shown, each once, and no other lines", async () => {
  await using project = await testProject(WELL)
  const data = join(project.directory, "data")
  const state = join(project.directory, "state")
  const line = (level: string, text: string) =>
    `INFO 2026 ${level} message=${JSON.stringify(`opencode-rulebook: ${text}`)}\n`
  await Bun.write(
    join(data, "opencode/log/opencode.log"),
    line("WARN", 'rule "x" is broken') +
      line("WARN", 'rule "x" is broken') +
      line("INFO", "loaded") +
      "ERROR other plugin\n",
  )
  await Bun.write(
    join(state, "opencode/rulebook/opencode-rulebook.log"),
    "2026-01-01T00:00:00Z ERROR it failed\n2026 INFO fine\n",
  )
  const { wrong } = await diagnose(project, "1.18.3", { XDG_DATA_HOME: data, XDG_STATE_HOME: state })
  expect(wrong.map(({ check, message }) => [check, message])).toEqual([
    ["log", 'rule "x" is broken'],
    ["log", "it failed"],
  ])
})

test("it changes no file of the project", async () => {
  await using project = await testProject(WELL)
  const before = await Array.fromAsync(new Bun.Glob("**").scan({ cwd: project.directory, dot: true }))
  await diagnose(project)
  expect(await Array.fromAsync(new Bun.Glob("**").scan({ cwd: project.directory, dot: true }))).toEqual(before)
})
