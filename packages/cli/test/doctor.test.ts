import { afterAll, beforeAll, expect, test } from "bun:test"
import { chmod, mkdtemp, readdir, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import packageJson from "../../opencode-rulebook/package.json" with { type: "json" }
import { checkHostVersion } from "../src/doctor/host-version.ts"
import { rule, type TestProject, testProject } from "./project.ts"

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
  for (const version of ["1.18.3", "1.17.0", "2.0.26", "2.0.0-beta.3", "1.19.0-rc.1", "3.0.0"]) await pretend(version)
})
afterAll(() => rm(tools, { recursive: true }))

async function pretend(version: string): Promise<void> {
  const file = join(tools, version, "opencode")
  await Bun.write(file, `#!/bin/sh\necho opencode ${version} stable\n`)
  await chmod(file, 0o755)
  await Bun.write(`${file}.cmd`, `@echo opencode ${version} stable\r\n`)
}

async function diagnose(project: TestProject, opencode = "1.18.3", env: Record<string, string> = {}) {
  const PATH = opencode === "" ? tools : pathWith(opencode)
  const { code, out } = await project.run(["doctor", "--json"], { env: { PATH, ...env }, platform: process.platform })
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
})

/** What is printed, with the places that the test has made by name. */
async function printed(project: TestProject, opencode: string, hasColors = false) {
  const options = { env: { PATH: pathWith(opencode) }, platform: process.platform, hasColors }
  const { code, out, err } = await project.run(["doctor"], options)
  const home = join(project.directory, "../home")
  return {
    code,
    err,
    out: out.replaceAll(project.directory, "<app>").replaceAll(home, "<home>").replaceAll(PLUGIN, "<plugin>"),
  }
}

// Windows has its state folder elsewhere.
const whereStateIsXdg = test.if(process.platform === "linux")

whereStateIsXdg("where all is well, what is printed", async () => {
  await using project = await testProject({ ...WELL, "rules/b.md": "Text." })
  const { version } = packageJson
  const text = `✓ OpenCode: 1.18.3
✓ plugin: <plugin> (${version}) in <app>/opencode.json
✓ sidebar: <plugin> in <app>/.opencode/tui.json
✓ state folder: <home>/.local/state/opencode/rulebook
✓ file watches: the system has file watches left
✓ rules: 2 rules of 2 can match
✓ log: no warnings from the plugin at the end of <home>/.local/share/opencode/log/opencode.log or <home>/.local/state/opencode/rulebook/opencode-rulebook.log

No problems found.
`
  expect(await printed(project, "1.18.3")).toEqual({ code: 0, err: "", out: text })
  const coloured = (await printed(project, "1.18.3", true)).out
  expect(coloured).toStartWith("\u001b[32m✓\u001b[0m \u001b[1mOpenCode\u001b[0m: 1.18.3\n")
  expect(Bun.stripANSI(coloured)).toBe(text)
})

whereStateIsXdg("where nothing is well, what is printed", async () => {
  const manifest = (version: unknown) => JSON.stringify({ name: "opencode-rulebook", version })
  const cached = "../home/.cache/opencode/packages"
  const inPackage = "node_modules/opencode-rulebook/package.json"
  await using project = await testProject({
    "opencode.json": JSON.stringify({
      plugin: [
        ...["opencode-rulebook", "other", 5, "opencode-rulebook@1.2.3", "./vendor/opencode-rulebook"],
        ...["file:///nowhere/opencode-rulebook", ["/x/opencode-rulebook/", { packs: ["@acme/none"] }]],
      ],
      instructions: [".opencode/rules/*.md"],
    }),
    ".opencode/tui.jsonc": '{ "plugin": ["opencode-rulebook@latest",], } // with a comment',
    ".opencode/tui.json": "[]",
    "vendor/opencode-rulebook/package.json": manifest("0.9.0"),
    [`${cached}/opencode-rulebook@latest/${inPackage}`]: manifest("0.1.0"),
    [`${cached}/opencode-rulebook@1.2.3/${inPackage}`]: manifest(5),
    "../home/.config/opencode/opencode.json": '{ "plugins": [{ "package": "opencode-rulebook" }] }',
    "rules/a.md": "Text.",
    "rules/b.md": rule("glob: '*.ts'\nci: maybe"),
  })
  const named = [
    "opencode-rulebook (0.1.0) in <home>/.config/opencode/opencode.json",
    "opencode-rulebook (0.1.0) in <app>/opencode.json",
    "opencode-rulebook@1.2.3 in <app>/opencode.json",
    "./vendor/opencode-rulebook (0.9.0) in <app>/opencode.json",
    "file:///nowhere/opencode-rulebook in <app>/opencode.json",
    "/x/opencode-rulebook/ in <app>/opencode.json",
  ]
  const folder =
    "Correct the path: it must be the folder that holds package.json, absolute or relative to the config file."
  expect(await printed(project, "1.17.0")).toEqual({
    code: 1,
    err: "",
    out: `! OpenCode: the plugin has not been tested with version 1.17.0 (tested: ${packageJson.engines.opencode})
    Update OpenCode, or the plugin; then run \`doctor\` again.
! plugin: several entries name it: ${named.join(", ")}; only the one that is loaded last works
    Keep one of them.
✓ sidebar: opencode-rulebook@latest in <app>/.opencode/tui.jsonc
! plugin: <app>/opencode.json names opencode-rulebook@1.2.3, which OpenCode 1 has not installed yet
    Start OpenCode once; it installs the package.
✗ plugin: <app>/opencode.json names file:///nowhere/opencode-rulebook, and no package is there
    ${folder}
✗ plugin: <app>/opencode.json names /x/opencode-rulebook/, and no package is there
    ${folder}
✓ state folder: <home>/.local/state/opencode/rulebook
✓ file watches: the system has file watches left
✓ rules: 1 rule of 2 can match
✗ rules: <app>/.opencode/rules/b.md:3:5 ci: is neither true nor false, so this rule never matches. Write \`ci: true\` or \`ci: false\`.
    Run \`opencode-rulebook check\` for the place in the file.
! packs: the pack @acme/none is not installed
    Install it in the project, or remove it from \`packs\`.
! instructions: is listed in "instructions" of opencode.json too (".opencode/rules/*.md"), so OpenCode sends 2 rules of it with every request, and each that matches arrives twice
    Take that out of "instructions": the plugin delivers these rules when they match.
✓ log: no warnings from the plugin at the end of <home>/.local/share/opencode/log/opencode.log or <home>/.local/state/opencode/rulebook/opencode-rulebook.log

8 things need attention.
`,
  })
})

whereStateIsXdg("without anything, what is printed", async () => {
  await using project = await testProject({})
  expect(await printed(project, "none")).toEqual({
    code: 1,
    err: "",
    out: `! OpenCode: the command \`opencode\` was not found here
    Install OpenCode, or put it on your PATH; desktop versions bring their own.
✗ plugin: no config file that OpenCode reads here names the plugin, so no rule is delivered
    Run \`opencode-rulebook init\`, or add it to \`plugin\` in opencode.json.
✓ state folder: <home>/.local/state/opencode/rulebook
✓ file watches: the system has file watches left
! rules: no rules in <home>/.config/opencode/rules, <app>/.opencode/rules
    Write one, or run \`opencode-rulebook init\`.
✓ log: no warnings from the plugin at the end of <home>/.local/share/opencode/log/opencode.log or <home>/.local/state/opencode/rulebook/opencode-rulebook.log

3 things need attention.
`,
  })
})

whereStateIsXdg("one thing is one thing, and a missing sidebar is one", async () => {
  await using project = await testProject({ ...WELL, ".opencode/tui.json": "{}" })
  const { out } = await printed(project, "1.18.3")
  expect(out).toContain(`! sidebar: no tui.json names the plugin, so OpenCode 1 shows no rules in its sidebar
    Run \`opencode-rulebook init\`; OpenCode 2 needs no tui.json.
`)
  expect(out).toEndWith("\n\n1 thing needs attention.\n")
})

test("two entries that say the same are one plugin", async () => {
  await using project = await testProject({ ...WELL, ".opencode/opencode.json": JSON.stringify({ plugin: [PLUGIN] }) })
  const { wrong, all } = await diagnose(project)
  expect(wrong).toEqual([])
  const { version } = packageJson
  expect(all.find(({ check }) => check === "plugin")?.message).toBe(
    `${PLUGIN} (${version}) in ${join(project.directory, "opencode.json")}, ${PLUGIN} (${version}) in ${join(project.directory, ".opencode", "opencode.json")}`,
  )
})

test("the config file that OPENCODE_CONFIG names counts too", async () => {
  await using project = await testProject({
    ...WELL,
    "opencode.json": "{}",
    "more.json": JSON.stringify({ plugin: [PLUGIN] }),
  })
  expect((await diagnose(project, "1.18.3", { OPENCODE_CONFIG: "more.json" })).wrong).toEqual([])
  expect((await diagnose(project)).wrong).toHaveLength(1)
})

test("a package is looked for where XDG_CACHE_HOME says, under the entry's own name first", async () => {
  const manifest = (version: string) => JSON.stringify({ name: "opencode-rulebook", version })
  const inCache = (name: string) => `cache/opencode/packages/${name}/node_modules/opencode-rulebook/package.json`
  await using project = await testProject({
    ...WELL,
    "opencode.json": '{ "plugin": ["opencode-rulebook"] }',
    [inCache("opencode-rulebook")]: manifest("0.3.0"),
    [inCache("opencode-rulebook@latest")]: manifest("0.2.0"),
  })
  const { wrong, all } = await diagnose(project, "1.18.3", { XDG_CACHE_HOME: join(project.directory, "cache") })
  expect(wrong).toEqual([])
  expect(all.find(({ check }) => check === "plugin")?.message).toStartWith("opencode-rulebook (0.3.0) in ")
})

// Such a script is what npm writes for Windows: nothing but a shell knows how to run it.
test.if(process.platform === "linux")("on Windows a shell runs the command", async () => {
  const file = join(tools, "bare", "opencode")
  await Bun.write(file, "echo 2.0.26\n")
  await chmod(file, 0o755)
  const env = { PATH: pathWith("bare") }
  const foundOn = async (platform: string) => await checkHostVersion({ io: { env, platform } })
  expect(await foundOn("win32")).toEqual([{ check: "OpenCode", severity: "ok", message: "2.0.26" }])
  expect((await foundOn("linux")).map(({ severity }) => severity)).toEqual(["warning"])
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
  ["2.0.0-beta.3", []],
  ["1.19.0-rc.1", []],
  ["3.0.0", ["OpenCode"]],
])("OpenCode %p", async (version, checks) => {
  await using project = await testProject(WELL)
  expect((await diagnose(project, version)).wrong.map(({ check }) => check)).toEqual(checks)
})

test("a state folder that can't be written is an error", async () => {
  await using project = await testProject({ ...WELL, "no-folder": "" })
  const { wrong } = await diagnose(project, "1.18.3", { XDG_STATE_HOME: join(project.directory, "no-folder") })
  expect(wrong).toEqual([
    {
      check: "state folder",
      severity: "error",
      message: expect.stringMatching(
        /no-folder.opencode.rulebook can't be written \(E[A-Z]+: .+\), so the sidebar shows nothing as matched$/,
      ),
      remedy: "Make it a folder that you can write, or set XDG_STATE_HOME to another place",
    },
  ])
})

test.if(process.platform === "linux")("it leaves the state folder to the user alone, and no file in it", async () => {
  await using project = await testProject(WELL)
  expect((await diagnose(project)).wrong).toEqual([])
  expect(await readdir(project.stateFolder)).toEqual([])
  expect((await stat(project.stateFolder)).mode & 0o777).toBe(0o700)
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

test("of many complaints the last five, of a long log its end", async () => {
  await using project = await testProject(WELL)
  const state = join(project.directory, "state")
  const log = join(state, "opencode/rulebook/opencode-rulebook.log")
  const line = (text: string) => `2026-01-01T00:00:00Z WARN ${text}\n`
  await Bun.write(
    log,
    [line("old"), "x".repeat(512 * 1024), "\n", ...[1, 2, 2, 3].map((n) => line(`no. ${n}`))].join(""),
  )
  const { wrong } = await diagnose(project, "1.18.3", { XDG_STATE_HOME: state })
  const shown = (...messages: readonly string[]) =>
    messages.map((message) => ({
      check: "log",
      severity: "warning",
      message,
      remedy: `Follow the advice in this line. Older warnings are in ${log}`,
    }))
  expect(wrong).toEqual(shown("no. 1", "no. 2", "no. 3") as Diagnosis[])
  await Bun.write(log, [1, 2, 3, 4, 5, 6].map((n) => line(`no. ${n}\u0007`)).join(""))
  const many = await diagnose(project, "1.18.3", { XDG_STATE_HOME: state })
  expect(many.wrong).toEqual(shown(...[2, 3, 4, 5, 6].map((n) => `no. ${n}\\u0007`)) as Diagnosis[])
})

test("it changes no file of the project", async () => {
  await using project = await testProject(WELL)
  const before = await Array.fromAsync(new Bun.Glob("**").scan({ cwd: project.directory, dot: true }))
  await diagnose(project)
  expect(await Array.fromAsync(new Bun.Glob("**").scan({ cwd: project.directory, dot: true }))).toEqual(before)
})
