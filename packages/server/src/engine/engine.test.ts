import { describe, expect, test } from "bun:test"
import { added, shown, startEngine, talking } from "../../test/support/engine.ts"
import { ROOT, rulebookOf } from "../../test/support/rules.ts"
import type { Turn } from "./session.ts"

const SESSION = "ses_1"
const MODEL = { providerID: "anthropic", modelID: "claude" }
const BUILD: Turn = { prompt: "go", promptID: "msg_1", command: undefined, agent: "build", model: MODEL }

const RULES = {
  "always.md": "Rule always.",
  "build.md": "---\nagent: [build]\n---\nRule for builders.",
  "deploy.md": "---\nkeywords: [deploy]\n---\nRule for deploys.",
  "rust.md": '---\nglobs: "*.rs"\n---\nRule for Rust.',
}

test("a session: what requests have, what is noted, and what the sidebar reads", async () => {
  const own = talking({ rules: RULES })
  const handed = await own.prompt({ ...BUILD, prompt: "deploy" })
  expect(handed?.rules.map(String)).toEqual(["project:always.md", "project:deploy.md"])
  const stored = { m1: ["project:always.md", "project:deploy.md"] }
  own.clock.now = 2_000
  expect(await own.request({}, stored)).toEqual(["m1: build"])
  expect(await own.file("read", `${ROOT}/src/a.rs`, "x")).toBeUndefined()
  own.clock.now = 3_000
  expect(await own.request({}, stored)).toEqual(["m1: build", "m2: rust"])
  await own.engine.safePoint(SESSION, { callID: "call_1" })
  expect(own.stored.map(({ rules, parts }) => [rules.map(String), parts.map(({ place }) => place)])).toEqual([
    [["project:rust.md"], [{ kind: "message", id: "m2" }]],
  ])
  expect(await own.request({ agent: "plan" }, stored)).toEqual(["m2: rust"])
  own.engine.turnEnded(SESSION)
  await own.engine.rules(SESSION)
  expect(own.newReceipts()).toEqual([
    "0 session begins: always build deploy rust",
    "1 request prompted",
    "1 matched always by always",
    "1 matched deploy by keywords",
    "1 delivered always stored matched 1",
    "1 delivered deploy stored matched 1",
    "1 matched build by agent build",
    "1 transient build on matched",
    "1 matched rust by file src/a.rs",
    "2 request (read src/a.rs)",
    "2 delivered rust request matched 1",
    "2 store rust stored",
    "3 request",
    "3 transient build off ended",
    "3 verdicts build-agent=plan deploy+keywords rust+file=src/a.rs",
  ])
  const always = "always delivered, tokens 3, request 1, count 1"
  const build = "build transient, by agent, at 2000, tokens 4, request 1"
  const deploy = "deploy delivered, by prompt, at 1000, tokens 4, request 1, count 1"
  const rust = (status: string, more = ", tokens 4, request 2, count 1") =>
    `rust ${status}, by src/a.rs, at 2000${more}`
  expect(own.newStates()).toEqual([
    ["always pending", "deploy pending, by prompt, at 1000"],
    [always, build, deploy],
    [always, build, deploy, rust("pending", "")],
    [always, build, deploy, rust("pending")],
    [always, build, deploy, rust("delivered")],
    [always, deploy, rust("delivered")],
  ])
  const applies = own.traces.map(({ sessionID, number, rules }) => [
    ...[sessionID, number],
    ...rules.map(({ rule, appliesAs, reason }) => `${rule.name}: ${appliesAs ?? "no"} ${reason}`),
  ])
  const all = (build: string, rust: string) => {
    return ["always: durable matched", `build: ${build} matched`, "deploy: durable matched", `rust: ${rust} matched`]
  }
  expect(applies).toEqual([
    [SESSION, 1, ...all("transient", "no")],
    [SESSION, 2, ...all("transient", "durable")],
    [SESSION, 3, ...all("no", "durable")],
  ])
  expect(own.traces[2]?.facts).toMatchObject({ prompt: "deploy", agent: "plan", model: MODEL, os: "linux", ci: false })
  expect([own.log, own.commands, own.retracted]).toEqual([[], [], []])
})

test("a published state names its session and folder, its version and time, and the rules that it is of", async () => {
  const own = talking({ rules: RULES })
  await own.request(BUILD)
  const [state] = own.states
  expect(state).toEqual({
    version: 2,
    sessionID: SESSION,
    directory: ROOT,
    updatedAt: 1_000,
    snapshot: expect.any(String),
    rules: [
      { id: "project:always.md", digest: expect.any(String), status: "pending", tokens: 3, request: 1, count: 1 },
      expect.objectContaining({ id: "project:build.md", status: "transient" }),
    ],
  })
  const other = talking({ rules: { ...RULES, "rust.md": "Other text." } })
  await other.request(BUILD)
  expect(other.states[0]?.snapshot).not.toBe(state?.snapshot ?? "")
})

describe("hooks", () => {
  const HOOKS = {
    "guard.md":
      "---\nhooks:\n  - { type: PreToolUse, tool: bash, match: push, block: true, run: notify }\n---\nNever push.",
    "after.md": "---\nagent: [plan]\nhooks: [{ type: PostToolUse, tool: bash, run: tidy }]\n---\nRead what it says.",
    "once.md": "---\nname: Once\nhooks: [{ type: PreToolUse, tool: bash, match: rm, block: once }]\n---\nThink first.",
  }

  test("a blocked call, one that is held once, and content for one request", async () => {
    const own = talking({ rules: HOOKS })
    await own.request(BUILD)
    own.newReceipts()
    expect(await own.call("bash", { command: "git push" })).toBe(
      'This call was blocked by the rule "guard".\n\nNever push.',
    )
    expect(own.newReceipts()).toEqual([
      "1 hook guard PreToolUse bash",
      "1 matched guard by hook bash",
      "1 stopped guard blocked bash",
    ])
    expect(await own.call("bash", { command: "ls" })).toBeUndefined()
    expect(await own.call("bash", { command: "rm x" })).toBe(
      "Held: *Once* applies to this call and comes with the next message. Read it and repeat the call.",
    )
    own.newReceipts()
    expect(await own.request()).toEqual(["m2: guard Once after"])
    expect(own.newReceipts()).toEqual([
      "2 request (bash stopped) (bash) (bash stopped)",
      "2 delivered guard request hook 1",
      "2 delivered once request held 1",
      "2 matched after by hook bash",
      "2 transient after on hook",
    ])
    expect(own.traces[1]?.rules.map(({ rule, appliesAs, reason }) => `${rule.name} ${appliesAs} ${reason}`)).toEqual([
      "guard durable hook",
      "after transient hook",
      "Once durable hook",
    ])
    expect(await own.call("bash", { command: "git push" })).toBeDefined()
    expect(await own.call("bash", { command: "rm x" })).toBeUndefined()
    expect(own.commands).toEqual([
      "project:guard.md PreToolUse notify",
      "project:after.md PostToolUse tidy",
      "project:guard.md PreToolUse notify",
      "project:after.md PostToolUse tidy",
    ])
    expect(own.log).toEqual([
      "info blocked: a call of bash in session ses_1, by project:guard.md",
      "info held: a call of bash in session ses_1, by project:once.md",
      "info blocked: a call of bash in session ses_1, by project:guard.md",
    ])
    expect(own.newStates().at(-1)?.[0]).toBe(
      "guard pending, by bash call, at 1000, blocked 2, tokens 3, request 2, count 1",
    )
  })

  test("a request that the host repeats has what hooks have brought once more, and counts once", async () => {
    const own = talking({ rules: HOOKS })
    await own.request(BUILD)
    await own.call("bash", { command: "ls" })
    expect(await own.request()).toEqual(["m2: after"])
    own.newReceipts()
    const repeated = await own.engine.dispatch(SESSION, shown(own.messages), {})
    expect(added(repeated)).toEqual(["m2: after"])
    expect(own.newReceipts()).toEqual([])
    await own.call("bash", { command: "ls" })
    expect(added(await own.engine.dispatch(SESSION, shown(own.messages), {}))).toEqual(["m2: after"])
    expect(await own.request()).toEqual([])
    expect(own.traces.map(({ number }) => number)).toEqual([1, 2, 2, 2, 3])
  })
})

describe("sessions", () => {
  function counting(maxSessions = 10) {
    const loaded: string[] = []
    const own = startEngine({
      maxSessions,
      loadRules: async (sessionID) => {
        loaded.push(sessionID)
        return rulebookOf(RULES)
      },
    })
    return { ...own, loaded }
  }
  const request = ({ engine }: ReturnType<typeof startEngine>, session: string) =>
    engine.dispatch(session, shown(["m1"]), BUILD)

  test("what is no part of a conversation opens no session", async () => {
    const { engine, loaded, states, stored } = counting()
    await engine.observed(SESSION, [])
    await engine.safePoint(SESSION)
    expect(await engine.compacting(SESSION)).toBeUndefined()
    for (const end of [engine.turnEnded, engine.compacted, engine.historyReverted]) end(SESSION)
    for (const change of [engine.messageRemoved, engine.messagePromoted]) change(SESSION, "m1")
    await engine.rules("ses_2")
    expect([loaded, states, stored]).toEqual([["ses_2"], [], []])
  })

  test("the rules of a session are those that can be delivered", async () => {
    const own = startEngine({
      rules: { "a.md": "Text.", "b.md": "---\nalwaysApply: false\ndescription: B\n---\nText." },
    })
    expect((await own.engine.rules(SESSION)).map(String)).toEqual(["project:a.md", "project:b.md", "index:"])
  })

  test("a session that ends takes its files with it, and one of that name begins anew", async () => {
    const own = counting()
    await request(own, SESSION)
    await own.engine.safePoint(SESSION)
    own.newStates()
    own.engine.closeSession(SESSION)
    expect(own.retracted).toEqual([SESSION])
    await request(own, SESSION)
    expect(own.loaded).toEqual([SESSION, SESSION])
    expect(own.newStates().at(-1)?.[0]).toBe("always pending, tokens 3, request 1, count 1")
  })

  test("of more sessions than it keeps, the one used least recently begins anew; what it has written stays", async () => {
    const own = counting(2)
    await request(own, "ses_1")
    await own.engine.safePoint("ses_1")
    await request(own, "ses_2")
    await own.engine.rules("ses_1")
    await request(own, "ses_3")
    await own.engine.rules("ses_1")
    expect(own.loaded).toEqual(["ses_1", "ses_2", "ses_3"])
    await request(own, "ses_2")
    await request(own, "ses_3")
    await own.engine.rules("ses_1")
    expect(own.loaded).toEqual(["ses_1", "ses_2", "ses_3", "ses_2", "ses_3", "ses_1"])
    own.newStates()
    await own.engine.prompt("ses_1", { prompt: "on" })
    expect([own.newStates(), own.retracted]).toEqual([[["always pending"]], []])
  })

  test("a change that can't be noted breaks nothing, and is logged", async () => {
    const note = () => {
      throw new Error("no room")
    }
    const own = startEngine({ rules: { "a.md": "Text." }, receipts: { host: "a host", plugin: "1", note } })
    own.engine.turnEnded(SESSION)
    expect(own.log).toEqual([])
    const failing = talking({
      rules: { "a.md": "Text." },
      receipts: {
        ...{ host: "a host", plugin: "1" },
        note: (_session, { kind }) => (kind === "store" ? note() : undefined),
      },
    })
    await failing.request(BUILD)
    await failing.engine.safePoint(SESSION)
    await failing.engine.rules(SESSION)
    expect(failing.log).toEqual(["error noting a change failed: Error: no room"])
    expect(failing.newStates().at(-1)).toEqual(["a delivered, tokens 2, request 1, count 1"])
  })

  test("without a taker nothing is noted or traced, and all is done as ever", async () => {
    const rules = {
      ...RULES,
      "guard.md": "---\nhooks: [{ type: PreToolUse, tool: bash, block: true }]\n---\nNever.",
      "log.md": "---\nglobs: '*.ts'\nforbid: log(\n---\nText.",
      "held.md": "---\nglobs: '*.css'\nhold: true\n---\nText.",
    }
    const own = talking({ rules, receipts: undefined, trace: undefined })
    await own.prompt(BUILD)
    await own.request()
    await own.file("write", "a.rs", "x")
    await own.file("write", "a.ts", "log(")
    expect(await own.call("bash")).toBeDefined()
    expect(await own.file("write", "a.css", "x")).toBeDefined()
    await own.engine.safePoint(SESSION)
    own.engine.turnEnded(SESSION)
    expect(await own.request({ prompt: "on" })).toEqual(["m1: always build", "m2: rust guard log held log"])
    expect([own.receipts, own.traces]).toEqual([[], []])
  })
})

test("a new prompt ends the turn before it; what else is new of a turn does not", async () => {
  const own = talking({ rules: RULES })
  await own.request(BUILD)
  own.newReceipts()
  await own.prompt({ agent: "plan" })
  expect(own.newReceipts()).toEqual([])
  await own.prompt({ prompt: "deploy" })
  expect(own.newReceipts()).toEqual(["1 verdicts build+agent=build deploy-keywords rust-file"])
  await own.request()
  own.newReceipts()
  // It came without being announced.
  await own.request({ prompt: "on", promptID: "msg_2" })
  expect(own.newReceipts()).toEqual(["2 verdicts build-agent=plan deploy+keywords", "3 request prompted"])
})

describe("what is compacted or taken back", () => {
  const DEPLOY = { "deploy.md": RULES["deploy.md"] }
  const first = { m1: ["project:deploy.md"] }

  async function talked() {
    const own = talking({ rules: DEPLOY })
    await own.prompt({ ...BUILD, prompt: "deploy" })
    await own.request({}, first)
    await own.request({}, first)
    own.newReceipts()
    return own
  }
  const gone = (reason: string) => ["3 request", `3 gone deploy ${reason}`, `3 delivered deploy request ${reason} 2`]
  const again = (reason: string) => `info delivered again: project:deploy.md in session ses_1 (${reason}), delivery 2`

  test("a compaction: the rule is delivered again, and counts on", async () => {
    const own = await talked()
    own.engine.compacted(SESSION)
    own.messages.splice(0, 2)
    expect(await own.request()).toEqual(["m3: deploy"])
    expect(own.newReceipts()).toEqual(gone("compacted"))
    expect(own.log).toEqual([again("compacted")])
    expect(own.newStates().at(-1)).toEqual(["deploy pending, by prompt, at 1000, tokens 4, request 3, count 2"])
  })

  test.each(["a message went", "the host took something back"])("an undo: %s", async (what) => {
    const own = await talked()
    if (what === "a message went") own.engine.messageRemoved(SESSION, "m1")
    else own.engine.historyReverted(SESSION)
    own.messages.splice(0, 2)
    await own.request()
    expect(own.newReceipts()).toEqual(gone("reverted"))
    expect(own.log).toEqual([again("reverted")])
  })

  test("what was observed lately is for the compaction, and outlives it", async () => {
    const own = await talked()
    expect(await own.engine.compacting(SESSION)).toBeUndefined()
    await own.file("read", "b.rs", "x")
    await own.engine.observed(SESSION, [{ path: "a.rs", tool: "read", content: "x" }])
    const context = "Files the session has been working on (paths only):\n- a.rs\n- b.rs"
    expect(await own.engine.compacting(SESSION)).toBe(context)
    expect(await own.engine.compacting(SESSION)).toBe(context)
  })

  test("after a restart what the history has is matched and found; a notice of a transient rule brings that not back", async () => {
    const own = talking({ rules: RULES })
    await own.request(
      { ...BUILD, agent: "plan" },
      { m1: ["project:rust.md", "again:2:project:build.md", "again:2:project:deploy.md"] },
    )
    expect(own.newReceipts()).toEqual([
      "0 session begins: always build deploy rust",
      "1 request prompted",
      "1 found rust",
      "1 matched always by always",
      "1 delivered always request matched 1",
      "1 delivered deploy request matched 3",
    ])
    // Nothing is known of what made it match then.
    expect(own.newStates()).toEqual([
      [
        "always pending, tokens 3, request 1, count 1",
        "deploy pending, tokens 4, request 1, count 3",
        "rust delivered, tokens 4, count 1",
      ],
    ])
  })
})

describe("the budget", () => {
  const rules = { "small.md": "x".repeat(40), "large.md": `---\nagent: [build]\n---\n${"x".repeat(400)}` }

  test("above it each session is warned about once, with the rules by size; at it none is", async () => {
    const tokens = await used(rules)
    const at = talking({ rules, maxTokens: tokens })
    await at.request(BUILD)
    expect(at.log).toEqual([])
    const above = talking({ rules, maxTokens: tokens - 1 })
    await above.request(BUILD)
    await above.request()
    const sizes = [await used({ "large.md": rules["large.md"] }), await used({ "small.md": rules["small.md"] })]
    expect(above.log).toEqual([
      `warn the rules in a request of session ses_1 have about ${tokens} tokens, above "maxTokens" (${tokens - 1}): project:large.md (${sizes[0]}), project:small.md (${sizes[1]}). Nothing is left out; shorten the largest, or give them narrower conditions.`,
    ])
    await above.engine.dispatch("ses_2", shown(["m1"]), BUILD)
    expect(above.log).toHaveLength(2)
  })

  test.each([10, 11])("of %d rules ten are named", async (count) => {
    const many = Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`${at + 10}.md`, "x".repeat(400 - 8 * at)]),
    )
    const own = talking({ rules: many, maxTokens: 1 })
    await own.request(BUILD)
    const named = own.log[0]
      ?.replace(/.*\(1\): /, "")
      .replace(/\. Nothing.*/, "")
      .replace(/ \(\d+\)/g, "")
    const ten = Array.from({ length: 10 }, (_, at) => `project:${at + 10}.md`).join(", ")
    expect(named).toBe(count === 10 ? ten : `${ten} and 1 more`)
  })

  test("a request without messages carries no rules", async () => {
    const own = talking({ rules, maxTokens: 1 })
    await own.engine.dispatch(SESSION, shown([]), BUILD)
    expect(own.receipts.flatMap((one) => (one.kind === "request" ? one.tokens : []))).toEqual([0])
    expect(own.log).toEqual([])
  })

  async function used(some: Readonly<Record<string, string>>): Promise<number> {
    const own = talking({ rules: some })
    await own.request(BUILD)
    return own.receipts.flatMap((one) => (one.kind === "request" ? one.tokens : []))[0] ?? 0
  }
})

describe("`remind`", () => {
  const RUST = "---\nname: Rust\nglobs: '*.rs'\nremind: 2000\nreminder: In short.\n---\nRule for Rust."
  const tokensOf = () => 1_500
  /** A request of which each message has 1,500 tokens. */
  async function long({ engine, messages }: ReturnType<typeof talking>, turn: Partial<Turn> = {}) {
    messages.push(`m${messages.length + 1}`)
    return added(await engine.dispatch(SESSION, { ...shown(messages), tokensOf }, turn))
  }

  test("a rule that is met anew far behind its text comes again, in short, once until then", async () => {
    const own = talking({ rules: { "rust.md": RUST } })
    await long(own, BUILD)
    await own.file("read", "a.rs", "x")
    expect(await long(own)).toEqual(["m2: Rust"])
    await own.file("read", "a.rs", "x")
    expect(await long(own)).toEqual(["m2: Rust"])
    expect(await long(own)).toEqual(["m2: Rust"])
    await own.file("read", "a.rs", "x")
    own.newReceipts()
    const { insertions } = await own.engine.dispatch(SESSION, { ...shown([...own.messages, "m5"]), tokensOf }, {})
    expect(insertions.map(({ after, text }) => [after, text.split("\n").at(-3)])).toEqual([
      ["m2", "Rule for Rust."],
      ["m5", "In short."],
    ])
    expect(own.newReceipts()).toEqual(["5 request (read a.rs)", "5 delivered rust request reminded 2"])
    expect(own.log).toEqual(["info delivered again: project:rust.md in session ses_1 (reminded), delivery 2"])
    own.messages.push("m5")
    await own.file("read", "a.rs", "x")
    expect(await long(own)).toEqual(["m2: Rust", "m5: Rust"])
  })

  test("a rule that is not matched is not reminded of, and one whose notice is on its way is not either", async () => {
    const rules = {
      "both.md": RUST.replace("globs", "match: all\nkeywords: [ffi]\nglobs"),
      "log.md": RUST.replace("remind", "forbid: log(\nremind"),
    }
    const own = talking({ rules })
    await long(own, BUILD)
    await own.file("read", "a.rs", "x")
    for (const _ of [1, 2, 3]) expect(await long(own)).toEqual(["m2: Rust"])
    await own.file("write", "a.rs", "log(")
    expect(await long(own)).toEqual(["m2: Rust", "m5: Rust"])
  })

  test("without a `reminder` its own text comes again", async () => {
    const own = talking({ rules: { "rust.md": RUST.replace("reminder: In short.\n", "") } })
    await long(own, BUILD)
    await own.file("read", "a.rs", "x")
    for (const _ of [1, 2]) await long(own)
    await own.file("read", "a.rs", "x")
    await long(own)
    await own.engine.safePoint(SESSION)
    expect(
      own.stored.flatMap(({ parts }) => parts.map(({ text, place }) => [text.split("\n").at(-3), place?.id])),
    ).toEqual([
      ["Rule for Rust.", "m2"],
      ["Rule for Rust.", "m4"],
    ])
  })
})

describe("what is met in part", () => {
  const all = (...lines: string[]) => `---\nmatch: all\n${lines.join("\n")}\n---\nText.`
  const PARTS = {
    "files.md": all("globs: '*.rs'", "keywords: [ffi]"),
    "branch.md": all("branch: [main]", "keywords: [ffi]", "os: [linux]"),
    "tools.md": all("tools: [bash]", "keywords: [ffi]"),
    "hooked.md": all("agent: [plan]", "os: [linux]", "hooks: [{ type: PreToolUse, tool: bash }]"),
  }

  test("is published with each request in which it changes, for rules that are not matched", async () => {
    let branch = "main"
    let tools = new Set(["bash"])
    const facts = { branch: async () => branch, tools: async () => tools }
    const own = talking({ rules: PARTS, facts })
    await own.request(BUILD)
    const hooked = "hooked in part: os"
    expect(own.newStates()).toEqual([["branch in part: os branch", "tools in part: tools", hooked]])
    await own.request()
    await own.request({ prompt: "on" })
    expect(own.newStates()).toEqual([])
    tools = new Set()
    await own.request()
    expect(own.newStates()).toEqual([["branch in part: os branch", hooked]])
    branch = "next"
    await own.request()
    expect(own.newStates()).toEqual([["branch in part: os", hooked]])
    await own.file("read", "a.rs", "x")
    await own.request()
    expect(own.newStates()).toEqual([["files in part: file", "branch in part: os", hooked]])
    await own.call("bash")
    await own.request()
    expect(own.newStates()).toEqual([
      ["hooked transient, by bash call, at 1000, tokens 2, request 7", "files in part: file", "branch in part: os"],
    ])
    await own.request({ prompt: "ffi" })
    expect(own.newStates()).toEqual([
      [
        "files pending, by a.rs and prompt, at 1000, tokens 2, request 8, count 1",
        ...["branch in part: keywords os", "tools in part: keywords", hooked],
      ],
    ])
  })
})

test("of rules that are met in part the state names 50, beside those that are met as a whole", async () => {
  const part = "---\nmatch: all\nagent: [build]\nbranch: [main]\n---\nText."
  const files = Array.from({ length: 51 }, (_, at) => [`p${at + 10}.md`, part])
  const whole = part.replace("branch: [main]", "os: [linux]")
  const own = talking({ rules: { "whole.md": whole, ...Object.fromEntries(files) } })
  await own.request(BUILD)
  expect(own.newStates()).toEqual([
    [
      "whole transient, by os and agent, at 1000, tokens 2, request 1",
      ...Array.from({ length: 50 }, (_, at) => `p${at + 10} in part: agent`),
    ],
  ])
})

test("the state names a nested folder whose rules are found, also where none of them matches", async () => {
  const own = talking({ rules: { "a.md": "Text." }, nested: { web: { "w.md": "---\nkeywords: [css]\n---\nText." } } })
  await own.request(BUILD)
  await own.file("read", "a.ts", "x")
  const [before] = own.states
  expect([own.states.length, before?.nested]).toEqual([1, undefined])
  await own.file("read", "web/a.ts", "x")
  const after = own.states.at(-1)
  expect([own.states.length, after?.nested]).toEqual([2, ["web"]])
  expect(after?.snapshot).not.toBe(before?.snapshot ?? "")
  expect(after?.rules).toEqual(before?.rules ?? [])
})

describe("what rules are compared with", () => {
  test("a project's tag that comes within a turn counts in the next request", async () => {
    let tags = new Set<string>()
    const own = talking({
      rules: { "node.md": "---\nproject: [node]\n---\nText." },
      facts: { project: async () => tags },
    })
    expect(await own.request(BUILD)).toEqual([])
    tags = new Set(["node"])
    await own.call("bash")
    expect(own.newReceipts().filter((line) => line.includes("matched"))).toEqual([])
    expect(await own.request()).toEqual(["m2: node"])
  })

  test("with the same facts no condition is looked at again", async () => {
    let looks = 0
    const tags = Object.assign(new Set<string>(), {
      *[Symbol.iterator]() {
        looks += 1
        yield "go"
      },
    })
    const rules = { "node.md": "---\nproject: [node]\n---\nText.", "a.md": "Text." }
    const own = talking({ rules, facts: { project: async () => tags }, trace: undefined, receipts: undefined })
    await own.request(BUILD)
    expect(looks).toBe(1)
    await own.file("read", "a.rs", "x")
    await own.request()
    expect(looks).toBe(1)
    await own.request({ prompt: "on" })
    expect(looks).toBe(2)
  })

  test("what is observed outside of a call counts at the next safe point", async () => {
    const own = talking({ rules: RULES })
    await own.request(BUILD)
    own.newReceipts()
    await own.engine.observed(SESSION, [{ path: "a.rs", tool: "read", content: "x" }])
    await own.engine.safePoint(SESSION)
    expect(own.newReceipts()).toEqual(["1 matched rust by file a.rs", "1 store always rust stored"])
    expect(own.newStates().map((state) => state.find((line) => line.startsWith("rust")))).toEqual([
      undefined,
      "rust pending, by a.rs, at 1000",
      "rust delivered, by a.rs, at 1000",
    ])
  })

  test("a transient rule comes and goes with its facts; what made it match first stays, and it can become durable", async () => {
    const rules = {
      "any.md": "---\nagent: [build]\nkeywords: [ffi]\n---\nText.",
      "plan.md": "---\nagent: [plan]\n---\nText.",
    }
    const own = talking({ rules })
    for (const agent of ["build", "plan", "build"]) {
      await own.request({ ...BUILD, agent })
      own.clock.now += 1_000
    }
    const plan = "plan transient, by agent, at 2000, tokens 2, request 2"
    expect(own.newStates()).toEqual([
      ["any transient, by agent, at 1000, tokens 2, request 1"],
      [plan],
      ["any transient, by agent, at 1000, tokens 2, request 3"],
    ])
    own.newReceipts()
    await own.request({ prompt: "ffi" })
    expect(own.newReceipts().slice(1)).toEqual([
      "4 request prompted",
      "4 matched any by keywords and agent build",
      "4 delivered any request matched 1",
      "4 transient any off matched",
    ])
  })

  test("requests without a message are never the same once more", async () => {
    const own = talking({ rules: { "a.md": "Text." } })
    for (const _ of [1, 2]) await own.engine.dispatch(SESSION, shown([]), BUILD)
    expect(own.traces.map(({ number }) => number)).toEqual([1, 2])
  })

  test("a state follows on a rule that blocked a call once more", async () => {
    const rules = { "no.md": "---\nhooks: [{ type: PreToolUse, tool: bash, block: true }]\n---\nText." }
    const own = talking({ rules })
    await own.request(BUILD)
    expect(own.newStates()).toEqual([[]])
    for (const _ of [1, 2]) {
      await own.call("bash")
      await own.engine.safePoint(SESSION)
    }
    expect(own.newStates().map(([line]) => line?.replace(", by bash call, at 1000", ""))).toEqual([
      "no pending, blocked 1",
      "no delivered, blocked 1",
      "no delivered, blocked 2",
    ])
  })
})
