import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import type { Part } from "@opencode-ai/sdk/v2"
import {
  type Answer,
  call,
  calls,
  held,
  type Lab,
  type Project,
  type ProviderRequest,
  say,
  startLab,
  subagent,
} from "../../src/index.ts"
import { counts, openPair, type Pair, playIn } from "./support.ts"

setDefaultTimeout(180_000)

const RULES = {
  "always.md": "Rule always.",
  "keyword.md": "---\nkeywords: [deploy]\n---\nRule for deploys.",
  "rust.md": '---\nglobs: "*.rs"\n---\nRule for Rust.',
  "css.md": '---\nglobs: "*.css"\n---\nRule for styles.',
  "general.md": "---\nagent: [general]\n---\nRule for general agents.",
}
const RUST = "Rule for Rust."
const DEPLOY = "Rule for deploys."

let lab: Lab
let pair: Pair
beforeAll(async () => {
  lab = await startLab()
  pair = await openPair(lab, { files: { "a.rs": "fn a() {}\n", "a.css": "a {}\n" }, rules: RULES })
})
afterAll(() => lab.stop())

test("a subagent's session has its own state: prompt, agent and files", async () => {
  const runs = await playIn(pair, async (project) => {
    const session = await project.session()
    const read = (name: string) => call("read", { filePath: project.path(name) })
    const child = [read("a.rs"), say("read it")]
    const script = [read("a.css"), subagent("deploy the reader", child), say("done")]
    const turn = await session.prompt("go", script)
    return { parent: turn.requests, child: turn.childRequests }
  })
  const { parent, child } = runs.result
  expect(counts(parent, "Rule for styles.")).toEqual([0, 1, 1])
  expect(counts(child, RUST)).toEqual([0, 1])
  expect(counts(child, DEPLOY)).toEqual([1, 1])
  expect(counts(child, "Rule for general agents.")).toEqual([1, 1])
  expect(counts(child, "Rule always.")).toEqual([1, 1])
  expect(counts(child, "Rule for styles.")).toEqual([0, 0])
  for (const rule of [RUST, DEPLOY, "Rule for general agents."]) expect(counts(parent, rule)).toEqual([0, 0, 0])
})

test("subagents side by side know nothing of each other", async () => {
  const runs = await playIn(pair, async (project) => {
    const session = await project.session()
    const one = subagent("first look", [call("read", { filePath: project.path("a.rs") }), say("read")])
    const two = subagent("second look", [call("read", { filePath: project.path("a.css") }), say("read")])
    const turn = await session.prompt("go", [calls(one, two), say("done")])
    return Object.groupBy(turn.childRequests, ({ conversation }) => (conversation.includes("first") ? "one" : "two"))
  })
  const { one = [], two = [] } = runs.result
  expect(counts(one, RUST)).toEqual([0, 1])
  expect(counts(two, RUST)).toEqual([0, 0])
  expect(counts(two, "Rule for styles.")).toEqual([0, 1])
})

test("sessions side by side know nothing of each other", async () => {
  const runs = await playIn(pair, async (project) => {
    const sessions = await Promise.all(["a.rs", "a.css", "a.rs"].map(() => project.session()))
    const files = ["a.rs", "a.css", "a.rs"]
    await Promise.all(
      sessions.map((session, index) => {
        const read = call("read", { filePath: project.path(files[index] ?? "") })
        return session.prompt("go", [read, read, say("done")])
      }),
    )
    return sessions.map((session) => session.requests())
  })
  expect(runs.result.map((requests) => counts(requests, RUST))).toEqual([
    [0, 1, 1],
    [0, 0, 0],
    [0, 1, 1],
  ])
})

/** Prompts while the answer to another prompt is still held back; `answer` is that answer. */
async function steer(project: Project, answer: Answer): Promise<ProviderRequest[]> {
  const session = await project.session()
  const stored = project.event(
    ({ type, properties }) => type === "message.part.updated" && isText(properties.part, session.id, "deploy now"),
  )
  let steering: Promise<unknown> = Promise.resolve()
  const script = (request: ProviderRequest) => {
    if (request.conversation.includes("deploy now")) return say("done")
    steering = session.prompt("deploy now", { agent: "plan", model: "other", loose: true, script: () => say("done") })
    return held(stored, answer)
  }
  await session.prompt("go", { script, loose: true })
  await steering
  return session.requests()
}

function isText(part: Part, sessionID: string, text: string): boolean {
  return part.sessionID === sessionID && part.type === "text" && part.text === text
}

test("a prompt in mid-turn: its rules are in its own message, a delivery after it takes its agent and model", async () => {
  const play = (project: Project) => steer(project, call("read", { filePath: project.path("a.rs") }))
  const runs = await playIn(pair, play, { rewrites: true })
  expect(runs.result.map(({ model }) => model)).toEqual(["plain", "other"])
  expect(counts(runs.result, DEPLOY)).toEqual([0, 1])
  expect(counts(runs.result, RUST)).toEqual([0, 1])
})

test("a prompt during a turn's last answer is answered once", async () => {
  const runs = await playIn(pair, (project) => steer(project, say("first")), { rewrites: true })
  expect(runs.result.map(({ model }) => model)).toEqual(["plain", "other"])
  expect(counts(runs.result, DEPLOY)).toEqual([0, 1])
})
