import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { join } from "node:path"
import { call, fail, type Lab, type Project, say, startLab } from "../../src/index.ts"
import { loggingPlugin } from "../logging.ts"
import { counts, openPair, playIn, RULEBOOK } from "../rulebook/support.ts"
import { expectSameHistory } from "../rulebook/untouched.ts"

// A slash command with `subtask: true`: the host itself calls the tool `task`, and not as it calls a model's tools.

setDefaultTimeout(180_000)

const REASON = "No subagents here: do it yourself."
const AFTER = "Rule after a subagent."
const hook = (hook: string, body: string) => `---\nkeywords: [never-said]\nhooks:\n  - ${hook}\n---\n${body}`
const command = {
  look: { template: "The template looks at $ARGUMENTS.", subtask: true, agent: "general" },
  one: { template: "The first template." },
  two: { template: "The second template." },
}

let lab: Lab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.stop())

describe.each(["task", "*"])("a block of %s", (tool) => {
  test("is an error that the model reads, and the session goes on", async () => {
    const rules = {
      "block.md": hook(`{ type: PreToolUse, tool: "${tool}", block: true }`, REASON),
      "after.md": hook(`{ type: PostToolUse, tool: "${tool}" }`, AFTER),
    }
    const project = await lab.project({ rules, config: { command }, plugins: [RULEBOOK] })
    const session = await project.session()
    const turn = await session.command("look", "it", [say("then I do it myself")])
    expect(turn.childRequests).toEqual([])
    expect(turn.requests[0]?.messages.find(({ role }) => role === "tool")?.text).toContain(REASON)
    const blocked = call("task", { description: "look", prompt: "Look.", subagent_type: "general" })
    const next = await session.prompt("go on", [blocked, say("done")])
    expect(next.requests.at(-1)?.messages.findLast(({ role }) => role === "tool")?.text).toContain(REASON)
    expect(counts(next.requests, AFTER)).toEqual([0, 0])
    const statuses = (await session.messages()).flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === "tool" ? [part.state.status] : [])),
    )
    expect(statuses).toEqual(["error", "error"])
  })
})

test("one that fails fires no PostToolUse, one that succeeds does", async () => {
  const rules = { "after.md": hook("{ type: PostToolUse, tool: task }", AFTER) }
  const pair = await openPair(lab, { rules, config: { command } })
  const play = async (project: Project) => {
    const session = await project.session()
    await session.command("look", "it", { children: [fail(400, "no")], script: [say("it failed")] })
    await session.prompt("go on", [say("done")])
    const failed = session.requests().length
    await session.command("look", "again", { children: [say("looked")], script: [say("it worked")] })
    return { failed, requests: session.requests(), stored: await session.messages() }
  }
  const runs = await playIn(pair, play)
  const { failed, requests } = runs.result
  expect(counts(requests.slice(0, failed), AFTER)).toEqual(Array(failed).fill(0))
  expect(counts(requests.slice(-1), AFTER)).toEqual([1])
  expectSameHistory(runs, runs.plainResult.stored, runs.result.stored)
})

test("its command's rules are in the first request of the session that does the work", async () => {
  const rules = { "look.md": "---\ncommand: [look]\n---\nRule for looking." }
  const pair = await openPair(lab, { rules, config: { command } })
  const play = async (project: Project) => {
    const session = await project.session()
    const { childRequests } = await session.command("look", "it", { children: [say("looked")], script: [say("done")] })
    return { children: childRequests, stored: await session.messages() }
  }
  const runs = await playIn(pair, play)
  expect(counts(runs.result.children, "Rule for looking.")).toEqual([1])
  expectSameHistory(runs, runs.plainResult.stored, runs.result.stored)
})

test("two commands at the same instant: each one's rules", async () => {
  const rules = {
    "one.md": "---\ncommand: [one]\n---\nRule one.",
    "two.md": "---\ncommand: [two]\n---\nRule two.",
  }
  const file = join(lab.root, "hooks.jsonl")
  const meeting = loggingPlugin(file, { "command.execute.before": "meet" })
  const project = await lab.project({ rules, config: { command }, plugins: [RULEBOOK, meeting] })
  const session = await project.session()
  await session.prompt("hello", [say("hello")])
  const script = () => say("done")
  await Promise.all([session.command("one", "", script), session.command("two", "", script)])
  const last = session.requests().slice(-1)
  for (const rule of ["Rule one.", "Rule two."]) expect(counts(last, rule)).toEqual([1])
})
