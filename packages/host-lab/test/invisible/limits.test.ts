import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { join } from "node:path"
import { call, hang, type Lab, type Project, type ProviderRequest, say, startLab } from "../../src/index.ts"
import { linesOf, loggingPlugin } from "../logging.ts"
import { counts, openPair, type Pair, playIn, RULEBOOK } from "../rulebook/support.ts"
import { until } from "./gate.ts"

// What a plugin of OpenCode 1.18 has no way to keep from changing: each is in the table of docs/delivery.md.

setDefaultTimeout(180_000)

const RUST = "Rule for Rust."
const ALWAYS = "Rule for everyone."
const BUILD = "Rule for builders."
const RULES = {
  "rust.md": `---\nglobs: "*.rs"\n---\n${RUST}`,
  "always.md": ALWAYS,
  "build.md": `---\nagent: [build]\n---\n${BUILD}`,
}

let lab: Lab
let pair: Pair
let file: string
beforeAll(async () => {
  lab = await startLab()
  file = join(lab.root, "hooks.jsonl")
  pair = await openPair(lab, { files: { "a.rs": "fn a() {}\n" }, rules: RULES, behind: [loggingPlugin(file)] })
})
afterAll(() => lab.stop())

const read = (project: Project) => call("read", { filePath: project.path("a.rs") })
const roles = (request: ProviderRequest | undefined) => request?.messages.slice(1).map(({ role }) => role)

test("the title's request holds the rules of the first request", async () => {
  const { result } = await playIn(pair, async (project) => {
    const session = await project.session()
    await session.prompt("go", [say("done")])
    return until(() => project.requests().find((one) => one.kind === "title" && one.sessionID === session.id))
  })
  expect(counts([result], ALWAYS)).toEqual([1])
})

test("a summary's request holds stored rules", async () => {
  const play = async (project: Project) => {
    const session = await project.session()
    await session.prompt("go", [read(project), say("done")])
    return (await session.summarize(say("the summary"))).requests
  }
  const { result } = await playIn(pair, play, { rewrites: true })
  expect(counts(result, RUST)).toEqual([1])
  expect(counts(result, BUILD)).toEqual([0])
})

test("another plugin's chat.message is called for each delivery, and a client sees the prompt updated", async () => {
  const { plainResult, result } = await playIn(pair, async (project) => {
    const session = await project.session()
    await session.prompt("go", [read(project), say("done")])
    await project.event((event) => event.type === "session.idle" && event.properties.sessionID === session.id)
    const calls = (await linesOf(file)).filter(
      ({ kind, input }) => kind === "chat.message" && input["sessionID"] === session.id,
    )
    const updates = project.events().filter((event) => {
      if (event.type !== "message.updated" || event.properties.info.role !== "user") return false
      return event.properties.info.sessionID === session.id
    })
    return { calls: calls.length, updates: updates.length }
  })
  expect(plainResult.calls).toBe(1)
  expect(result).toEqual({ calls: 2, updates: plainResult.updates + 1 })
})

test("behind an answer that was aborted before its first word, a rule and the next prompt are two user messages", async () => {
  const play = async (project: Project) => {
    const session = await project.session()
    const { promise: asked, resolve } = Promise.withResolvers<void>()
    const waiting = () => {
      resolve()
      return hang()
    }
    const turn = session.prompt("go", [read(project), waiting])
    await asked
    await session.abort()
    await turn
    return (await session.prompt("go on", [say("done")])).requests[0]
  }
  const { plainResult, result } = await playIn(pair, play)
  expect(roles(plainResult)).toEqual(["user", "assistant", "tool", "user"])
  expect(roles(result)).toEqual(["user", "assistant", "tool", "user", "user"])
})

test("after a restart a transient rule's text stands in the newest request only", async () => {
  const project = await lab.project({ files: { "a.rs": "fn a() {}\n" }, rules: RULES, plugins: [RULEBOOK] })
  const session = await project.session()
  await session.prompt("go", [say("done")])
  await lab.restart()
  const { requests } = await session.prompt("go on", [say("done")])
  expect(requests[0]?.messages[1]?.text).not.toContain(BUILD)
  expect(requests[0]?.messages.at(-1)?.text).toContain(BUILD)
})
