import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import {
  call,
  expectExtends,
  fail,
  type Lab,
  type Project,
  type ProviderRequest,
  say,
  startLab,
} from "../../src/index.ts"
import { counts, openPair, type Pair, playIn, RULEBOOK } from "../rulebook/support.ts"

// The form of requests: no user message more than without the plugin but behind a tool's result, and each extends the last.

setDefaultTimeout(180_000)

const RUST = "Rule for Rust."
const RULES = {
  "rust.md": `---\nglobs: "*.rs"\n---\n${RUST}`,
  "ts.md": '---\nglobs: "*.ts"\n---\nRule for TypeScript.',
  "deploy.md": "---\nkeywords: [deploy]\n---\nRule for deploys.",
  "build.md": "---\nagent: [build]\n---\nRule for builders.",
  "plan.md": "---\nagent: [plan]\n---\nRule for planners.",
  "other.md": "---\nmodel: [other]\n---\nRule for the other model.",
}
const FILES = { "a.rs": "fn a() {}\n", "b.ts": "export {}\n" }

let lab: Lab
let pair: Pair
beforeAll(async () => {
  lab = await startLab()
  pair = await openPair(lab, { files: FILES, rules: RULES })
})
afterAll(() => lab.stop())

const read = (project: Project, file: string) => call("read", { filePath: project.path(file) })
const roles = ({ messages }: ProviderRequest) => messages.map(({ role }) => role)

/** Pairs of user messages in a row. */
function doubles(requests: readonly ProviderRequest[]): number[] {
  return requests.map((request) => {
    const own = roles(request)
    return own.filter((role, index) => role === "user" && own[index + 1] === "user").length
  })
}

test("no two user messages in a row: first prompts, later ones, other agents and models, failed turns", async () => {
  const play = async (project: Project) => {
    const session = await project.session()
    await session.prompt("deploy", [read(project, "a.rs"), read(project, "b.ts"), say("done")])
    await session.prompt("plan", { agent: "plan", script: [read(project, "a.rs"), say("done")] })
    await session.prompt("other", { model: "other", script: [read(project, "a.rs"), say("done")] })
    await session.prompt("hello", [say("done")])
    return session.requests()
  }
  const runs = await playIn(pair, play, { rewrites: true })
  expect(doubles(runs.plainRequests)).toEqual(Array(runs.plainRequests.length).fill(0))
  expect(doubles(runs.requests)).toEqual(Array(runs.requests.length).fill(0))
})

test("a prompt whose turn failed: as many in a row as without the plugin", async () => {
  const play = async (project: Project) => {
    const session = await project.session()
    await session.prompt("deploy", [fail(400, "no")])
    await session.prompt("again", [say("done")])
    return session.requests()
  }
  const runs = await playIn(pair, play)
  expect(doubles(runs.requests)).toEqual(doubles(runs.plainRequests))
})

test("what a request got before it was stored stands there after a restart, too", async () => {
  const rules = { "rust.md": RULES["rust.md"], "deploy.md": RULES["deploy.md"] }
  const project = await lab.project({ files: FILES, rules, plugins: [RULEBOOK] })
  const session = await project.session()
  const full = { input: 19_500, output: 20 }
  const script = [call("read", { filePath: project.path("a.rs") }, full), read(project, "b.ts"), say("done")]
  const turn = await session.prompt("deploy", { model: "small", script, summary: say("the summary") })
  const compacted = turn.requests.slice(2)
  expect(counts(compacted, RUST)).toEqual([1, 1])
  await lab.restart()
  const next = await session.prompt("go on", { model: "small", script: [read(project, "b.ts"), say("done")] })
  expect(counts(next.requests, RUST)).toEqual([1, 1])
  expectExtends([...compacted, ...next.requests])
})

test("after a restart, and in a fork, stored rules stand where they stood", async () => {
  const rules = { "rust.md": RULES["rust.md"], "ts.md": RULES["ts.md"], "deploy.md": RULES["deploy.md"] }
  const { project } = await openPair(lab, { files: FILES, rules })
  const session = await project.session()
  await session.prompt("hello", [read(project, "a.rs"), read(project, "b.ts"), say("done")])
  await session.prompt("deploy", [read(project, "a.rs"), say("done")])
  await lab.restart()
  await session.prompt("go on", [read(project, "b.ts"), say("done")])
  expectExtends(session.requests())
  expect(counts(session.requests(), RUST)).toEqual([0, 1, 1, 1, 1, 1, 1])
  const { data } = await project.client().session.fork({ sessionID: session.id })
  const fork = await project.session(data?.id)
  await fork.prompt("in the fork", [say("done")])
  expectExtends([...session.requests().slice(-1), ...fork.requests()])
})
