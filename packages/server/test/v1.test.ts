import { describe, expect, test } from "bun:test"
import type { Hooks } from "@opencode-ai/plugin"
import { count, counts, expectExtending, isComplaint } from "./support/dispatches.ts"
import { receiptLines } from "./support/receipt-lines.ts"
import { until } from "./support/until.ts"
import { startV1Host } from "./support/v1-host.ts"
import { v1Tools } from "./support/v1-tools.ts"

// What OpenCode v1 has and v2 hasn't, or the other way about. What both have is in the suites beside this file.

const { shell, write } = v1Tools
const RULES = {
  "rust.md": '---\nglobs: "*.rs"\n---\nRule for Rust.',
  "deploy.md": "---\nkeywords: [deploy]\n---\nRule for deploys.",
}
const RUST = "Rule for Rust."
const DEPLOY = "Rule for deploys."

test("what the prompt matches is a part of the user's message: nothing is stored beside it", async () => {
  await using host = await startV1Host({ rules: RULES })
  const session = host.session()
  const [first] = await session.prompt("deploy", ["done"])
  expect(first).toHaveLength(1)
  expect(count(first, DEPLOY)).toBe(1)
  expect(host.prompts).toEqual([])
})

test("a delivery takes over agent, model, variant, format, system and tools of the message before it", async () => {
  await using host = await startV1Host({ rules: RULES })
  const settings = {
    agent: "plan",
    model: { providerID: "lab", modelID: "other", variant: "high" },
    format: { type: "json_schema", schema: {} },
    system: "Be terse.",
    tools: { bash: false },
  }
  const session = host.session()
  await session.prompt("look", ["done"], settings)
  const announced = structuredClone(session.stored()[0]?.info)
  await session.callTool(write("a.rs", "unsafe {"))
  const [prompted] = session.stored()
  expect(prompted?.info).toEqual(announced as never)
  expect(host.prompts.map(({ body }) => body)).toEqual([
    {
      ...settings,
      messageID: prompted?.info.id,
      model: { providerID: "lab", modelID: "other" },
      variant: "high",
      noReply: true,
      parts: [expect.objectContaining({ type: "text", synthetic: true })],
    },
  ])
})

test("what could not be stored in a turn is stored with the next prompt, and stands where it stood", async () => {
  let attempts = 0
  await using host = await startV1Host({ rules: RULES, persist: () => (attempts++ === 0 ? "fails" : "ok") })
  const session = host.session()
  const turn = await session.prompt("go", [write("a.rs", "x"), "done"])
  expect(counts(turn, RUST)).toEqual([0, 1])
  expect(session.storedWith(RUST)).toHaveLength(0)
  expect(counts(await session.prompt("more", ["done"]), RUST)).toEqual([1])
  expect(session.storedWith(RUST)).toHaveLength(1)
  expect(host.prompts).toHaveLength(1)
  expectExtending(session.dispatches)
})

test("a delivered part that was removed before a request showed it is stored again", async () => {
  await using host = await startV1Host({ rules: RULES })
  const session = host.session()
  await session.prompt("go", ["done"])
  await session.callTool(write("a.rs", "x"))
  await session.removeParts(RUST)
  expect(session.storedWith(RUST)).toHaveLength(0)
  expect(counts(await session.prompt("more", [shell("ls"), "done"]), RUST)).toEqual([1, 1])
  expect(session.storedWith(RUST)).toHaveLength(1)
})

test("a delivered part that was removed is stored again at the next safe point, alone", async () => {
  await using host = await startV1Host({ rules: RULES })
  const session = host.session()
  await session.prompt("deploy", [write("a.rs", "x"), shell("ls"), "done"])
  await session.removeParts(RUST)
  const before = host.prompts.length
  await session.callTool(shell("ls"))
  expect(host.prompts.slice(before).map(({ text }) => [text.includes(RUST), text.includes(DEPLOY)])).toEqual([
    [true, false],
  ])
})

test("a delivered part that was removed, and comes with the next prompt, was taken back as by an undo", async () => {
  await using host = await startV1Host({ rules: { "rust.md": RULES["rust.md"] } })
  const session = host.session()
  await session.prompt("go", [write("a.rs", "x"), "done"])
  await session.removeParts(RUST)
  await session.prompt("more", ["done"])
  expect(receiptLines(await session.receipts()).filter((line) => line.includes("delivered"))).toEqual([
    "2 delivered rust stored matched 1",
    "3 delivered rust stored reverted 2",
  ])
})

test("a server that connects within a turn is a condition that the next request meets", async () => {
  const mcp: Record<string, string> = {}
  const behind: Hooks = { "tool.execute.after": async () => void Object.assign(mcp, { lab: "connected" }) }
  const rules = { "lab.md": "---\nmatch: all\ntools: [mcp_lab]\nkeywords: [ffi]\n---\nText." }
  await using host = await startV1Host({ rules, mcp, behind })
  const session = host.session()
  await session.prompt("go", [shell("ls"), "done"])
  expect((await session.state())?.partlyMet).toEqual([{ id: "project:lab.md", met: ["tools"] }])
})

test("after a restart the dispatches go on extending one another", async () => {
  await using host = await startV1Host({ rules: RULES })
  const session = host.session()
  await session.prompt("deploy", [write("a.rs", "x"), "done"])
  await host.restart()
  await session.prompt("deploy again", [write("b.rs", "x"), "done"])
  expectExtending(session.dispatches)
})

test("a delivery in mid-turn is a part of the user's message: the history has no other message than without it", async () => {
  await using host = await startV1Host({ rules: RULES })
  const session = host.session()
  const turn = await session.prompt("go", [write("a.rs", "x"), shell("ls"), "done"])
  expect(session.stored().map(({ info }) => info.role)).toEqual(["user", "assistant", "assistant", "assistant"])
  expect(session.storedWith(RUST)).toEqual(session.stored().slice(0, 1))
  expect(turn[1]?.map((message) => message.split(/[ :]/)[0])).toEqual(["user", "assistant", "user"])
  expect(turn[0]).toEqual(["user: go"])
  expectExtending(turn)
})

test("an agent that the prompt mentions is mentioned after a delivery, too", async () => {
  await using host = await startV1Host({ rules: RULES })
  const session = host.session()
  await session.prompt("@general go", [write("a.rs", "x"), "done"], {}, [{ type: "agent", name: "general" }])
  expect(session.storedWith(RUST)).toHaveLength(1)
  expect(session.mentioned()).toEqual(["general"])
})

test("after a restart each delivery keeps its place, also in a request that does not match its rule any more", async () => {
  await using host = await startV1Host({ rules: RULES })
  const session = host.session()
  await session.prompt("go", [write("a.rs", "x"), shell("ls"), "done"])
  await host.restart()
  await session.prompt("deploy", [shell("ls"), "done"])
  await host.restart()
  await session.prompt("go on", ["done"])
  expect(counts(session.dispatches, RUST)).toEqual([0, 1, 1, 1, 1, 1])
  expectExtending(session.dispatches)
})

test("what could not be stored where it stood keeps that place after a restart", async () => {
  let attempts = 0
  await using host = await startV1Host({ rules: RULES, persist: () => (attempts++ === 0 ? "fails" : "ok") })
  const session = host.session()
  await session.prompt("go", [write("a.rs", "x"), shell("ls"), "done"])
  await host.restart()
  await session.prompt("go on", ["done"])
  expectExtending(session.dispatches)
})

test("a request whose last message is a rule is not the user's for that; a turn's first one is", async () => {
  await using host = await startV1Host({ rules: RULES })
  await host.session().prompt("deploy", [write("a.rs", "x"), shell("ls"), "done"])
  expect(host.headers).toEqual([{}, { "x-initiator": "agent" }, {}])
})

test.each(["ahead", "behind"])(
  "a plugin %s that puts a part first into each user message does so once for each prompt",
  async (where) => {
    const theirs = { type: "text", text: "From another plugin.", synthetic: true }
    const other: Hooks = { "chat.message": async (_input, { parts }) => void parts.unshift(theirs as never) }
    await using host = await startV1Host({ rules: RULES, [where]: other })
    const session = host.session()
    await session.prompt("deploy", [write("a.rs", "x"), "done"])
    const texts = session.stored()[0]?.parts.map((part) => (part.type === "text" ? part.text.slice(0, 20) : part.type))
    expect(texts).toEqual(["From another plugin.", "deploy", "<system-message>\nThe", "<system-message>\nThe"])
    expect(counts(session.dispatches, RUST)).toEqual([0, 1])
    expect(host.log.filter(isComplaint)).toEqual([])
  },
)

test("a user's message with a copy of a delivered part is the user's", async () => {
  await using host = await startV1Host({ rules: RULES })
  const session = host.session()
  await session.prompt("go", [write("a.rs", "x"), "done"])
  const copy = session.stored()[0]?.parts[1]
  const [dispatch] = await session.prompt("deploy", ["done"], {}, [copy as never])
  expect(count(dispatch, DEPLOY)).toBe(1)
})

test("two commands at the same instant: each is its own prompt's", async () => {
  const rules = {
    "one.md": "---\ncommand: [one]\n---\nRule one.",
    "two.md": "---\ncommand: [two]\n---\nRule two.",
  }
  await using host = await startV1Host({ rules })
  const session = host.session()
  await Promise.all([session.command("one", "First.", ["done"]), session.command("two", "Second.", ["done"])])
  expect(counts(session.dispatches.slice(-1), "Rule one.")).toEqual([1])
  expect(counts(session.dispatches.slice(-1), "Rule two.")).toEqual([1])
})

test("a subtask command's rule is in the first request of the session that does the work, and in no other child", async () => {
  const rules = { "look.md": "---\ncommand: [look]\n---\nRule for looking." }
  await using host = await startV1Host({ rules })
  const session = host.session()
  const { child } = await session.subtask("look", "Look around.")
  expect(counts(child?.dispatches ?? [], "Rule for looking.")).toEqual([1])
  expect(counts(await host.session().prompt("Look around.", ["done"]), "Rule for looking.")).toEqual([0])
})

test("a subtask command's rule is in no other session with the same words: not at the same time, nor in a later child", async () => {
  const rules = { "look.md": "---\ncommand: [look]\n---\nRule for looking." }
  const others: (readonly number[])[] = []
  const asking = async () => {
    others.push(counts(await host.session().prompt("Look around.", ["done"]), "Rule for looking."))
  }
  let isAsking = true
  const behind: Hooks = {
    "tool.execute.before": async () => {
      if (isAsking) await asking()
      isAsking = false
    },
  }
  await using host = await startV1Host({ rules, behind })
  const session = host.session()
  const { child } = await session.subtask("look", "Look around.")
  expect([others, counts(child?.dispatches ?? [], "Rule for looking.")]).toEqual([[[0]], [1]])
  expect(counts(await session.child().prompt("Look around.", ["done"]), "Rule for looking.")).toEqual([0])
})

test("a subtask command that a hook blocks fails with the reason and breaks nothing", async () => {
  const hook =
    "---\nkeywords: [never]\nhooks:\n  - type: PreToolUse\n    tool: task\n    block: true\n---\nNo subagents."
  await using host = await startV1Host({ rules: { "block.md": hook } })
  const { error } = await host.session().subtask("look", "Look around.")
  expect(error).toContain("No subagents.")
})

test("a subtask command is not held: the host could not repeat the call", async () => {
  const rule = "---\nhooks:\n  - type: PreToolUse\n    tool: task\n    block: once\n---\nRule for subagents."
  await using host = await startV1Host({ rules: { "task.md": rule } })
  const session = host.session()
  await session.prompt("hello", ["done"])
  const { child, error } = await session.subtask("look", "Look around.")
  expect([child !== undefined, error]).toEqual([true, undefined])
  expect(counts(await session.prompt("on", ["done"]), "Rule for subagents.")).toEqual([1])
})

test("a subtask command that failed is no successful call", async () => {
  const hook = "---\nkeywords: [never]\nhooks:\n  - type: PostToolUse\n    tool: task\n---\nAfter a subagent."
  await using host = await startV1Host({ rules: { "after.md": hook } })
  const session = host.session()
  await session.subtask("look", "Look around.", true)
  expect(counts(await session.prompt("go on", ["done"]), "After a subagent.")).toEqual([0])
  await session.subtask("look", "Look around.")
  expect(counts(await session.prompt("go on", ["done"]), "After a subagent.")).toEqual([1])
})

test("what the host adds to the newest user message stays on the user's", async () => {
  await using host = await startV1Host({ rules: RULES, reminder: "Stay in plan mode." })
  const session = host.session()
  const turn = await session.prompt("go", [write("a.rs", "x"), shell("ls"), "done"])
  expect(counts(turn, "Stay in plan mode.")).toEqual([1, 1, 1])
  expect(turn.map(([user]) => user?.endsWith("Stay in plan mode."))).toEqual([true, true, true])
  expectExtending(turn)
})

test("a message that another plugin makes for a dispatch, with no id, takes nothing from it", async () => {
  const rules = { ...RULES, "build.md": "---\nagent: [build]\n---\nRule for builders." }
  await using host = await startV1Host({ rules, pushed: "From another plugin." })
  const session = host.session()
  const turn = await session.prompt("deploy", [write("a.rs", "x"), shell("ls"), "done"])
  expect(counts(turn, "Rule for builders.")).toEqual([1, 1, 1])
  expect(counts(turn, RUST)).toEqual([0, 1, 1])
  expect(turn.map((dispatch) => dispatch.at(-1))).toEqual(Array(3).fill("user: From another plugin."))
  expectExtending(turn.map((dispatch) => dispatch.slice(0, -1)))
})

test("a session that was evicted in mid-turn does not switch the turn's agent", async () => {
  await using host = await startV1Host({
    rules: RULES,
    pluginOptions: { maxSessions: 1 },
    persist: () => {
      expect(host.prompts.at(-1)?.body["agent"]).toBe("plan")
      return "ok"
    },
  })
  const [session, other] = [host.session(), host.session()]
  await session.prompt("go", ["done"], { agent: "plan" })
  await other.prompt("go", ["done"])
  await session.callTool(write("a.rs", "x"))
  expect(session.storedWith(RUST)).toHaveLength(1)
})

test("a rule that matched is told before the host has stored it, and a deleted session's state is removed", async () => {
  const stored = Promise.withResolvers<void>()
  await using host = await startV1Host({ rules: { "rust.md": RULES["rust.md"] }, persist: () => stored.promise })
  const session = host.session()
  const turn = session.prompt("look", [write("a.rs", "unsafe {"), "done"])
  const matched = async () => (await session.peekState())?.rules.some(({ status }) => status === "pending") === true
  await until(matched)
  stored.resolve()
  await turn
  expect((await session.state())?.rules.map(({ status }) => status)).toEqual(["delivered"])
  await session.remove()
  expect(await session.state()).toBeUndefined()
})

test.each([
  ["model", { providerID: "lab", modelID: "big" }],
  ["provider", { providerID: "other", modelID: "plain" }],
])("the same words with another %s: what is declared for it is there, and goes with it", async (_what, other) => {
  const rules = { "other.md": "---\nmodel: [lab/big, other/plain]\n---\nRule for the other." }
  await using host = await startV1Host({ rules })
  const session = host.session()
  const plain = { providerID: "lab", modelID: "plain" }
  for (const model of [plain, other, plain]) {
    const turn = await session.prompt("go", ["done"], { model })
    expect(counts(turn, "Rule for the other.")).toEqual([model === other ? 1 : 0])
  }
})

test("the same words by a slash command and without one: what is declared for the command is there from then on", async () => {
  await using host = await startV1Host({ rules: { "ship.md": "---\ncommand: [ship]\n---\nRule for shipping." } })
  const session = host.session()
  expect(counts(await session.prompt("go", ["done"]), "Rule for shipping.")).toEqual([0])
  expect(counts(await session.command("ship", "go", ["done"]), "Rule for shipping.")).toEqual([1])
})

test("after a compaction the next prompt itself carries what it hid: nothing is stored beside it", async () => {
  await using host = await startV1Host({ rules: RULES })
  const session = host.session()
  await session.prompt("deploy", [write("a.rs", "x"), "done"])
  await session.compact()
  const before = host.prompts.length
  const [first] = await session.prompt("go on", ["done"])
  for (const rule of [RUST, DEPLOY]) {
    expect(count(first, rule)).toBe(1)
    expect(session.storedWith(rule)).toHaveLength(2)
  }
  expect(host.prompts).toHaveLength(before)
})

test("after a revert the next prompt itself carries what it took away: nothing is stored beside it", async () => {
  await using host = await startV1Host({ rules: RULES })
  const session = host.session()
  await session.prompt("hello", ["done"])
  await session.prompt("deploy", ["done"])
  session.revert(1)
  const [first] = await session.prompt("something else", ["done"])
  expect(count(first, DEPLOY)).toBe(1)
  expect(session.storedWith(DEPLOY)).toHaveLength(1)
  expect(host.prompts).toEqual([])
})

describe("a message that another plugin stores in the user's name", () => {
  test("is no prompt: what the user has asked for stays", async () => {
    const rules = { "both.md": '---\nmatch: all\nkeywords: [deploy]\nglobs: "*.rs"\n---\nRule for both.' }
    await using host = await startV1Host({ rules })
    const session = host.session()
    await session.prompt("deploy", ["done"])
    await session.note("A note.")
    await session.callTool(write("a.rs", "x"))
    expect(counts([await session.dispatch()], "Rule for both.")).toEqual([1])
  })

  test("is no prompt that could have ended a turn: a call that is under way stores what it matched", async () => {
    await using host = await startV1Host({ rules: RULES })
    const session = host.session()
    await session.prompt("go", ["done"])
    const call = await session.begin(write("a.rs", "x"))
    await session.note("A note.")
    await call.end()
    expect(session.storedWith(RUST)).toHaveLength(1)
  })
})

test("a call waits for what is stored ahead of it, and its end for what is stored behind it", async () => {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let attempts = 0
  const hook = "---\nkeywords: [never]\nhooks:\n  - type: PreToolUse\n    tool: write\n---\nBefore a Write."
  const persist = () => gates[attempts++]?.promise ?? ("ok" as const)
  await using host = await startV1Host({ rules: { "hook.md": hook, "rust.md": RULES["rust.md"] }, persist })
  const session = host.session()
  await session.prompt("go", ["done"])
  for (const step of ["begin", "end"] as const) {
    let isDone = false
    const call = session.begin(write(step === "begin" ? "a.txt" : "a.rs", "x"))
    const work = step === "begin" ? call : call.then(({ end }) => end())
    void work.then(() => {
      isDone = true
    })
    await until(() => attempts > (step === "begin" ? 0 : 1))
    await new Promise((resolve) => setImmediate(resolve))
    expect(isDone).toBe(false)
    gates[step === "begin" ? 0 : 1]?.resolve()
    await work
  }
  expect(session.storedWith(RUST)).toHaveLength(1)
})

test("the tools of a session are those of the model that its newest prompt names", async () => {
  const rules = { "patch.md": "---\ntools: [apply_patch]\n---\nRule for patches." }
  const toolsOf = (model: string) => (model === "patching" ? ["bash", "apply_patch"] : ["bash"])
  await using host = await startV1Host({ rules, toolsOf })
  const session = host.session()
  for (const [modelID, met] of [
    ["plain", 0],
    ["patching", 1],
    ["plain", 0],
  ] as const) {
    const turn = await session.prompt("go", ["done"], { model: { providerID: "lab", modelID } })
    expect(counts(turn, "Rule for patches.")).toEqual([met])
  }
})

test("tools that have changed within a turn are in its next request, once the host has told of it", async () => {
  const tools = ["bash"]
  const rules = { "lab.md": "---\ntools: [lab_look]\n---\nRule for the lab." }
  await using host = await startV1Host({ rules, toolsOf: () => tools })
  const session = host.session()
  await session.prompt("go", ["done"])
  tools.push("lab_look")
  expect(counts([await session.dispatch()], "Rule for the lab.")).toEqual([0])
  await host.emit({ type: "plugin.added", properties: {} })
  expect(counts([await session.dispatch()], "Rule for the lab.")).toEqual([1])
})
