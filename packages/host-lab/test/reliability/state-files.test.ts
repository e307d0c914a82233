import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { mkdir, readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { call, type Lab, say, startLab } from "../../src/index.ts"
import { RULEBOOK } from "../rulebook/support.ts"

setDefaultTimeout(180_000)

let lab: Lab
let states = ""
beforeAll(async () => {
  lab = await startLab()
  states = join(lab.root, "state/opencode/rulebook")
})
afterAll(() => lab.stop())

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await Bun.sleep(10)
}

/** The sessions that have a state file. */
async function withState(): Promise<string[]> {
  const names = await readdir(states).catch(() => [])
  return names.filter((name) => name.endsWith(".json")).map((name) => name.replace(/\.json$/, ""))
}

test("a thousand rules that don't match are no burden on a session's state", async () => {
  const names = Array.from({ length: 1000 }, (_, index) => `area/r${index}.md`)
  const rules = Object.fromEntries(names.map((name) => [name, "---\nglobs: '*.nothing'\n---\nText."]))
  const project = await lab.project({ rules: { ...rules, "always.md": "Rule always." }, plugins: [RULEBOOK] })
  const session = await project.session()
  await session.prompt("go", [say("done")])
  const file = join(states, `${session.id}.json`)
  await until(() => Bun.file(file).exists())
  expect(JSON.parse(await Bun.file(file).text()).rules).toMatchObject([
    { id: "project:always.md", status: "delivered" },
  ])
  expect((await stat(file)).size).toBeLessThan(5_000)
})

test("a call that ends after its session was deleted leaves no state", async () => {
  const hook = "---\nhooks:\n  - type: PostToolUse\n    tool: bash\n---\nRule after a call."
  const project = await lab.project({ rules: { "hook.md": hook, "always.md": "Rule always." }, plugins: [RULEBOOK] })
  const session = await project.session()
  const wait = "trap '' TERM; touch begun; until [ -e gate ]; do sleep 0.05; done; touch ended"
  const turn = session.prompt("go", { script: [call("bash", { command: wait, description: "wait" })], loose: true })
  await until(() => Bun.file(project.path("begun")).exists())
  await until(async () => (await withState()).includes(session.id))
  await project.client().session.delete({ sessionID: session.id })
  await until(async () => !(await withState()).includes(session.id))
  await Bun.write(project.path("gate"), "")
  await until(() => Bun.file(project.path("ended")).exists())
  await turn.catch(() => undefined)
  // States are written one after another: once the next one is there, a late one would be, too.
  const next = await project.session()
  await next.prompt("go", [say("done")])
  await until(async () => (await withState()).includes(next.id))
  expect(await withState()).not.toContain(session.id)
})

test("there are never more than 500 states, whatever other processes left", async () => {
  await mkdir(states, { recursive: true })
  for (let index = 0; index < 2_000; index += 1) await Bun.write(join(states, `ses_other${index}.json`), "{}")
  const project = await lab.project({ rules: { "always.md": "Rule always." }, plugins: [RULEBOOK] })
  for (let round = 0; round < 2; round += 1) {
    const session = await project.session()
    await session.prompt("go", [say("done")])
    await until(async () => (await withState()).includes(session.id))
    expect((await withState()).length).toBeLessThanOrEqual(500)
  }
})
