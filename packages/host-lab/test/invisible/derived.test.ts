import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { call, calls, type Lab, type Project, say, startLab } from "../../src/index.ts"
import { counts, openPair, type Pair, playIn } from "../rulebook/support.ts"
import { expectSameHistory } from "../rulebook/untouched.ts"
import { until } from "./gate.ts"

// What the host derives from "the newest user message", "a user message" or "the last message" is as without the plugin.

setDefaultTimeout(180_000)

const RUST = "Rule for Rust."
const PLAN = "Rule for a plan's end."
const RULES = {
  "rust.md": `---\nglobs: "*.rs"\n---\n${RUST}`,
  "ts.md": `---\nglobs: "*.ts"\n---\nRule for TypeScript.`,
  "plan.md": `---\nkeywords: [never-said]\nhooks:\n  - type: PostToolUse\n    tool: plan_exit\n---\n${PLAN}`,
  "build.md": "---\nagent: [build]\n---\nRule for builders.",
}
const FILES = { "a.rs": "fn a() {}\n", "b.ts": "export {}\n" }

let lab: Lab
let pair: Pair
beforeAll(async () => {
  lab = await startLab({ env: { OPENCODE_EXPERIMENTAL_PLAN_MODE: "1" } })
  pair = await openPair(lab, { files: FILES, rules: RULES })
})
afterAll(() => lab.stop())

/** What the host keeps of a session beside its messages, without what differs from run to run. */
async function recordOf(project: Project, sessionID: string): Promise<unknown> {
  const { data } = await project.client().session.get({ sessionID })
  const { agent, model, permission, title, tokens, cost, summary, revert } = { ...data } as Record<string, unknown>
  return { agent, model, permission, title, tokens, cost, summary, revert }
}

const read = (project: Project, file: string) => call("read", { filePath: project.path(file) })

test("the stored messages, with their order, parents and settings", async () => {
  const play = async (project: Project) => {
    const session = await project.session()
    await session.prompt("go", [read(project, "a.rs"), read(project, "b.ts"), say("done")])
    const both = calls(read(project, "a.rs"), read(project, "b.ts"))
    await session.prompt("more", { tools: { webfetch: false }, model: "other", script: [both, say("done")] })
    await session.prompt("and more", { agent: "plan", script: [both, say("done")] })
    const record = await recordOf(project, session.id)
    return { requests: session.requests(), stored: await session.messages(), record }
  }
  const runs = await playIn(pair, play, { rewrites: true })
  expect(counts(runs.result.requests, RUST)).toEqual([0, 1, 1, 1, 1, 1, 1])
  expect(runs.result.stored.map(({ info }) => info.role).filter((role) => role === "user")).toHaveLength(3)
  expect(runs.result.record).toEqual(runs.plainResult.record)
  expectSameHistory(runs, runs.plainResult.stored, runs.result.stored)
})

test("an @agent mention goes on allowing that agent after a delivery in its turn", async () => {
  const config = { permission: { "*": "allow", task: { "*": "allow", general: "deny" } } }
  const play = async (project: Project) => {
    const session = await project.session()
    const task = call("task", { description: "look", prompt: "Look around.", subagent_type: "general" })
    const parts = [
      { type: "text" as const, text: "@general go" },
      { type: "agent" as const, name: "general" },
    ]
    const script = [read(project, "a.rs"), task, say("done")]
    const turn = await session.prompt("", { parts, script, children: [say("looked")] })
    return { requests: turn.requests, children: turn.childRequests, stored: await session.messages() }
  }
  const runs = await playIn(await openPair(lab, { files: FILES, rules: RULES, config }), play)
  expect(counts(runs.result.requests, RUST)).toEqual([0, 1, 1])
  expect(runs.result.requests.at(-1)?.conversation).toContain("looked")
  expect(runs.result.children).toHaveLength(1)
  expectSameHistory(runs, runs.plainResult.stored, runs.result.stored)
})

test("plan_exit switches to build, and a delivery right behind it does not switch back", async () => {
  const play = async (project: Project) => {
    const session = await project.session()
    const answered = project
      .event((event) => event.type === "question.asked" && event.properties.sessionID === session.id)
      .then(async (event) => {
        if (event.type !== "question.asked") return
        await project.client().question.reply({ requestID: event.properties.id, answers: [["Yes"]] })
      })
    const script = [call("plan_exit", {}), read(project, "a.rs"), say("done")]
    const turn = await session.prompt("plan it", { agent: "plan", script })
    await answered
    const record = await recordOf(project, session.id)
    return { requests: turn.requests, stored: await session.messages(), record }
  }
  const runs = await playIn(pair, play, { rewrites: true })
  const agents = runs.result.stored.flatMap(({ info }) => (info.role === "assistant" ? [info.agent] : []))
  expect(agents).toEqual(["plan", "build", "build"])
  expect(runs.result.record).toEqual(runs.plainResult.record)
  expect(counts(runs.result.requests, PLAN)).toEqual([0, 1, 1])
  expect(counts(runs.result.requests, RUST)).toEqual([0, 0, 1])
  expectSameHistory(runs, runs.plainResult.stored, runs.result.stored)
})

test("the changes of a turn belong to its prompt", async () => {
  const play = async (project: Project) => {
    const session = await project.session()
    const write = call("write", { filePath: project.path("new.txt"), content: "new\n" })
    await session.prompt("change", [read(project, "a.rs"), write, read(project, "b.ts"), say("done")])
    const stored = await session.messages()
    const messageID = stored[0]?.info.id ?? ""
    const changes = await until(async () => {
      const { data = [] } = await project.client().session.diff({ sessionID: session.id, messageID })
      return data.length > 0 && data
    })
    const summary = await until(async () => {
      const { info } = (await session.messages())[0] ?? {}
      return info?.role === "user" && (info.summary?.diffs.length ?? 0) > 0 && info.summary
    })
    return { changes: changes.map(({ file, additions }) => [file, additions]), summary, stored }
  }
  const options = { files: FILES, rules: RULES, git: "main", config: { snapshot: true } }
  const { plainResult, result } = await playIn(await openPair(lab, options), play)
  expect(result.changes).toEqual([["new.txt", 1]])
  expect(result.changes).toEqual(plainResult.changes)
  expect(result.summary).toEqual(plainResult.summary)
})

test("a tail keeps as many turns behind a compaction", async () => {
  const play = async (project: Project) => {
    const session = await project.session()
    await session.prompt("first", [say("one")])
    await session.prompt("second", [read(project, "a.rs"), read(project, "b.ts"), say("two")])
    await session.summarize(say("the summary"))
    await session.prompt("third", [say("three")])
    return { requests: session.requests(), stored: await session.messages() }
  }
  const options = { files: FILES, rules: RULES, config: { compaction: { tail_turns: 1 } } }
  const runs = await playIn(await openPair(lab, options), play, { rewrites: true })
  expect(runs.result.requests.at(-1)?.conversation).toContain("second")
  expect(counts(runs.result.requests.slice(-1), RUST)).toEqual([1])
  expectSameHistory(runs, runs.plainResult.stored, runs.result.stored)
})

test("an agent's last step, a prompt in mid-turn and a shell command of the user's own", async () => {
  const agent = { short: { mode: "primary", steps: 2 } }
  const play = async (project: Project) => {
    const session = await project.session()
    const steering = async () => {
      await session.prompt("and mind the gap", { noReply: true })
      return read(project, "a.rs")
    }
    await session.prompt("go", { agent: "short", script: [steering, say("done")] })
    await project.client().session.shell({ sessionID: session.id, agent: "short", command: "true" })
    await session.prompt("go on", { agent: "short", script: [read(project, "b.ts"), say("done")] })
    const record = await recordOf(project, session.id)
    return { requests: session.requests(), stored: await session.messages(), record }
  }
  const options = { files: FILES, rules: RULES, config: { agent } }
  const runs = await playIn(await openPair(lab, options), play, { rewrites: true })
  expect(counts(runs.result.requests, RUST)).toEqual([0, 1, 1, 1])
  expect(runs.result.record).toEqual(runs.plainResult.record)
  expectSameHistory(runs, runs.plainResult.stored, runs.result.stored)
})

test("pruning keeps the output of as many turns", async () => {
  const line = `${"x".repeat(1_900)}\n`
  const big = Object.fromEntries(["1", "2", "3", "4", "5", "6", "7"].map((name) => [`big${name}.txt`, line.repeat(25)]))
  const play = async (project: Project) => {
    const session = await project.session()
    const reads = Object.keys(big).map((file) => read(project, file))
    await session.prompt("read all", [calls(...reads), say("done")])
    await session.prompt("read two", [read(project, "a.rs"), read(project, "b.ts"), say("done")])
    await session.prompt("third", [say("done")])
    const pruned = async () =>
      (await session.messages()).flatMap(({ parts }) =>
        parts.flatMap((part) =>
          part.type === "tool" && part.state.status === "completed" ? [part.state.time.compacted !== undefined] : [],
        ),
      )
    await until(async () => (await pruned()).includes(true))
    await session.prompt("fourth", [say("done")])
    return pruned()
  }
  const options = { files: { ...FILES, ...big }, rules: RULES, config: { compaction: { prune: true } } }
  const runs = await playIn(await openPair(lab, options), play, { rewrites: true })
  expect(runs.result).toEqual(runs.plainResult)
})
