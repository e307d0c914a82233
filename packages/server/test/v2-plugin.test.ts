import { expect, test } from "bun:test"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { setupWith } from "../src/hosts/v2/plugin.ts"
import { setup } from "../src/index.ts"
import { counts, isComplaint } from "./support/dispatches.ts"
import { until } from "./support/until.ts"
import { startV2Host } from "./support/v2-host.ts"
import { quiet } from "./support/v2-session.ts"
import { v2Tools } from "./support/v2-tools.ts"

// The plugin's own life on OpenCode v2: set up, reloaded, ended; and what must never leave it.

const { shell, write } = v2Tools
const RULES = {
  "deploy.md": "---\nkeywords: [deploy]\n---\nRule for deploys.",
  "rust.md": '---\nglobs: "*.rs"\n---\nRule for Rust.',
}
const DEPLOY = "Rule for deploys."
const RUST = "Rule for Rust."

test("a hot reload in the middle of a turn delivers nothing twice", async () => {
  await using host = await startV2Host({ rules: RULES })
  const session = host.session()
  const reloading = { ...shell("ls"), during: host.restart }
  const turn = await session.prompt("deploy", [write("a.rs", "x"), reloading, write("b.rs", "x"), "done"])
  for (const rule of [RUST, DEPLOY]) expect(session.storedWith(rule)).toHaveLength(1)
  expect(counts(turn, RUST)).toEqual([0, 1, 1, 1])
  expect(counts(turn, DEPLOY)).toEqual([1, 1, 1, 1])
})

test("a hot reload before anything is stored: the prompt that is still there matches again", async () => {
  await using host = await startV2Host({ rules: RULES })
  const session = host.session()
  const reloading = { ...shell("ls"), during: host.restart }
  const turn = await session.prompt("deploy", [reloading, shell("ls"), "done"])
  expect(counts(turn, DEPLOY)).toEqual([1, 1, 1])
  expect(session.storedWith(DEPLOY)).toHaveLength(1)
})

test("a hot reload while a delivery waits for its step delivers nothing twice", async () => {
  await using host = await startV2Host({ rules: RULES })
  const session = host.session()
  await session.prompt("deploy", ["done"])
  await host.restart()
  expect(counts(await session.prompt("deploy", [shell("ls"), "done"]), DEPLOY)).toEqual([1, 1])
  expect(host.prompts).toHaveLength(1)
})

test("ended, the plugin has no hook and reads no events", async () => {
  await using host = await startV2Host({ rules: RULES })
  await host.stop()
  expect(host.events.subscribers()).toBe(0)
  const session = host.session()
  const turn = await session.prompt("deploy", [write("a.rs", "x"), "done"])
  for (const rule of [RUST, DEPLOY]) expect(counts(turn, rule)).toEqual([0, 0])
  expect(host.prompts).toEqual([])
})

test("ended, it keeps no process alive", async () => {
  const script = join(import.meta.dir, "support/v2-child.ts")
  const child = Bun.spawn([process.execPath, script, "dispose"], { stdout: "pipe", stderr: "pipe" })
  expect(await child.exited).toBe(0)
  expect(await new Response(child.stdout).text()).toBe("set up\n")

  const running = Bun.spawn([process.execPath, script], { stdout: "pipe", stderr: "ignore" })
  await running.stdout.getReader().read()
  expect(running.exitCode).toBeNull()
  running.kill()
  await running.exited
}, 30_000)

test("nothing is thrown out of `context`; the next dispatch is complete", async () => {
  await using host = await startV2Host({ rules: RULES })
  const session = host.session()
  await session.prompt("hello", [write("a.rs", "x"), "done"])
  const broken = {
    sessionID: session.id,
    messages: [{ id: "msg_1", role: "user", metadata: {}, content: [{ type: "text", text: "deploy" }] }],
    get tools(): unknown {
      throw new Error("no tools today")
    },
  }
  await host.fire("session.context", broken)
  await host.fire("session.context", { sessionID: session.id })
  expect(host.log.filter((line) => line.startsWith("error the plugin failed in a hook: "))).toHaveLength(2)
  expect(broken.messages).toHaveLength(1)
  expect(counts(await session.prompt("deploy", ["done"]), RUST)).toEqual([1])
  expect(counts(session.dispatches.slice(-1), DEPLOY)).toEqual([1])
  expect((await session.state())?.notices?.at(-1)).toContain("the plugin failed in a hook")
})

test("a session whose folder the host can't tell is asked for again", async () => {
  let answers = 0
  await using host = await startV2Host({
    rules: RULES,
    line: "preview",
    get: async () => {
      if (answers++ === 0) throw new Error("the database is locked")
      return { location: { directory: host.directory } }
    },
  })
  const session = host.session()
  expect(counts(await session.prompt("deploy", [shell("ls"), "done"]), DEPLOY)).toEqual([0, 1])
})

test("events of all kinds are survived, and a deleted session begins anew", async () => {
  await using host = await startV2Host({ rules: RULES })
  const session = host.session()
  await session.prompt("hello", [write("a.rs", "x"), "done"])
  for (const type of [
    "session.input.admitted",
    "session.input.promoted",
    "session.inbox.enqueued",
    "session.inbox.delivered",
    "session.inbox.cancelled",
    "session.revert.committed",
    "session.execution.succeeded",
    "x",
  ]) {
    for (const data of [{}, { sessionID: session.id }, { sessionID: "ses_unknown", inputID: 5, inboxID: 5 }]) {
      host.events.emit(type, data)
    }
  }
  host.events.emit("session.deleted", { sessionID: session.id })
  expect(counts(await session.prompt("more", ["done"]), RUST)).toEqual([1])
  expect(host.prompts).toHaveLength(1)
  expect(host.log.filter(isComplaint)).toEqual([])
})

test("nothing of a deleted session is kept: one of its id is asked for its folder again", async () => {
  let asked = 0
  await using host = await startV2Host({
    rules: RULES,
    get: async () => {
      asked += 1
      return { location: { directory: host.path("") } }
    },
  })
  const session = host.session()
  await session.prompt("hello", [write("a.rs", "x"), "done"])
  expect(asked).toBe(1)
  host.events.emit("session.deleted", { sessionID: session.id })
  await quiet()
  await session.dispatch()
  expect(asked).toBe(2)
})

test("a warning brings back no state of a deleted session", async () => {
  await using host = await startV2Host({ rules: RULES })
  const session = host.session()
  await session.prompt("hello", ["done"])
  host.events.emit("session.deleted", { sessionID: session.id })
  await quiet()
  await host.fire("session.context", { sessionID: "ses_other" })
  expect(host.log.filter(isComplaint)).toHaveLength(1)
  await host.stop()
  expect(await host.readState(session.id)).toBeUndefined()
})

test("on a host without the hooks, as OpenCode v1's own `setup` is, the plugin does and says nothing", async () => {
  await using host = await startV2Host()
  const dispose = await setup({ options: {}, agent: {}, catalog: {} } as never)
  await dispose()
  expect(host.log.filter(isComplaint)).toEqual([])
})

test("on a host that has one of its hooks only, the plugin does nothing", async () => {
  const lines: string[] = []
  const log = {
    write: (level: string, message: string) => void lines.push(`${level} ${message}`),
    settled: async () => undefined,
  }
  const hook = () => {
    throw new Error("a hook was asked for")
  }
  for (const context of [{ session: { hook } }, { tool: { hook } }, { session: { hook }, tool: { hook: "x" } }]) {
    const dispose = await setupWith(context as never, log)
    await dispose()
  }
  expect(lines).toEqual([])
})

/** A host of hooks and events alone, which notes what it is asked. */
function bareHost(next: () => Promise<IteratorResult<unknown>>) {
  const asked: string[] = []
  const domain = (prefix: string) => ({
    hook: (name: string) => {
      asked.push(`${prefix}.${name}`)
      return prefix === "tool" ? undefined : { dispose: () => void asked.push(`${prefix}.${name} ends`) }
    },
  })
  const iterator = {
    next,
    return: async () => {
      asked.push("events end")
      return { done: true, value: undefined }
    },
  }
  const event = { subscribe: () => ({ [Symbol.asyncIterator]: () => iterator }) }
  const log = {
    write: (level: string, message: string) => void asked.push(`${level} ${message}`),
    settled: async () => void asked.push("log settled"),
  }
  return { asked, start: () => setupWith({ session: domain("session"), tool: domain("tool"), event } as never, log) }
}

test("what was set up ends in the reverse order, also on a host whose hooks can't be ended", async () => {
  const { asked, start } = bareHost(() => new Promise(() => undefined))
  const stop = await start()
  const hooks = ["session.context", "tool.execute.before", "tool.execute.after", "session.prompt", "session.compaction"]
  expect(asked).toEqual(hooks)
  await stop()
  expect(asked.slice(hooks.length)).toEqual([
    ...["session.compaction ends", "session.prompt ends", "events end", "session.context ends", "log settled"],
  ])
})

test("events that end by a failure are one warning, which says what it means", async () => {
  const { asked, start } = bareHost(() => Promise.reject(new Error("the connection was lost")))
  const stop = await start()
  await quiet()
  await stop()
  expect(asked.filter((line) => line.startsWith("warn "))).toEqual([
    "warn OpenCode's events ended (Error: the connection was lost); what a revert takes back may count as delivered until OpenCode is restarted",
  ])
})

test("the plugin's own log is in the folder of the sidebar's states", async () => {
  await using host = await startV2Host({ rules: RULES })
  await host.stop()
  const end = await host.withEnvironment(() => setup(host.context))
  await host.session().prompt("deploy", ["done"])
  const path = join(host.home, ".local/state/opencode/rulebook/opencode-rulebook.log")
  const logged = () => readFile(path, "utf8").catch(() => "")
  await until(async () => (await logged()).endsWith("\n"))
  await end()
  expect(await logged()).toMatch(/^\S+Z INFO version .* is loaded on OpenCode 2 .*\n$/)
})

test("what is on disk of a session that an earlier process has left is removed with it", async () => {
  await using host = await startV2Host({ rules: RULES })
  const [session, other] = [host.session(), host.session()]
  for (const one of [session, other]) await one.prompt("deploy", ["done"])
  expect(await session.receipts()).toBeDefined()
  host.events.emit("session.deleted", { sessionID: session.id })
  await until(async () => (await host.readState(session.id)) === undefined)
  await until(async () => (await host.readReceipts(session.id)) === undefined)
  expect(await host.readState(other.id)).toBeDefined()
})

test("what the host tells of a prompt, by its hook or by an event, goes before what its message holds", async () => {
  await using host = await startV2Host({ rules: RULES })
  const told = {
    hook: (sessionID: string) =>
      host.fire("session.prompt", { sessionID, messageID: "msg_1", prompt: { text: "hello" } }),
    event: async (sessionID: string) => {
      const item = { type: "user", payload: { text: "hello" } }
      host.events.emit(
        "session.inbox.enqueued",
        { sessionID, inboxID: "msg_1", item },
        { location: { directory: host.directory } },
      )
      await quiet()
    },
    nothing: async () => undefined,
  }
  for (const [by, met] of [
    ["hook", 0],
    ["event", 0],
    ["nothing", 1],
  ] as const) {
    const session = host.session()
    await told[by](session.id)
    const messages = [
      {
        id: "msg_1",
        role: "user",
        metadata: {},
        content: [
          { type: "text", text: "hello" },
          { type: "text", text: "deploy" },
        ],
      },
    ]
    await host.fire("session.context", { sessionID: session.id, messages, tools: {} })
    expect([by, JSON.stringify(messages).split(DEPLOY).length - 1]).toEqual([by, met])
  }
})

test("events without a session, and a compaction of one that is not known, change nothing", async () => {
  await using host = await startV2Host({ rules: RULES })
  const events = [{}, { sessionID: 5 }, { sessionID: "ses_unknown" }].map((event) => ({
    ...event,
    messages: [] as unknown[],
  }))
  for (const event of events) {
    await host.fire("session.prompt", event)
    await host.fire("session.compaction", event)
  }
  expect(events.map(({ messages }) => messages)).toEqual([[], [], []])
  expect(host.log).toEqual([])
})

test("a session that comes to rest as the plugin ends is left alone", async () => {
  await using host = await startV2Host({ rules: RULES, line: "preview" })
  const session = host.session()
  const messages = [{ id: "msg_1", role: "user", metadata: {}, content: "deploy" }]
  await host.fire("session.context", { sessionID: session.id, messages, tools: {} })
  host.events.emit("session.execution.succeeded", { sessionID: session.id })
  await host.stop()
  await quiet()
  expect(host.prompts).toEqual([])
})

test("a warning is in the plugin's own log, and what is not of a rule file in the sidebar's state too", async () => {
  await using host = await startV2Host({ rules: { "bad.md": "---\nglobs: 5\n---\nText." }, pluginOptions: { nope: 1 } })
  const session = host.session()
  await session.prompt("hello", ["done"])
  const warnings = host.log.filter((line) => line.startsWith("warn "))
  expect(warnings).toHaveLength(2)
  expect((await session.state())?.notices).toEqual([warnings.find((line) => line.includes("nope"))?.slice(5) ?? ""])
})
