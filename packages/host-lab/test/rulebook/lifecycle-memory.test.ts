import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { call, type Lab, type Project, say, startLab, subagent } from "../../src/index.ts"
import { counts, openPair, type Pair, playIn, RULEBOOK } from "./support.ts"

setDefaultTimeout(180_000)

const RUST = "Rule for Rust."
const DEPLOY = "Rule for deploys."
const TASK = "Rule behind a task."
const RULES = {
  "rust.md": `---\nglobs: "*.rs"\n---\n${RUST}`,
  "deploy.md": `---\nkeywords: [deploy]\n---\n${DEPLOY}`,
  "task.md": `---\nhooks:\n  - type: PostToolUse\n    tool: task\n---\n${TASK}`,
}

let lab: Lab
let forgetful: Pair
beforeAll(async () => {
  lab = await startLab()
  const options = { files: { "a.rs": "fn a() {}\n" }, rules: RULES }
  const { plain } = await openPair(lab, options)
  forgetful = { plain, project: await lab.project({ ...options, plugins: [[RULEBOOK, { maxSessions: 1 }]] }) }
})
afterAll(() => lab.stop())

const read = (project: Project) => call("read", { filePath: project.path("a.rs") })

test("sessions that were put out of memory trust their histories", async () => {
  const runs = await playIn(forgetful, async (project) => {
    const [one, two] = [await project.session(), await project.session()]
    for (const session of [one, two, one, two]) await session.prompt("deploy", [read(project), say("done")])
    return [one, two].map((session) => session.requests())
  })
  for (const requests of runs.result) {
    expect(counts(requests, DEPLOY)).toEqual([1, 1, 1, 1])
    expect(counts(requests, RUST)).toEqual([0, 1, 1, 1])
  }
})

test("a session that its subagent puts out of memory keeps its turn's settings and gets its rules", async () => {
  const settings = { agent: "plan", model: "other", system: "Be terse." }
  const runs = await playIn(forgetful, async (project) => {
    const session = await project.session()
    const child = [read(project), say("looked")]
    const script = [read(project), subagent("look around", child), read(project), read(project), say("done")]
    return (await session.prompt("deploy", { ...settings, script })).requests
  })
  expect(counts(runs.result, TASK)).toEqual([0, 0, 1, 1, 1])
  for (const rule of [DEPLOY, RUST]) expect(counts(runs.result.slice(1), rule)).toEqual([1, 1, 1, 1])
})
