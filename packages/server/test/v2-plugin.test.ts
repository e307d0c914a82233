import { expect, test } from "bun:test"
import { join } from "node:path"
import { setup } from "../src/index.ts"
import { counts, isComplaint } from "./support/dispatches.ts"
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
  expect(host.log.filter((line) => line.includes("the plugin failed in a hook"))).toHaveLength(2)
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

test("a warning is in the plugin's own log, and what is not of a rule file in the sidebar's state too", async () => {
  await using host = await startV2Host({ rules: { "bad.md": "---\nglobs: 5\n---\nText." }, pluginOptions: { nope: 1 } })
  const session = host.session()
  await session.prompt("hello", ["done"])
  const warnings = host.log.filter((line) => line.startsWith("warn "))
  expect(warnings).toHaveLength(2)
  expect((await session.state())?.notices).toEqual([warnings.find((line) => line.includes("nope"))?.slice(5) ?? ""])
})
