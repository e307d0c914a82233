import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import recorded from "../../../test/recordings/opencode-2-preview/execute-before.json"
import { type Reply, type Rule, startV2Host, type V2HostOptions } from "../../../test/support/v2-host.ts"

let directory = ""
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "guard-v2-"))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

function shellRules(...rules: readonly (readonly [resource: string, effect: Rule["effect"]])[]): readonly Rule[] {
  return rules.map(([resource, effect]) => ({ action: "shell", resource, effect }))
}

const asking = shellRules(["*", "ask"], ["cat *", "allow"], ["git *", "allow"], ["rm *", "deny"])

function start(options: Partial<V2HostOptions> = {}) {
  return startV2Host({ directory, agents: { build: asking }, answer: () => "once", ...options })
}

describe("a shell call", () => {
  test("that is allowed runs, with no dialog", async () => {
    const host = await start()
    expect(await host.shell("cat a && git status", { sees: ["cat a", "git status"] })).toEqual({
      ran: true,
      text: "",
      dialogs: 0,
    })
  })

  test("that is denied never runs, whatever the host sees of it; the model reads the pattern", async () => {
    const host = await start()
    const rows = [
      ["git status && rm keep.txt", ["git status", "rm keep.txt"]],
      ["eval 'rm keep.txt'", ["eval 'rm keep.txt'"]],
      ["cat $(rm keep.txt)", ["cat $(rm keep.txt)", "rm keep.txt"]],
      ["x=$(rm keep.txt)", []],
      ["\\rm keep.txt", ["\\rm keep.txt"]],
    ] as const
    for (const [command, sees] of rows) {
      const outcome = await host.shell(command, { sees })
      expect([command, outcome.ran, outcome.dialogs]).toEqual([command, false, 0])
      expect(outcome.text).toContain("is forbidden by the bash permission pattern `rm *`")
    }
    expect((await host.shell("cat a && (")).text).toContain("cannot be parsed")
  })

  test("that asks raises one dialog, with the reason in one line, also where the host would not ask", async () => {
    const messages: (string | undefined)[] = []
    const host = await start({
      agents: { build: [...asking, ...shellRules(["eval *", "allow"])] },
      answer: ({ message }) => {
        messages.push(message)
        return "once"
      },
    })
    expect(await host.shell("npm test")).toMatchObject({ ran: true, dialogs: 1 })
    expect(await host.shell("eval 'npm test'")).toMatchObject({ ran: true, dialogs: 1 })
    expect(messages).toEqual(["`npm test`: the bash pattern `*`", "`npm test`: the bash pattern `*`"])
  })

  test("that a person declines does not run", async () => {
    const host = await start({
      agents: { build: [...asking, ...shellRules(["eval *", "allow"])] },
      answer: () => "reject",
    })
    expect(await host.shell("eval 'npm test'")).toMatchObject({ ran: false })
  })

  test("that is a complex one-liner goes back", async () => {
    mkdirSync(join(directory, ".opencode"))
    writeFileSync(join(directory, ".opencode/opencode-bash-guard.jsonc"), '{"restructure":{"enabled":true}}')
    const host = await start()
    const outcome = await host.shell("a; b; c; d", { sees: ["a", "b", "c", "d"] })
    expect(outcome).toMatchObject({ ran: false, dialogs: 0 })
    expect(outcome.text).toContain("4 commands on one line (limit 3)")
  })
})

describe("whose rules", () => {
  test("the config's agents have theirs, though they come after the plugin was set up", async () => {
    const host = await start({
      agents: { build: asking, mine: shellRules(["*", "allow"], ["git *", "deny"]), free: [] },
    })
    expect(await host.shell("eval 'npm test'", { agent: "mine" })).toMatchObject({ ran: true, dialogs: 0 })
    expect((await host.shell("eval 'git status'", { agent: "mine" })).text).toContain("pattern `git *`")
    expect(await host.shell("eval 'rm x'", { agent: "free" })).toMatchObject({ ran: true, dialogs: 0 })
    await host.shell("eval 'rm x'", { agent: "free" })
    expect(host.warnings).toEqual([expect.stringContaining('off for the agent "free"')])
  })

  test("the session's come last; an action may be a wildcard", async () => {
    const host = await start({
      agents: { build: [{ action: "sh*", resource: "*", effect: "ask" }, ...shellRules(["eval *", "allow"])] },
      sessionRules: { ses_1: shellRules(["npm *", "deny"]) },
    })
    expect((await host.shell("eval 'npm test'")).text).toContain("pattern `npm *`")
    expect(await host.shell("eval 'npm test'", { sessionID: "ses_2" })).toMatchObject({ ran: true, dialogs: 1 })
  })

  test("an agent that the host does not know is refused", async () => {
    const host = await start()
    const outcome = await host.shell("cat a", { agent: "other" })
    expect(outcome).toMatchObject({ ran: false, dialogs: 0 })
    expect(outcome.text).toContain('permissions of the agent "other"')
  })

  test("folders are the location's: the process works elsewhere", async () => {
    const rules = [...asking, { action: "external_directory", resource: "*", effect: "ask" }] as const
    const host = await start({ agents: { build: [...rules, { action: "edit", resource: "*.lock", effect: "deny" }] } })
    expect(await host.shell(`cat ${directory}/a`)).toMatchObject({ ran: true, dialogs: 0 })
    expect(await host.shell("cat /etc/hosts")).toMatchObject({ ran: true, dialogs: 1 })
    expect(await host.shell("cat ../etc", { workdir: "sub" })).toMatchObject({ ran: true, dialogs: 0 })
    expect((await host.shell("cat a > x.lock", { sees: ["cat a > x.lock"] })).text).toContain("pattern `*.lock`")
  })
})

describe("what the host asks by itself", () => {
  const rules: readonly Rule[] = [
    ...asking,
    ...shellRules(["cd *", "allow"]),
    { action: "external_directory", resource: "*", effect: "ask" },
  ]

  test("a folder that it has asked about is not asked about again", async () => {
    const host = await start({ agents: { build: rules } })
    const outcome = await host.shell("cd /etc && cat hosts", { sees: ["cat hosts"], folders: ["/etc/*"] })
    expect(outcome).toMatchObject({ ran: true, dialogs: 1 })
    expect(await host.shell("cd /etc", { sees: [], folders: ["/etc/*"] })).toMatchObject({ ran: true, dialogs: 1 })
  })

  test("a call in which it sees no command runs as without the guard, or is refused when more is in it", async () => {
    const host = await start()
    expect(await host.shell("export A=1", { sees: [] })).toMatchObject({ ran: true, dialogs: 0 })
    expect(await host.shell("[ -d src ]", { sees: [] })).toMatchObject({ ran: true, dialogs: 0 })
    const substitution = "export A=$(npm test)"
    expect(await host.shell(substitution, { sees: ["npm test"] })).toMatchObject({ ran: true, dialogs: 1 })
    const rules = [...asking, { action: "external_directory", resource: "*", effect: "ask" }] as const
    const other = await start({ agents: { build: rules } })
    expect(await other.shell("cd /etc", { sees: [] })).toMatchObject({ ran: true, dialogs: 0 })
    expect(await other.shell("cd /etc; [ -d x ]", { sees: [] })).toMatchObject({ ran: false, dialogs: 0 })
    const hidden = await host.shell("export PATH; [[ -v 'a[$(npm test)]' ]]", { sees: [] })
    expect(hidden).toMatchObject({ ran: false, dialogs: 0 })
    expect(hidden.text).toContain("asks about no command in it")
  })
})

describe("an always answer", () => {
  test("is worth what it is without the plugin, also for what the host does not see", async () => {
    let reply: Reply = "always"
    const host = await start({ answer: () => reply })
    expect(await host.shell("npm test -- a")).toMatchObject({ ran: true, dialogs: 1 })
    expect(await host.shell("npm test -- b")).toMatchObject({ ran: true, dialogs: 0 })
    expect(await host.shell("timeout 5 deploy a")).toMatchObject({ ran: true, dialogs: 1 })
    await host.drained()
    expect(await host.shell("timeout 9 deploy b")).toMatchObject({ ran: true, dialogs: 0 })
    reply = "reject"
    expect(await host.shell("timeout 9 other")).toMatchObject({ ran: false })
    expect((await host.shell("timeout 9 rm x")).text).toContain("pattern `rm *`")
  })

  test("holds for that very command where something is only known when it runs", async () => {
    const host = await start({ answer: () => "always" })
    expect(await host.shell("cat a; $x b", { sees: ["cat a", "$x b"] })).toMatchObject({ dialogs: 1 })
    await host.drained()
    expect(await host.shell("cat a; $x b", { sees: ["cat a", "$x b"] })).toMatchObject({ ran: true, dialogs: 0 })
    expect(await host.shell("cat a; $x c", { sees: ["cat a", "$x c"] })).toMatchObject({ dialogs: 1 })
    expect(await host.shell("cat a; $x b", { sees: ["cat a", "$x b"], workdir: "sub" })).toMatchObject({ dialogs: 1 })
  })

  test("answers open dialogs that it covers, the guard's own too", async () => {
    const host = await start({ answer: undefined as never })
    const all = ["timeout 5 deploy a", "timeout 6 deploy b", "npm test"].map((command) => host.shell(command))
    for (let turn = 0; turn < 1000 && host.open().length < 3; turn += 1) await Promise.resolve()
    const [first] = host.open()
    await host.answer(first?.id ?? "", "always")
    expect(await Promise.all(all.slice(0, 2))).toMatchObject([{ ran: true }, { ran: true }])
    expect(host.open().map(({ resources }) => resources)).toEqual([["npm test"]])
    await host.answer(host.open()[0]?.id ?? "", "once")
    expect(await all[2]).toMatchObject({ ran: true })
  })

  test("of a session elsewhere on the server approves nothing here", async () => {
    const host = await start({ agents: { build: [...asking, ...shellRules(["eval *", "allow"])] } })
    await host.shell("npm test")
    for (const sessionID of ["ses_elsewhere", "ses_1"]) {
      const source = { type: "tool", messageID: "msg_9", id: "call_9" }
      const dialog = { id: "per_9", sessionID, action: "shell", resources: ["deploy"], save: ["deploy *"], source }
      host.publish({ type: "permission.asked", data: dialog })
      host.publish({ type: "permission.replied", data: { sessionID, requestID: "per_9", reply: "always" } })
      await host.drained()
      expect(await host.shell("eval deploy")).toMatchObject({ ran: true, dialogs: sessionID === "ses_1" ? 0 : 1 })
    }
  })
})

test("calls inside of Code Mode share an id: each that must be asked about is", async () => {
  const host = await start({ agents: { build: [...asking, ...shellRules(["eval *", "allow"])] } })
  const id = "call_execute"
  expect(await host.shell("cat a", { id })).toMatchObject({ ran: true, dialogs: 0 })
  expect(await host.shell("eval 'npm test'", { id })).toMatchObject({ ran: true, dialogs: 1 })
  expect(await host.shell("cat b", { id })).toMatchObject({ ran: true, dialogs: 0 })
  expect(await host.shell("eval 'deploy'", { id })).toMatchObject({ ran: true, dialogs: 1 })
})

test("recorded calls of other tools on a preview, and odd input, pass", async () => {
  const host = await start()
  for (const { event } of recorded.filter((record) => record.event.tool !== "shell")) {
    const copy = structuredClone(event)
    await host.before(copy)
    expect(copy).toEqual(event)
  }
  for (const input of [undefined, null, "x", {}, { command: 3 }]) await host.before({ tool: "shell", input })
})

describe("a host on which the guard can't work", () => {
  for (const [name, without] of [
    ["no permission hook", { permission: undefined as never }],
    ["a permission domain without hooks", { permission: {} }],
    ["no agents", { agent: undefined as never }],
  ] as const) {
    test(`${name}: it says so in the log and to the model, once`, async () => {
      const host = await start({ without })
      expect(host.warnings).toEqual([expect.stringContaining("bash-guard is off")])
      const first = await host.shell("cat a")
      expect(first.ran).toBe(false)
      expect(first.text).toContain("bash-guard is off")
      expect(first.text).toContain("Tell the user")
      expect(await host.shell("cat a")).toMatchObject({ ran: true })
    })
  }

  test("a host without tool hooks, as OpenCode 1's own `setup` is, hears nothing", async () => {
    expect((await start({ without: { tool: undefined as never } })).warnings).toEqual([])
  })
})

test("at the first shell call, patterns without effect and failed cases are one warning each", async () => {
  mkdirSync(join(directory, ".opencode"))
  const cases =
    '{ "cases": [{ "action": "deny", "match": ["rm x", "dd x"] }, { "action": "ask", "agent": "own", "match": ["a"] }] }'
  writeFileSync(join(directory, ".opencode/opencode-bash-guard.jsonc"), cases)
  const build = shellRules(["rm *", "deny"], ["*", "allow"], ["dd *", "deny"])
  const host = await start({ agents: { build, own: shellRules(["*", "ask"]) } })
  expect(host.warnings).toEqual([])
  await host.shell("cat a")
  await host.shell("cat b")
  expect(host.warnings).toEqual([
    expect.stringContaining("`rm *` (deny) has no effect, because `*` (allow) stands behind it"),
    expect.stringContaining('the case `rm x` must end in "deny"; got: allow'),
  ])
})

test("at the first shell call of each agent, its own patterns without effect are warnings; there need be no cases", async () => {
  const dead = (name: string) => shellRules([`${name} *`, "deny"], ["*", "allow"], ["x *", "deny"])
  const host = await start({ agents: { build: dead("rm"), own: dead("dd") } })
  await host.shell("cat a", { agent: "own" })
  expect(host.warnings).toEqual([expect.stringContaining("`dd *` (deny) has no effect")])
  await host.shell("cat a")
  expect(host.warnings).toEqual([expect.anything(), expect.stringContaining("`rm *` (deny) has no effect")])
})

test("the cleanup ends the subscription to events", async () => {
  const host = await start()
  expect(host.isFollowed()).toBe(true)
  host.end()
  expect(host.isFollowed()).toBe(false)
})
