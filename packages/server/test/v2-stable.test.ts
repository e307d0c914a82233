import { describe, expect, test } from "bun:test"
import { count, counts, expectExtending, isComplaint } from "./support/dispatches.ts"
import { startV2Host } from "./support/v2-host.ts"
import { quiet } from "./support/v2-session.ts"
import { readResult, v2Tools } from "./support/v2-tools.ts"

// What the stable line of OpenCode v2 does otherwise than July's preview; docs/opencode-2.md says where it was read.

const { read, shell, tool, write } = v2Tools
const RULES = {
  "deploy.md": "---\nkeywords: [deploy]\n---\nRule for deploys.",
  "rust.md": '---\nglobs: "*.rs"\n---\nRule for Rust.',
  "unsafe.md": '---\nfileContains: "unsafe {"\n---\nRule for unsafe.',
}
const DEPLOY = "Rule for deploys."
const RUST = "Rule for Rust."
const UNSAFE = "Rule for unsafe."

const containing = (literal: string) => ({
  "a.md": `---\nfileContains: ${JSON.stringify(literal)}\n---\nRule on text.`,
})

describe("what Read shows", () => {
  test.each<[literal: string, met: 0 | 1]>([
    ["fn b() {\n  unsafe", 1],
    ["2: ", 0],
    ["Read file", 0],
    ["fn a() {}", 1],
    ["unsafe { }\n}\n", 1],
  ])("the file's text counts, line numbers and heading don't: %p", async (literal, met) => {
    await using host = await startV2Host({ rules: containing(literal) })
    const step = read(host, "src/a.rs", "fn a() {}\nfn b() {\n  unsafe { }\n}\n")
    expect(counts(await host.session().prompt("go", [step, "done"]), "Rule on text.")).toEqual([0, met])
  })

  test("the same where the record is missing", async () => {
    for (const [literal, met] of [
      ["two\nthree", 1],
      ["3: ", 0],
    ] as const) {
      await using host = await startV2Host({ rules: containing(literal) })
      const text = "Read file a.rs, lines 2-3\n2: two\n3: three"
      const step = { ...tool("read", { path: "a.rs" }, text), structured: undefined }
      expect(counts(await host.session().prompt("go", [step, "done"]), "Rule on text.")).toEqual([0, met])
    }
  })

  test("a line that only ends like one that the host cut is the file's own", async () => {
    await using host = await startV2Host({ rules: containing("truncated to 2000 chars)\nnext") })
    const text = "note... (line truncated to 2000 chars)\nnext"
    expect(counts(await host.session().prompt("go", [read(host, "a.rs", text), "done"]), "Rule on text.")).toEqual([
      0, 1,
    ])
  })

  test("a directory is not a file, and neither is one whose entries are named like one", async () => {
    await using host = await startV2Host({ rules: RULES })
    const listing = readResult("src.rs", {
      type: "list-page",
      entries: [{ path: "unsafe {", type: "file" }],
      truncated: false,
    })
    const turn = await host.session().prompt("go", [listing, "done"])
    for (const rule of [RUST, UNSAFE]) expect(counts(turn, rule)).toEqual([0, 0])
  })

  test("nothing matches across a line that the host cut, or in its note", async () => {
    const line = `${"x".repeat(2_000)}... (line truncated to 2000 chars)`
    for (const [literal, met] of [
      ["x\nnext", 0],
      ["truncated", 0],
      ["next", 1],
    ] as const) {
      await using host = await startV2Host({ rules: containing(literal) })
      const turn = await host.session().prompt("go", [read(host, "a.rs", `${line}\nnext`), "done"])
      expect(counts(turn, "Rule on text.")).toEqual([0, met])
    }
  })
})

describe("a long Read that the host cuts before the model sees it", () => {
  const lines = Array.from({ length: 900 }, (_, index) => `line ${index + 1} ${"y".repeat(40)}`)
  lines[9] = "near the beginning"
  lines[449] = "in the middle"
  lines[899] = "at the end"
  const text = lines.join("\n")
  const numbered = lines.map((line, index) => `${index + 1}: ${line}`)
  const cuts: readonly [string, shown: unknown, line?: "preview"][] = [
    ["numbered", { type: "text", value: [...numbered.slice(0, 100), "[… cut …]", ...numbered.slice(-100)].join("\n") }],
    [
      "in parts",
      {
        type: "content",
        value: [numbered.slice(0, 100), ["[cut]", ...numbered.slice(-100)]].map((part) => ({
          type: "text",
          text: part.join("\n"),
        })),
      },
    ],
    [
      "plain",
      { type: "text", value: [...lines.slice(0, 100), "[… cut …]", ...lines.slice(-100)].join("\n") },
      "preview",
    ],
    [
      "JSON",
      {
        type: "text",
        value: JSON.stringify({
          uri: "x",
          content: [...lines.slice(0, 100), "[cut]", ...lines.slice(-100)].join("\n"),
          encoding: "utf8",
        }),
      },
      "preview",
    ],
  ]
  const literals: readonly [string, 0 | 1][] = [
    ["near the beginning", 1],
    ["in the middle", 0],
    ["at the end", 1],
    ["cut", 0],
  ]
  for (const [form, shown, line] of cuts) {
    for (const [literal, met] of literals) {
      test(`${form}: ${literal}`, async () => {
        await using host = await startV2Host({ rules: containing(literal), line: line ?? "stable" })
        const session = host.session()
        const turn = await session.prompt("go", [{ ...read(host, "a.rs", text), shown }, shell("ls"), "done"])
        expect(counts(turn, "Rule on text.")).toEqual([0, met, met])
        expect(session.storedWith("Rule on text.")).toHaveLength(met)
      })
    }
  }

  test.each(["stable", "preview"] as const)("%s: shown whole, all of it counts", async (line) => {
    await using host = await startV2Host({ rules: containing("in the middle"), line })
    const turn = await host.session().prompt("go", [read(host, "a.rs", text), "done"])
    expect(counts(turn, "Rule on text.")).toEqual([0, 1])
  })

  test.each([
    ["near the beginning", 1],
    ["in the middle", 0],
  ] as const)("a dispatch that has no result of it: what the event shows counts: %s", async (literal, met) => {
    await using host = await startV2Host({ rules: containing(literal) })
    const session = host.session()
    await session.prompt("go", ["done"])
    const event = { tool: "read", sessionID: session.id, id: "call_gone", input: { path: "a.rs" } }
    const content = [{ type: "text", text: numbered.slice(0, 100).join("\n") }]
    const result = { output: { type: "file", content: text, encoding: "utf8" }, content }
    await host.fire("tool.execute.after", { ...event, status: "completed", result })
    expect(counts([await session.dispatch()], "Rule on text.")).toEqual([met])
  })

  test("a short one that an event shows in part counts in part", async () => {
    for (const [literal, met] of [
      ["one\ntwo", 1],
      ["three", 0],
    ] as const) {
      await using host = await startV2Host({ rules: containing(literal) })
      const session = host.session()
      const event = { tool: "read", sessionID: session.id, id: "call_cut", input: { path: "a.rs" } }
      const content = [{ type: "text", text: "Read file a.rs, lines 1-3\n1: one\n2: two\n[… cut …]" }]
      const result = { output: { type: "file", content: "one\ntwo\nthree\n", encoding: "utf8" }, content }
      await session.prompt("go", ["done"])
      await host.fire("tool.execute.after", { ...event, status: "completed", result })
      expect(counts([await session.dispatch()], "Rule on text.")).toEqual([met])
    }
  })

  test("its path counts at once", async () => {
    await using host = await startV2Host({ rules: RULES })
    const session = host.session()
    await session.prompt("go", [{ ...read(host, "a.rs", text), shown: { type: "text", value: "cut" } }, "done"])
    expect(session.storedWith(RUST)).toHaveLength(1)
  })
})

describe("what was taken and vanishes before a dispatch has shown it is stored anew", () => {
  test("an input that is taken out of the inbox", async () => {
    await using host = await startV2Host({ rules: RULES })
    const session = host.session()
    await session.prompt("go", [{ kind: "interrupt", calls: [write("a.rs", "x")] }])
    session.cancel(session.inbox[0]?.id ?? "")
    await quiet()
    expect((await session.prompt("go on", [shell("ls"), "done"])).map((dispatch) => count(dispatch, RUST))).toEqual([
      1, 1,
    ])
    expect(session.storedWith(RUST)).toHaveLength(1)
    expect(host.prompts).toHaveLength(2)
  })

  test("a revert, which takes what came into the inbox behind its boundary", async () => {
    await using host = await startV2Host({ rules: RULES })
    const session = host.session()
    await session.prompt("hello", ["done"])
    await session.prompt("go", [{ kind: "interrupt", calls: [write("a.rs", "x")] }])
    session.revert(1)
    expect(counts(await session.prompt("something else", [shell("ls"), shell("ls"), "done"]), RUST)).toEqual([1, 1, 1])
    expect(session.storedWith(RUST)).toHaveLength(1)
    expect(host.prompts).toHaveLength(2)
  })
})

describe("forks", () => {
  test("a fork of a fork delivers nothing anew", async () => {
    await using host = await startV2Host({ rules: RULES })
    const session = host.session()
    await session.prompt("deploy", [write("a.rs", "x"), "done"])
    const fork = session.fork().fork()
    const turn = await fork.prompt("more", [shell("ls"), "done"])
    for (const rule of [RUST, DEPLOY]) {
      expect(counts(turn, rule)).toEqual([1, 1])
      expect(fork.storedWith(rule)).toHaveLength(1)
    }
    expect(host.prompts.filter(({ sessionID }) => sessionID === fork.id)).toEqual([])
  })

  test.each([
    ["wrapped", async (stored: readonly unknown[]) => ({ data: stored })],
    ["by parts of a message", async (stored: readonly unknown[]) => stored.map((info) => ({ info, parts: [] }))],
  ])("the host may answer otherwise: %s", async (_, contextAnswer) => {
    await using host = await startV2Host({ rules: RULES, contextAnswer })
    const session = host.session()
    await session.prompt("deploy", [write("a.rs", "x"), "done"])
    const fork = session.fork()
    expect(counts(await fork.prompt("more", [shell("ls"), "done"]), RUST)).toEqual([1, 1])
    expect(fork.storedWith(RUST)).toHaveLength(1)
  })

  test("a host that can't tell is asked again, and not for ever", async () => {
    let questions = 0
    const contextAnswer = async () => {
      questions++
      throw new Error("the database is locked")
    }
    await using host = await startV2Host({ rules: RULES, contextAnswer })
    const session = host.session()
    await session.prompt("deploy", [write("a.rs", "x"), "done"])
    const steps = [shell("ls"), shell("ls"), shell("ls"), shell("ls"), "done"]
    await session.fork().prompt("more", steps)
    expect(questions).toBe(3)
  })

  test("a message whose type the host does not tell is not taken for the user's", async () => {
    const contextAnswer = async (stored: readonly unknown[]) =>
      stored.map((message) => ({ ...(message as object), type: undefined }))
    await using host = await startV2Host({ rules: RULES, contextAnswer })
    const session = host.session()
    await session.prompt("hello", [write("a.rs", "x"), "done"])
    session.shellOutput("The following shell command was executed by the user: deploy")
    const [dispatch] = await session.fork().prompt("more", ["done"])
    expect(count(dispatch, RUST)).toBe(1)
    expect(count(dispatch, DEPLOY)).toBe(0)
  })

  test("a host that has answered is not asked again", async () => {
    let questions = 0
    const contextAnswer = async (stored: readonly unknown[]) => {
      questions++
      return stored
    }
    await using host = await startV2Host({ rules: RULES, contextAnswer })
    const session = host.session()
    for (const id of ["msg_x", "msg_y"]) {
      const messages = [{ id, role: "user", content: [{ type: "text", text: "from nowhere" }] }]
      await host.fire("session.context", { sessionID: session.id, messages, tools: {} })
    }
    expect(questions).toBe(1)
  })

  test("a session that began under the plugin's eyes is not asked for", async () => {
    let questions = 0
    const contextAnswer = async (stored: readonly unknown[]) => {
      questions++
      return stored
    }
    await using host = await startV2Host({ rules: RULES, contextAnswer })
    await host.session().prompt("deploy", [write("a.rs", "x"), "done"])
    expect(questions).toBe(0)
  })
})

test("many rules at once: no id is longer than the host takes, and each rule is there once", async () => {
  const names = Array.from({ length: 30 }, (_, index) => `r${index}`)
  const rules = Object.fromEntries(names.map((name) => [`${name}.md`, `---\nglobs: "*.rs"\n---\nText of ${name}.`]))
  await using host = await startV2Host({ rules })
  const session = host.session()
  const turn = await session.prompt("go", [write("a.rs", "x"), shell("ls"), "done"])
  for (const name of names) expect(counts(turn, `Text of ${name}.`)).toEqual([0, 1, 1])
  expect(host.prompts).toHaveLength(3)
  await host.restart()
  const next = await session.prompt("more", [shell("ls"), "done"])
  for (const name of names) expect(counts(next, `Text of ${name}.`)).toEqual([1, 1])
  expect(host.prompts).toHaveLength(3)
})

describe("what is not the user's prompt", () => {
  test("the output of a command and a skill's text, before the first prompt", async () => {
    for (const line of ["stable", "preview"] as const) {
      await using host = await startV2Host({ rules: RULES, line })
      const session = host.session()
      session.shellOutput("The following shell command was executed by the user: deploy")
      session.skill("How to deploy")
      expect(counts(await session.prompt("hello", [shell("ls"), "done"]), DEPLOY)).toEqual([0, 0])
    }
  })

  test("the output of a command that comes with metadata", async () => {
    await using host = await startV2Host({ rules: RULES })
    const session = host.session()
    await session.prompt("hello", ["done"])
    session.shellOutput("The following shell command was executed by the user: deploy", { background: false })
    await quiet()
    expect(counts([await session.dispatch()], DEPLOY)).toEqual([0])
  })

  test("instructions that the host finds, of which it tells: nothing is asked", async () => {
    let questions = 0
    const contextAnswer = async (stored: readonly unknown[]) => {
      questions++
      return stored
    }
    await using host = await startV2Host({ rules: RULES, contextAnswer })
    const found = { ...read(host, "sub/a.ts", "x"), instructions: "Instructions: deploy with care." }
    const turn = await host.session().prompt("look", [found, { ...shell("ls"), during: quiet }, "done"])
    expect(counts(turn, DEPLOY)).toEqual([0, 0, 0])
    expect(questions).toBeLessThanOrEqual(1)
  })

  test("a turn that the host begins without a prompt of its own", async () => {
    await using host = await startV2Host({ rules: RULES })
    const session = host.session()
    session.skill("How to deploy")
    expect(counts([await session.dispatch()], DEPLOY)).toEqual([0])
  })
})

describe("tools", () => {
  const offering = (name: string) => ({ "a.md": `---\ntools: [${name}]\n---\nRule of a tool.` })
  const servers = async () => ({
    data: [
      { name: "github", status: { status: "connected" } },
      { name: "jira", status: { status: "failed", error: "no" } },
    ],
  })
  const tools = async () => ({
    data: [
      { name: "create_issue", id: "github_create_issue", options: { namespace: "github" } },
      { name: "patch", options: { codemode: false } },
    ],
  })
  test.each<[name: string, offered: string[], met: 0 | 1]>([
    ["mcp_github", ["read", "execute"], 1],
    ["mcp_jira", ["read", "execute"], 0],
    ["github_create_issue", ["read", "execute"], 1],
    ["github_create_issue", ["read"], 0],
    ["patch", ["read", "execute"], 0],
    ["read", ["read"], 1],
  ])("%s of %p", async (name, offered, met) => {
    await using host = await startV2Host({ rules: offering(name), tools: offered, mcpList: servers, toolList: tools })
    expect(counts(await host.session().prompt("go", ["done"]), "Rule of a tool.")).toEqual([met])
  })

  test("a host that fails to list them tells what it offers", async () => {
    const failing = () => Promise.reject(new Error("no"))
    await using host = await startV2Host({ rules: offering("read"), mcpList: failing, toolList: failing })
    expect(counts(await host.session().prompt("go", ["done"]), "Rule of a tool.")).toEqual([1])
  })
})

describe("compaction", () => {
  test("the working context is a message at the end: what stands before it is as it was", async () => {
    await using host = await startV2Host({ rules: RULES })
    const session = host.session()
    await session.prompt("go", [write("a.rs", "x"), "done"])
    const before = await session.dispatch()
    expect(await session.compact()).toEqual(["Files the session has been working on (paths only):\n- a.rs"])
    expect(session.summaries[0]?.slice(0, before.length)).toEqual([...before])
  })

  test("a rule's text that a checkpoint quotes is no evidence", async () => {
    await using host = await startV2Host({ rules: RULES })
    const session = host.session()
    await session.prompt("go", [write("a.rs", "x"), "done"])
    await session.compact("newest")
    const [dispatch] = await session.prompt("more", ["done"])
    expect(count(dispatch, "[Synthetic context]")).toBe(1)
    expect(count(dispatch, RUST)).toBe(2)
  })
})

describe("blocked calls", () => {
  const blocking = (name: string, match: string) =>
    `---\nname: ${name}\nhooks:\n  - type: PreToolUse\n    tool: shell\n    match: ${match}\n    block: true\n---\nNever ${match}.`
  const rules = { "a.md": blocking("One", "push"), "b.md": blocking("Two", "reset") }

  test("of one step have one text, which tells of each", async () => {
    await using host = await startV2Host({ rules })
    const turn = await host.session().prompt("go", [[shell("push"), shell("reset"), write("x.ts", "x")], "done"])
    const [first, second] = turn.errors
    expect(second).toBe(first ?? "")
    for (const told of ['shell {"command":"push"}', "Never push.", 'shell {"command":"reset"}', "Never reset."])
      expect(first).toContain(told)
  })

  test("that one rule blocked have its text alone, and those of the next step have their own", async () => {
    await using host = await startV2Host({ rules })
    const turn = await host.session().prompt("go", [[shell("push"), shell("push -f")], shell("reset"), "done"])
    const text = (name: string, what: string) => `This call was blocked by the rule "${name}".\n\nNever ${what}.`
    expect(turn.errors).toEqual([text("One", "push"), text("One", "push"), text("Two", "reset")])
  })

  test("in Code Mode end the step none the earlier", async () => {
    await using host = await startV2Host({ rules: { ...rules, ...RULES } })
    const session = host.session()
    const outer = {
      ...tool("execute", { code: "…" }, "ok"),
      inside: [shell("push"), shell("ls")],
      during: () => expect(host.prompts).toEqual([]),
    }
    const turn = await session.prompt("deploy", [outer, "done"])
    expect(counts(turn, DEPLOY)).toEqual([1, 1])
    expect(session.storedWith(DEPLOY)).toHaveLength(1)
  })
})

test("a call in Code Mode that has no end keeps nobody waiting", async () => {
  await using host = await startV2Host({ rules: RULES })
  const session = host.session()
  const outer = {
    ...tool("execute", { code: "…" }, "ok"),
    inside: [{ ...shell("x"), unavailable: true }, write("a.rs", "x")],
  }
  await session.prompt("go", [outer, { kind: "answer", during: () => expect(host.prompts).toHaveLength(1) }])
  expect(session.storedWith(RUST)).toHaveLength(1)
})

describe("no input of the plugin's waits where it would have a request of its own", () => {
  test("a turn that has ended leaves none, so that taking a revert back and going on cost nothing", async () => {
    await using host = await startV2Host({ rules: RULES })
    const session = host.session()
    await session.prompt("deploy", ["done"])
    expect(session.inbox).toEqual([])
    expect(await session.redo()).toEqual([])
    expect(await session.interruptAndResume()).toEqual([])
    expect(counts(await session.prompt("more", ["done"]), DEPLOY)).toEqual([1])
    expect(session.storedWith(DEPLOY)).toHaveLength(1)
    expectExtending(session.dispatches)
  })

  test("nor does one that the plugin saw in part, as after a hot reload", async () => {
    await using host = await startV2Host({ rules: RULES })
    const session = host.session()
    await session.prompt("deploy", [{ ...shell("ls"), during: host.restart }, "done"])
    expect(session.inbox).toEqual([])
  })

  test("nor on a host that calls for each prompt and can't be asked for what it has stored", async () => {
    await using host = await startV2Host({ rules: RULES, hasNoContext: true })
    const session = host.session()
    await session.prompt("deploy", ["done"])
    expect(session.inbox).toEqual([])
    await session.prompt("more", ["done"])
    expect(session.storedWith(DEPLOY)).toHaveLength(1)
  })

  test("a prompt that is queued has one request, as without the plugin", async () => {
    await using host = await startV2Host({ rules: RULES })
    const session = host.session()
    await session.prompt("deploy", ["done"])
    expect(counts(await session.queue("more", ["done"]), DEPLOY)).toEqual([1])
    expect(session.storedWith(DEPLOY)).toEqual([])
  })

  test("a call that ends behind its interrupted turn stores nothing", async () => {
    await using host = await startV2Host({ rules: RULES })
    const session = host.session()
    await session.prompt("hello", [{ kind: "interrupt", calls: [] }])
    const call = { tool: "write", sessionID: session.id, id: "call_late", input: { path: "a.rs", content: "x" } }
    await host.fire("tool.execute.after", { ...call, status: "completed", result: { content: [] } })
    expect(host.prompts).toEqual([])
    expect(counts(await session.prompt("go on", ["done"]), RUST)).toEqual([1])
  })
})

describe("messages without ids, and steps that are repeated", () => {
  test("a message of the system keeps its place, and so does what was inserted", async () => {
    await using host = await startV2Host({ rules: RULES })
    const session = host.session()
    const updating = { ...shell("ls"), during: () => session.updateInstructions("New instructions.") }
    const turn = await session.prompt("deploy", [updating, { kind: "retry" }, shell("ls"), "done"])
    expect(counts(turn, "New instructions.")).toEqual([0, 1, 1, 1])
    expect(counts(turn, DEPLOY)).toEqual([1, 1, 1, 1])
    expectExtending(turn)
    expectExtending(session.dispatches)
  })

  test("a stream that breaks off goes on with the same rules", async () => {
    await using host = await startV2Host({ rules: RULES })
    const session = host.session()
    const turn = await session.prompt("deploy", [write("a.rs", "x"), { kind: "broken" }, { kind: "retry" }, "done"])
    expect(counts(turn, RUST)).toEqual([0, 1, 1, 1])
    expect(counts(turn, DEPLOY)).toEqual([1, 1, 1, 1])
  })
})

describe("one instance for each folder", () => {
  test("sessions of other folders push none of this one's out, with what it has not told yet", async () => {
    await using host = await startV2Host({ rules: containing("the last line"), pluginOptions: { maxSessions: 1 } })
    const session = host.session()
    const busy = () => {
      const item = { type: "user", payload: { text: "deploy" } }
      for (let index = 0; index < 5; index++)
        host.events.emit(
          "session.inbox.enqueued",
          { sessionID: `ses_${index}`, inboxID: "msg_1", item },
          { location: { directory: "/elsewhere" } },
        )
      return quiet()
    }
    const long = read(host, "a.rs", `${"line\n".repeat(300)}the last line`)
    const turn = await session.prompt("hello", [[long, { ...shell("ls"), during: busy, ends: 1 }], "done"])
    expect(counts(turn, "Rule on text.")).toEqual([0, 1])
  })

  test("a session that has moved has the rules of its new folder", async () => {
    await using other = await startV2Host({ rules: { "other.md": "Rule elsewhere." } })
    let directory: string | undefined
    await using host = await startV2Host({ rules: RULES, get: async () => ({ location: { directory } }) })
    directory = host.directory
    const session = host.session()
    expect(counts(await session.prompt("deploy", ["done"]), DEPLOY)).toEqual([1])
    directory = other.directory
    host.events.emit("session.moved", { sessionID: session.id })
    await quiet()
    expect(counts(await session.prompt("more", ["done"]), "Rule elsewhere.")).toEqual([1])
  })

  test("two instances for one folder say nothing of being loaded twice", async () => {
    await using host = await startV2Host({ rules: RULES })
    await using other = await startV2Host({
      rules: RULES,
      get: async () => ({ location: { directory: host.directory } }),
    })
    await host.session().prompt("hello", ["done"])
    await other.session().prompt("hello", ["done"])
    expect([...host.log, ...other.log].filter(isComplaint)).toEqual([])
  })
})

test("a call whose permission another plugin refuses is a failed one, which observes nothing", async () => {
  await using host = await startV2Host({ rules: RULES })
  await host.hook("permission.evaluate", async (event: { action: string; effect: string }) => {
    if (event.action === "write") event.effect = "deny"
  })
  const turn = await host.session().prompt("deploy", [write("a.rs", "unsafe {"), shell("ls"), "done"])
  expect(turn.errors).toEqual(["Permission denied"])
  for (const rule of [RUST, UNSAFE]) expect(counts(turn, rule)).toEqual([0, 0, 0])
  expect(counts(turn, DEPLOY)).toEqual([1, 1, 1])
})

test("a turn that fails is over: what is pending goes ahead of the next prompt, in the same request", async () => {
  await using host = await startV2Host({ rules: RULES })
  const session = host.session()
  expect(counts(await session.prompt("deploy", [{ kind: "fail", calls: [] }]), DEPLOY)).toEqual([1])
  expect(session.storedWith(DEPLOY)).toHaveLength(0)
  expect(counts(await session.prompt("more", ["done"]), DEPLOY)).toEqual([1])
  expect(session.storedWith(DEPLOY)).toHaveLength(1)
})

test("an interruption while deliveries are being stored ends that: what is left is stored with the next prompt", async () => {
  const names = Array.from({ length: 13 }, (_, index) => `r${index + 10}`)
  const rules = Object.fromEntries(names.map((name) => [`${name}.md`, `---\nglobs: "*.rs"\n---\nText of ${name}.`]))
  let interrupt: () => void = () => undefined
  const persist = () => {
    interrupt()
    return quiet()
  }
  await using host = await startV2Host({ rules, persist })
  const session = host.session()
  interrupt = () => host.events.emit("session.execution.interrupted", { sessionID: session.id, reason: "user" })
  await session.prompt("go", [{ kind: "interrupt", calls: [write("a.rs", "x")] }])
  expect(host.prompts).toHaveLength(1)
  interrupt = () => undefined
  const [dispatch] = await session.prompt("go on", ["done"])
  for (const name of names) expect(count(dispatch, `Text of ${name}.`)).toBe(1)
  expect(host.prompts).toHaveLength(2)
})
