import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { cp, mkdir } from "node:fs/promises"
import { join } from "node:path"
import { call, type Lab, type PluginSpec, type ProviderRequest, type Script, say, startLab } from "../../src/index.ts"
import { NOTE } from "../logging.ts"
import { pluginLog } from "./log.ts"
import { counts, RULEBOOK } from "./support.ts"

setDefaultTimeout(180_000)

const RUST = "Rule for Rust."
const DEPLOY = "Rule for deploys."
const BUILD = "Rule for builders."
const RULES = {
  "rust.md": `---\nglobs: "*.rs"\n---\n${RUST}`,
  "deploy.md": `---\nkeywords: [deploy]\n---\n${DEPLOY}`,
  "build.md": `---\nagent: [build]\n---\n${BUILD}`,
}
const files = { "a.rs": "fn a() {}\n" }

let lab: Lab
let tarball: string
beforeAll(async () => {
  lab = await startLab()
  tarball = await pack(lab.root)
})
afterAll(() => lab.stop())

/** What `bun pm pack` makes of the package: the path of its tarball. */
async function pack(folder: string): Promise<string> {
  const child = Bun.spawn([process.execPath, "pm", "pack", "--quiet", "--destination", folder], {
    cwd: RULEBOOK,
    stderr: "ignore",
  })
  return (await new Response(child.stdout).text()).trim()
}

async function unpack(folder: string): Promise<string> {
  await mkdir(folder)
  await Bun.spawn(["tar", "-xzf", tarball, "-C", folder]).exited
  return join(folder, "package")
}

/** One turn that matches each of the rules, in a project that loads these plugins. */
async function play(plugins: readonly PluginSpec[], from = lab) {
  const project = await from.project({ files, rules: RULES, plugins, others: [NOTE] })
  const session = await project.session()
  const turn = await session.prompt("deploy", [call("read", { filePath: project.path("a.rs") }), say("done")])
  return { project, requests: turn.requests, stored: JSON.stringify(await session.messages()) }
}

function expectEachOnce({ requests, stored }: { requests: readonly ProviderRequest[]; stored: string }): void {
  expect(counts(requests, DEPLOY)).toEqual([1, 1])
  expect(counts(requests, BUILD)).toEqual([1, 1])
  expect(counts(requests, RUST)).toEqual([0, 1])
  for (const rule of [DEPLOY, RUST]) expect(stored.split(rule)).toHaveLength(2)
}

test("by the folder's path, and as a file URL", async () => {
  expectEachOnce(await play([RULEBOOK]))
  expectEachOnce(await play([`file://${RULEBOOK}`]))
})

test("by the path of the unpacked tarball, which needs nothing installed", async () => {
  expectEachOnce(await play([await unpack(join(lab.root, "unpacked"))]))
})

test("by the tarball, which the host installs itself", async () => {
  expectEachOnce(await play([`opencode-rulebook@file:${tarball}`]))
})

test("with options", async () => {
  expectEachOnce(await play([[RULEBOOK, { projectCommands: true, maxSessions: 5 }]]))
})

test("with options that are none: one warning for each, and the rules work", async () => {
  expectEachOnce(await play([[RULEBOOK, { projectCommands: "yes", maxSessions: 0, rules: "./rules" }]]))
  expect(await pluginLog(lab, "opencode.json: the plugin's option", 3)).toEqual([
    `opencode.json: the plugin's option "projectCommands" must be true or false, not "yes"; the default applies.`,
    `opencode.json: the plugin's option "maxSessions" must be a whole number from 1 to 10000, not 0; the default applies.`,
    expect.stringMatching(
      /the plugin's option "rules" is not known and has no effect\. The options are .*projectCommands/,
    ),
  ])
})

test("named twice in one list, also with options: the host loads it once", async () => {
  expectEachOnce(await play([RULEBOOK, [RULEBOOK, {}], `file://${RULEBOOK}`]))
})

test("named by the user's config and the project's: once, with the project's options", async () => {
  const run = "---\nhooks:\n  - type: PreToolUse\n    run: touch fired\n---\nRule with a command."
  await using own = await startLab({ opencodeConfig: { plugin: [[RULEBOOK, { projectCommands: true }]] } })
  const result = await play([RULEBOOK], own)
  expectEachOnce(result)
  const project = await own.project({ rules: { "run.md": run }, plugins: [RULEBOOK] })
  const session = await project.session()
  await session.prompt("go", [call("bash", { command: "true", description: "nothing" }), say("done")])
  expect(await pluginLog(own, project.path(".opencode/rules/run.md"))).toEqual([
    expect.stringContaining(`set the plugin's option "projectCommands": true`),
  ])
})

test("two copies of it: one works, and the log says so", async () => {
  const copy = join(lab.root, "copy")
  await cp(RULEBOOK, copy, { recursive: true })
  const result = await play([RULEBOOK, copy])
  expectEachOnce(result)
  expect(await pluginLog(lab, result.project.directory)).toHaveLength(1)
})

test("loaded anew, it goes on in the sessions that are there", async () => {
  const { project } = await play([RULEBOOK])
  const { data: sessions } = await project.client().session.list()
  await project.client().instance.dispose()
  const session = await project.session(sessions?.[0]?.id)
  await session.prompt("deploy again", [say("done")])
  expect(counts(session.requests(), DEPLOY)).toEqual([1, 1, 1])
  expect(counts(session.requests(), BUILD)).toEqual([1, 1, 1])
})

test("in `opencode run`, also with --continue: nothing of it is printed", async () => {
  const project = await lab.project({ files, rules: RULES, plugins: [RULEBOOK] })
  const run = async (args: readonly string[], script: Script) => {
    const scripted = lab.provider.script({ project: project.key }, script)
    const { stdout, stderr } = await lab.run(project.directory, ["run", ...args])
    scripted.end()
    expect(stderr).not.toContain("rulebook")
    return stdout
  }
  expect(await run(["deploy"], [call("read", { filePath: project.path("a.rs") }), say("first")])).toBe("first\n")
  expect(await run(["--continue", "deploy"], [say("second")])).toBe("second\n")
  const requests = project.requests().filter(({ kind }) => kind === "dispatch")
  expect(counts(requests, DEPLOY)).toEqual([1, 1, 1])
  expect(counts(requests, RUST)).toEqual([0, 1, 1])
})

describe("beside another plugin that adds parts, messages and notes of its own", () => {
  const other = join(import.meta.dir, "..", "fixtures", "logging-plugin")
  const acts = {
    "chat.message": "part",
    "tool.execute.after": "note",
    "experimental.chat.messages.transform": "push",
  }
  const noisy = (): PluginSpec => [other, { file: join(lab.root, "hooks.jsonl"), acts }]

  test("loaded before it", async () => expectEachOnce(await play([RULEBOOK, noisy()])))
  test("loaded after it", async () => expectEachOnce(await play([noisy(), RULEBOOK])))
})
