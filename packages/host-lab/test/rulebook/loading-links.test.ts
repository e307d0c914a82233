import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { access, mkdir, symlink } from "node:fs/promises"
import { join } from "node:path"
import { type Lab, type Project, say, startLab } from "../../src/index.ts"
import { pluginLog } from "./log.ts"
import { counts, RULEBOOK } from "./support.ts"

setDefaultTimeout(180_000)

let lab: Lab
beforeAll(async () => {
  lab = await startLab({ globalRules: { "own.md": "Rule of the user." } })
})
afterAll(() => lab.stop())

async function firstRequest(project: Project) {
  const turn = await (await project.session()).prompt("go", [say("done")])
  return turn.requests
}

test("files whose reading never ends, by themselves and behind links, keep no prompt and no other rule", async () => {
  const project = await lab.project({ rules: { "ok.md": "Rule ok." }, plugins: [RULEBOOK] })
  const global = join(lab.root, "config/opencode/rules")
  const pipes = Array.from({ length: 8 }, (_, index) => join(global, `pipe${index}.md`))
  expect(Bun.spawnSync(["mkfifo", ...pipes, join(lab.root, "outside")]).exitCode).toBe(0)
  await symlink(join(lab.root, "outside"), join(global, "linked.md"))
  await symlink("/dev/zero", join(global, "zero.md"))
  const kernel = await access("/proc/kmsg").then(
    () => ["kernel.md"],
    () => [],
  )
  for (const name of kernel) await symlink("/proc/kmsg", join(global, name))
  const requests = await firstRequest(project)
  expect(counts(requests, "Rule ok.")).toEqual([1])
  expect(counts(requests, "Rule of the user.")).toEqual([1])
  const wrong = [...pipes.map((_, index) => `pipe${index}.md`), "linked.md", "zero.md", ...kernel]
  const log = await pluginLog(lab, `${global}/`, wrong.length)
  expect(log.map((line) => line.slice(global.length + 1).split(":")[0]).toSorted()).toEqual(wrong.toSorted())
  expect(counts(await firstRequest(project), "Rule ok.")).toEqual([1])
  expect(await pluginLog(lab, `${global}/`, wrong.length)).toHaveLength(wrong.length)
})

test("a project's links out of the checkout are not followed: no foreign text in any request; one warning each", async () => {
  await Bun.write(join(lab.root, "private/notes.md"), "A secret of the user.")
  const links = async (project: Project) => {
    await symlink(join(lab.root, "private/notes.md"), project.path(".opencode/rules/notes.md"))
    await symlink("../../../../private", project.path(".opencode/rules/folder"))
    await mkdir(project.path("docs"))
    await Bun.write(project.path("docs/inside.md"), "Rule inside.")
    await symlink("../../docs", project.path(".opencode/rules/docs"))
  }
  const project = await lab.project({ rules: { "ok.md": "Rule ok." }, git: "main", plugins: [RULEBOOK] })
  await links(project)
  const requests = await firstRequest(project)
  expect(counts(requests, "secret")).toEqual([0])
  for (const rule of ["Rule ok.", "Rule inside."]) expect(counts(requests, rule)).toEqual([1])
  const log = await pluginLog(lab, project.directory, 2)
  expect(log).toHaveLength(2)
  for (const line of log)
    expect(line).toMatch(/(notes\.md|folder):1:1: leads out of the project, .* "projectLinks": true/)

  const trusted = await lab.project({ rules: {}, git: "main", plugins: [[RULEBOOK, { projectLinks: true }]] })
  await mkdir(trusted.path(".opencode/rules"), { recursive: true })
  await links(trusted)
  expect(counts(await firstRequest(trusted), "A secret of the user.")).toEqual([1])
})

test("a rules folder that is in `instructions` too: one warning, which names the entry", async () => {
  const rules = { "a.md": "Rule always.", "b.md": "---\nglobs: '*.rs'\n---\nRule for Rust." }
  const config = { instructions: [".opencode/rules/*.md"] }
  const project = await lab.project({ rules, config, plugins: [RULEBOOK] })
  for (const requests of [await firstRequest(project), await firstRequest(project)])
    expect(requests[0]?.messages.flatMap(({ text }) => text.match(/Rule (?:always|for Rust)\./g) ?? [])).toHaveLength(3)
  const log = await pluginLog(lab, project.directory)
  expect(log).toEqual([
    `${project.path(".opencode/rules")}:1:1: is listed in "instructions" of opencode.json too (".opencode/rules/*.md"), so OpenCode sends 2 rules of it with every request, and each that matches arrives twice. Take that out of "instructions": the plugin delivers these rules when they match.`,
  ])
})
