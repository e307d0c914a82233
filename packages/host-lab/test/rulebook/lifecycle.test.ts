import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import type { Event } from "@opencode-ai/sdk/v2"
import { call, calls, fail, hang, type Lab, type Project, type Session, say, startLab } from "../../src/index.ts"
import { counts, openPair, type Pair, playIn } from "./support.ts"

setDefaultTimeout(180_000)

const RUST = "Rule for Rust."
const DEPLOY = "Rule for deploys."
const BUILD = "Rule for builders."
const RULES = {
  "rust.md": `---\nglobs: "*.rs"\n---\n${RUST}`,
  "deploy.md": `---\nkeywords: [deploy]\n---\n${DEPLOY}`,
  "build.md": `---\nagent: [build]\n---\n${BUILD}`,
}
const BASH = call("bash", { command: "true", description: "nothing" })
const rewrites = { rewrites: true }

let lab: Lab
let pair: Pair
beforeAll(async () => {
  lab = await startLab()
  pair = await openPair(lab, { files: { "a.rs": "fn a() {}\n" }, rules: RULES })
})
afterAll(() => lab.stop())

const read = (project: Project) => call("read", { filePath: project.path("a.rs") })

/** The id of the prompt with this text. */
async function idOf(session: Session, text: string): Promise<string> {
  const messages = await session.messages()
  return messages.find(({ parts }) => parts.some((part) => "text" in part && part.text === text))?.info.id ?? ""
}

async function storedText(session: Session): Promise<string> {
  return JSON.stringify(await session.messages())
}

test("a revert that takes deliveries away brings their rules back once", async () => {
  const play = async (project: Project) => {
    const session = await project.session()
    await session.prompt("hello", [say("done")])
    await session.prompt("deploy", [read(project), say("done")])
    await session.revert(await idOf(session, "deploy"))
    await session.prompt("another way", [BASH, BASH, say("done")])
    return { requests: session.requests(), stored: await storedText(session) }
  }
  const runs = await playIn(pair, play, rewrites)
  const { requests, stored } = runs.result
  for (const rule of [DEPLOY, RUST]) expect(counts(requests.slice(3), rule)).toEqual([1, 1, 1])
  for (const rule of [DEPLOY, RUST]) expect(stored.split(rule)).toHaveLength(2)
})

test("a revert behind the deliveries, and one that is taken back, change nothing", async () => {
  const play = async (project: Project) => {
    const session = await project.session()
    await session.prompt("deploy", [read(project), say("done")])
    await session.prompt("second", [say("done")])
    await session.revert(await idOf(session, "deploy"))
    await session.unrevert()
    await session.prompt("third", [say("done")])
    await session.revert(await idOf(session, "second"))
    await session.prompt("fourth", [BASH, say("done")])
    return { requests: session.requests(), stored: await storedText(session) }
  }
  const runs = await playIn(pair, play, rewrites)
  expect(counts(runs.result.requests, RUST)).toEqual([0, 1, 1, 1, 1, 1])
  for (const rule of [DEPLOY, RUST]) expect(runs.result.stored.split(rule)).toHaveLength(2)
})

test("a delivery that is deleted comes back once", async () => {
  const play = async (project: Project) => {
    const session = await project.session()
    await session.prompt("deploy", [read(project), say("done")])
    const parts = (await session.messages()).flatMap((message) => message.parts)
    const delivery = parts.find((part) => part.type === "text" && part.text.includes(RUST))
    if (delivery) {
      const { messageID, id } = delivery
      await project.client().part.delete({ sessionID: session.id, messageID, partID: id })
      await session.rewritten()
    }
    await session.prompt("go on", [BASH, say("done")])
    return { requests: session.requests(), stored: await storedText(session) }
  }
  const runs = await playIn(pair, play, rewrites)
  for (const rule of [DEPLOY, RUST]) expect(counts(runs.result.requests.slice(2), rule)).toEqual([1, 1])
  for (const rule of [DEPLOY, RUST]) expect(runs.result.stored.split(rule)).toHaveLength(2)
})

test("a fork has the deliveries of the history that it copies, and no others", async () => {
  const play = async (project: Project) => {
    const session = await project.session()
    await session.prompt("deploy", [say("done")])
    await session.prompt("look", [read(project), say("done")])
    const fork = async (messageID?: string) => {
      const { data } = await project
        .client()
        .session.fork({ sessionID: session.id, ...(messageID ? { messageID } : {}) })
      const forked = await project.session(data?.id)
      await forked.prompt("go on", [read(project), say("done")])
      return { requests: forked.requests(), stored: await storedText(forked) }
    }
    return { whole: await fork(), early: await fork(await idOf(session, "look")) }
  }
  const runs = await playIn(pair, play)
  const { whole, early } = runs.result
  expect(counts(whole.requests, RUST)).toEqual([1, 1])
  expect(counts(early.requests, RUST)).toEqual([0, 1])
  for (const { requests } of [whole, early]) expect(counts(requests, DEPLOY)).toEqual([1, 1])
  for (const { stored } of [whole, early]) for (const rule of [DEPLOY, RUST]) expect(stored.split(rule)).toHaveLength(2)
})

test("a provider error that the host retries re-sends the same", async () => {
  const play = async (project: Project) => {
    const session = await project.session()
    await session.prompt("deploy", [read(project), fail(500, "try again"), BASH, say("done")])
    return session.requests()
  }
  const runs = await playIn(pair, play)
  expect(counts(runs.result, RUST)).toEqual([0, 1, 1, 1])
  expect(runs.result[2]?.raw).toEqual(runs.result[1]?.raw as never)
})

test("a turn that ends in an error loses no rule", async () => {
  const play = async (project: Project) => {
    const session = await project.session()
    await session.prompt("deploy", [fail(400, "no")])
    await session.prompt("look", [read(project), fail(400, "no")])
    await session.prompt("once more", [BASH, say("done")])
    return { requests: session.requests(), stored: await storedText(session) }
  }
  const runs = await playIn(pair, play)
  expect(counts(runs.result.requests, DEPLOY)).toEqual([1, 1, 1, 1, 1])
  expect(counts(runs.result.requests, RUST)).toEqual([0, 0, 1, 1, 1])
  for (const rule of [DEPLOY, RUST]) expect(runs.result.stored.split(rule)).toHaveLength(2)
})

/** Whether an event says that this session's shell is running. */
function isShellRunning(event: Event, sessionID: string): boolean {
  if (event.type !== "message.part.updated") return false
  const { part } = event.properties
  return part.sessionID === sessionID && part.type === "tool" && part.tool === "bash" && part.state.status === "running"
}

test("an abort in the middle of a tool: what was observed before it is in the next prompt's first dispatch", async () => {
  const play = async (project: Project) => {
    const session = await project.session()
    const running = project.event((event) => isShellRunning(event, session.id))
    const sleep = call("bash", { command: "sleep 600", description: "wait" })
    const turn = session.prompt("deploy", [read(project), sleep])
    await running
    await session.abort()
    await turn
    await session.prompt("go on", [BASH, say("done")])
    return { requests: session.requests(), stored: await storedText(session) }
  }
  const runs = await playIn(pair, play)
  expect(counts(runs.result.requests, DEPLOY)).toEqual([1, 1, 1, 1])
  expect(counts(runs.result.requests, RUST)).toEqual([0, 1, 1, 1])
  for (const rule of [DEPLOY, RUST]) expect(runs.result.stored.split(rule)).toHaveLength(2)
})

/** A step that the provider never answers, and when the host has asked for it. */
function unanswered() {
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  const waiting = () => {
    resolve()
    return hang()
  }
  return { waiting, asked }
}

test("an abort while the provider answers", async () => {
  const play = async (project: Project) => {
    const session = await project.session()
    const { waiting, asked } = unanswered()
    const turn = session.prompt("deploy", [calls(read(project), BASH), waiting])
    await asked
    await session.abort()
    await turn
    await session.prompt("go on", [say("done")])
    return session.requests()
  }
  const runs = await playIn(pair, play)
  expect(counts(runs.result, DEPLOY)).toEqual([1, 1, 1])
  expect(counts(runs.result, RUST)).toEqual([0, 1, 1])
})

const FORMAT = { type: "json_schema", schema: { type: "object", properties: { a: { type: "string" } } } } as const

test("a server killed in mid-turn and started again: nothing is replayed, nothing doubled, nothing stored is lost", async () => {
  const sessions = new Map<string, readonly Session[]>()
  const turns: Promise<unknown>[] = []
  const before = async (project: Project) => {
    const session = () => project.session()
    const [whole, compacted, schema, cut] = await Promise.all([session(), session(), session(), session()])
    for (const session of [whole, compacted]) await session.prompt("deploy", [read(project), say("done")])
    await compacted.summarize(say("the summary"))
    await schema.prompt("deploy", { format: FORMAT, script: [read(project), call("StructuredOutput", { a: "x" })] })
    const { waiting, asked } = unanswered()
    turns.push(cut.prompt("deploy", [read(project), waiting]).catch(() => undefined))
    await asked
    sessions.set(project.key, [whole, compacted, schema, cut])
  }
  const after = async (project: Project) => {
    const resumed = []
    for (const session of sessions.get(project.key) ?? []) {
      const { requests } = await session.prompt("go on", [BASH, read(project), say("done")])
      // The host gives no history with a schema in it (measured on OpenCode 1.18.33).
      resumed.push({ requests, stored: await storedText(session).catch(() => undefined) })
    }
    return resumed
  }
  await playIn(pair, before, rewrites)
  await lab.kill()
  await Promise.all(turns)
  await lab.restart()
  const runs = await playIn(pair, after)
  const [whole, compacted, schema, cut] = runs.result
  for (const session of [whole, schema, cut])
    for (const rule of [DEPLOY, RUST]) expect(counts(session?.requests ?? [], rule)).toEqual([1, 1, 1])
  for (const session of [whole, cut])
    for (const rule of [DEPLOY, RUST]) expect(session?.stored?.split(rule)).toHaveLength(2)
  expect(counts(compacted?.requests ?? [], DEPLOY)).toEqual([0, 0, 0])
  expect(counts(compacted?.requests ?? [], RUST)).toEqual([0, 0, 1])
})
