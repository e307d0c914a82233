import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import {
  call,
  held,
  type Lab,
  type Project,
  type ProviderRequest,
  type Session,
  type StoredMessage,
  say,
  startLab,
  subagent,
} from "../../src/index.ts"
import { type LogLine, linesOf, loggingPlugin } from "../logging.ts"
import { counts, openPair, type Pair, playIn, type Runs } from "../rulebook/support.ts"
import { expectSameHistory } from "../rulebook/untouched.ts"
import { AT_GATE, closeGate, openGate, reachGate, until } from "./gate.ts"

// A call can end seconds after its turn was aborted. What it matched is stored with the next prompt, and not before.

setDefaultTimeout(180_000)

const TEXT = "Rule for the call."
const RULES = {
  "file.md": `---\nglobs: "*.rs"\n---\n${TEXT}`,
  "hook.md": `---\nkeywords: [never-said]\nhooks:\n  - type: PostToolUse\n    tool: bash\n---\n${TEXT}`,
}
const CALLS = {
  "a shell command that ignores its end": call("bash", { command: `trap '' TERM; ${AT_GATE}`, description: "wait" }),
  "a write whose formatter is slow": call("write", { filePath: "late.rs", content: "fn late() {}\n" }),
}

let lab: Lab
let pair: Pair
let file: string
beforeAll(async () => {
  lab = await startLab()
  file = join(lab.root, "hooks.jsonl")
  const formatter = { slow: { command: ["sh", "-c", AT_GATE], extensions: [".rs"] } }
  const behind = [loggingPlugin(file)]
  pair = await openPair(lab, { rules: RULES, behind, config: { formatter }, files: { "src/kept.txt": "kept" } })
})
afterAll(() => lab.stop())

/** Waits for the end of a session's tool call, the plugin's own work included. */
async function ended(sessionID: string): Promise<void> {
  await until(() => hasEnded(sessionID))
}

async function hasEnded(sessionID: string): Promise<boolean> {
  const isEnd = ({ kind, input }: LogLine) => kind === "tool.execute.after" && input["sessionID"] === sessionID
  return (await linesOf(file)).some(isEnd)
}

/** One call that stands at the gate when its turn is aborted, in a session that had a turn before. */
async function aborted(project: Project, step: (typeof CALLS)[keyof typeof CALLS]) {
  await startAnew(project)
  const session = await project.session()
  await session.prompt("first", [say("done")])
  const turn = session.prompt("second", [step])
  await reachGate(project)
  await session.abort()
  return { session, turn }
}

async function startAnew(project: Project): Promise<void> {
  await closeGate(project)
  await rm(project.path("late.rs"), { force: true })
}

/**
 * Plays with and without the plugin. The host ends an aborted call with the abort's error or with its late result, whichever it
 * comes to first, and asks the parent of an aborted subagent once more or not, without the plugin too: two runs can be compared where it
 * did the same in both. On a busy machine it can also have killed the command before the new prompt, for which `isLate` is false: such a run says
 * nothing.
 */
async function playAlike<T extends { readonly stored: readonly StoredMessage[]; readonly isLate?: boolean }>(
  pair: Pair,
  play: (project: Project) => Promise<T>,
  options: { readonly rewrites?: boolean } = {},
): Promise<Runs<T>> {
  return playIn(pair, play, {
    ...options,
    isAlike: ({ plainResult, result, plainRequests, requests }) =>
      result.isLate !== false &&
      endsOf(plainResult.stored) === endsOf(result.stored) &&
      askedAgain(plainRequests) === askedAgain(requests),
  })
}

/** How each call ended, and what had been told of it until then. */
function endsOf(messages: readonly StoredMessage[]): string {
  const parts = messages.flatMap((message) => message.parts)
  const states = parts.flatMap((part) => (part.type === "tool" ? part.state : []))
  return states.map((state) => [state.status, ...("metadata" in state ? Object.keys(state.metadata ?? {}) : [])]).join()
}

/**
 * How many requests are the host's own after a subagent was aborted, and whether it kept their answers: the provider's for a request
 * beyond its script (seen on OpenCode 1.18.33, with and without the plugin).
 */
function askedAgain(requests: readonly ProviderRequest[]): string {
  const asked = requests.filter(({ messages }) => messages.at(-1)?.text === "Task cancelled").length
  const isKept = requests.some(({ messages }) => messages.some(({ text }) => text === "(script exhausted)"))
  return `${asked} ${isKept}`
}

async function idOf(session: Session, text: string): Promise<string> {
  const messages = await session.messages()
  return messages.find(({ parts }) => parts.some((part) => "text" in part && part.text === text))?.info.id ?? ""
}

/** What is stored at once behind the late call, and what the session's next prompt comes to. */
async function afterwards(project: Project, session: Session, turn: Promise<unknown>) {
  await openGate(project)
  await ended(session.id)
  await turn
  const late = await session.messages()
  const next = await session.prompt("go on", [say("done")])
  return { late, requests: next.requests, stored: await session.messages() }
}

type Played = Awaited<ReturnType<typeof afterwards>>

function expectNothingStored(runs: Runs<Played>): void {
  const { plainResult: before, result } = runs
  expect(JSON.stringify(result.late)).not.toContain(TEXT)
  expectSameHistory(runs, before.late, result.late)
  expectSameHistory(runs, before.stored, result.stored)
  expect(counts(result.requests, TEXT)).toEqual([1])
  expect(JSON.stringify(result.stored).split(TEXT)).toHaveLength(2)
}

describe.each(Object.entries(CALLS))("%s", (_name, step) => {
  test("abort: the rule is in the next prompt", async () => {
    const runs = await playAlike(pair, async (project) => {
      const { session, turn } = await aborted(project, step)
      return afterwards(project, session, turn)
    })
    expectNothingStored(runs)
  })

  test("abort and undo at once: nothing is lost, redo works", async () => {
    const play = async (project: Project) => {
      const { session, turn } = await aborted(project, step)
      const before = await session.messages()
      await session.revert(await idOf(session, "second"))
      await openGate(project)
      await ended(session.id)
      await turn
      const after = await session.messages()
      const { revert } = await session.unrevert()
      const kept = after.map(({ info }) => info.id)
      expect(kept).toEqual(before.map(({ info }) => info.id))
      return { revert, stored: after }
    }
    const runs = await playAlike(pair, play, { rewrites: true })
    expect(runs.result.revert).toBeUndefined()
    expect(JSON.stringify(runs.result.stored)).not.toContain(TEXT)
    expectSameHistory(runs, runs.plainResult.stored, runs.result.stored)
  })

  test("abort, undo and redo: the rule is in the next prompt", async () => {
    const play = async (project: Project) => {
      const { session, turn } = await aborted(project, step)
      await session.revert(await idOf(session, "second"))
      await session.unrevert()
      return afterwards(project, session, turn)
    }
    expectNothingStored(await playAlike(pair, play, { rewrites: true }))
  })

  test("abort and a new prompt, during which the old call ends: no request more, the rule once", async () => {
    const play = async (project: Project) => {
      const { session, turn } = await aborted(project, step)
      const { promise: answering, resolve } = Promise.withResolvers<void>()
      const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
      const waiting = () => {
        ask()
        return held(answering, say("done"))
      }
      const next = session.prompt("something else", [waiting])
      await asked
      const isLate = !(await hasEnded(session.id))
      await openGate(project)
      await ended(session.id)
      const late = await session.messages()
      resolve()
      await Promise.all([turn, next])
      const last = await session.prompt("go on", [say("done")])
      return { isLate, late, requests: last.requests, stored: await session.messages() }
    }
    // A result that comes late can take the place of the abort's error that the new prompt's request had.
    expectNothingStored(await playAlike(pair, play, { rewrites: true }))
  })

  test("an aborted subagent: the same in its session, and nothing in its parent's", async () => {
    const play = async (project: Project) => {
      await startAnew(project)
      const parent = await project.session()
      const turn = parent.prompt("delegate", { script: [subagent("do the work", [step])], loose: true })
      const child = await until(async () => (await parent.children())[0])
      await reachGate(project)
      await parent.abort()
      await openGate(project)
      await ended(child.id)
      await turn
      const session = await project.session(child.id)
      const late = await session.messages()
      const next = await parent.prompt("go on", [say("done")])
      const resumed = await session.prompt("go on", [say("done")])
      const stored = await session.messages()
      return { late, requests: resumed.requests, stored, next: next.requests, parent: await parent.messages() }
    }
    const runs = await playAlike(pair, play)
    expectNothingStored(runs)
    expect(counts(runs.result.next, TEXT)).toEqual([0])
    expectSameHistory(runs, runs.plainResult.parent, runs.result.parent)
  })
})
