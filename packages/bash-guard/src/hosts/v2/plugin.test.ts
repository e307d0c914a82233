import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import recorded from "../../../test/recordings/opencode-2-preview/execute-before.json"
import { type Reply, type Rule, startV2Host, type V2HostOptions } from "../../../test/support/v2-host.ts"
import type { Evaluation, HostContext } from "./host.ts"
import { setup } from "./plugin.ts"

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
    expect(await host.shell("cat a", { agent: "other" })).toEqual({
      ran: false,
      text: 'Error: Not run: bash-guard could not read the permissions of the agent "other" (Agent not found: other), so the command cannot be checked. Nothing was run.',
      dialogs: 0,
    })
    expect(host.warnings).toEqual([
      "a shell call was refused: the permissions could not be read (Agent not found: other)",
    ])
  })

  const permissions = shellRules(["*", "ask"], ["cat *", "allow"])
  const noAgent = "OpenCode answered without the agent's permissions"
  const noSession = "OpenCode answered without the session's permissions"
  const rows: readonly [name: string, without: Partial<HostContext>, reason: string | undefined][] = [
    ["the agent itself", { agent: { get: async () => ({ permissions }) } }, undefined],
    ["the agent's rules elsewhere", { agent: { get: async () => ({ data: {}, permissions }) } }, noAgent],
    ["no agent", { agent: { get: async () => undefined } }, noAgent],
    [
      "a rule without an action",
      { agent: { get: async () => ({ permissions: [{ ...permissions[0], action: 3 }] }) } },
      noAgent,
    ],
    [
      "a rule without a resource",
      { agent: { get: async () => ({ permissions: [{ action: "*", effect: "ask" }] }) } },
      noAgent,
    ],
    [
      "an effect that is none",
      { agent: { get: async () => ({ permissions: [{ ...permissions[0], effect: "no" }] }) } },
      noAgent,
    ],
    ["an error that is none", { agent: { get: async () => Promise.reject("away") } }, "away"],
    ["no sessions", { session: undefined as never }, undefined],
    ["sessions that can't be asked for", { session: {} }, undefined],
    ["no session", { session: { get: async () => undefined } }, undefined],
    ["a session without rules", { session: { get: async () => ({}) } }, undefined],
    ["a session of another shape", { session: { get: async () => "x" } }, noSession],
    ["a session's rules of another shape", { session: { get: async () => ({ permissions: {} }) } }, noSession],
  ]
  for (const [name, without, reason] of rows) {
    test(`${name}: ${reason ?? "judged"}`, async () => {
      const host = await start({ without })
      const { ran, text } = await host.shell("cat a")
      expect([ran, text.includes(`(${reason})`)]).toEqual([reason === undefined, reason !== undefined])
    })
  }

  test("folders are the location's: the process works elsewhere", async () => {
    const rules = [...asking, { action: "external_directory", resource: "*", effect: "ask" }] as const
    const host = await start({ agents: { build: [...rules, { action: "edit", resource: "*.lock", effect: "deny" }] } })
    expect(await host.shell(`cat ${directory}/a`)).toMatchObject({ ran: true, dialogs: 0 })
    expect(await host.shell("cat /etc/hosts")).toMatchObject({ ran: true, dialogs: 1 })
    expect(await host.shell("cat ../etc", { workdir: "sub" })).toMatchObject({ ran: true, dialogs: 0 })
    expect((await host.shell("cat a > x.lock", { sees: ["cat a > x.lock"] })).text).toContain("pattern `*.lock`")
  })
})

describe("where the plugin works", () => {
  const rules: readonly Rule[] = [
    ...shellRules(["*", "allow"], ["x *", "ask"]),
    { action: "external_directory", resource: "*", effect: "deny" },
    { action: "edit", resource: "a", effect: "deny" },
  ]

  test("the process's folder is it when the host names none", async () => {
    const processFolder = join(directory, "else")
    const host = await start({ agents: { build: rules }, processFolder, without: { location: undefined as never } })
    expect(await host.shell("cat ../else/b")).toMatchObject({ ran: true })
    expect(await host.shell("cat ../b")).toMatchObject({ ran: false })
    expect((await host.shell("cat b > a")).text).toContain("edit permission pattern `a`")
  })

  test("a repository's other folders are inside, and files are named from the folder", async () => {
    const sub = join(directory, "sub")
    const location = { directory: sub, project: { directory } }
    const host = await start({ agents: { build: rules }, without: { location } })
    expect(await host.shell("cat ../b")).toMatchObject({ ran: true })
    expect(await host.shell("cat ../../b")).toMatchObject({ ran: false })
    expect(await host.shell("cat ../a > ../a")).toMatchObject({ ran: true })
    expect(await host.shell("cat ../a > a")).toMatchObject({ ran: false })
    const alone = await start({ agents: { build: rules }, without: { location: { directory: sub } } })
    expect(await alone.shell("cat ../b")).toMatchObject({ ran: false })
    const unversioned = { directory: sub, project: { directory: "/" } }
    const other = await start({ agents: { build: rules }, without: { location: unversioned } })
    expect(await other.shell("cat ../b")).toMatchObject({ ran: false })
  })

  test("its settings and the repository's count, and each problem of them is a warning", async () => {
    const sub = join(directory, "sub")
    for (const [folder, text] of [
      [directory, '{ "restructure": { "enabled": true, "max_segments": 1 }, "x": 1 }'],
      [sub, '{ "restructure": { "max_segments": 2 }, "y": 1 }'],
    ] as const) {
      mkdirSync(join(folder, ".opencode"), { recursive: true })
      writeFileSync(join(folder, ".opencode/opencode-bash-guard.jsonc"), text)
    }
    const file = (folder: string, key: string) =>
      `${folder}/.opencode/opencode-bash-guard.jsonc:1: unknown setting "${key}"; known here: restructure, cases.`
    const location = { directory: sub, project: { directory } }
    const host = await start({ without: { location } })
    expect(host.warnings).toEqual([file(directory, "x"), file(sub, "y")])
    expect(await host.shell("a; b", { sees: ["a", "b"] })).toMatchObject({ ran: true, dialogs: 1 })
    expect(await host.shell("a; b; c", { sees: ["a", "b", "c"] })).toMatchObject({
      ran: false,
      text: expect.stringContaining("3 commands on one line (limit 2)"),
    })
    const unversioned = await start({ without: { location: { directory: sub, project: { directory: "/" } } } })
    expect(unversioned.warnings).toEqual([file(sub, "y")])
    expect(await unversioned.shell("a; b; c", { sees: ["a", "b", "c"] })).toMatchObject({ ran: true, dialogs: 1 })
  })
})

describe("the permission hook", () => {
  const evaluation = (changed: Partial<Evaluation>): Evaluation => ({
    sessionID: "ses_1",
    action: "shell",
    resources: ["npm test"],
    source: { type: "tool", id: "call_1" },
    effect: "allow",
    ...changed,
  })

  async function after(command: string, changed: Partial<Evaluation>) {
    const host = await start({ agents: { build: [...asking, ...shellRules(["eval *", "allow"])] } })
    await host.before({ tool: "shell", id: "call_1", input: { command } })
    const event = evaluation(changed)
    await host.evaluate(event)
    return { effect: event.effect, message: event.message }
  }

  test("asks where the host would not, and leaves the rest as it is", async () => {
    const why = "`npm test`: the bash pattern `*`"
    const command = "eval 'npm test'"
    expect(await after(command, { resources: [command] })).toEqual({ effect: "ask", message: why })
    expect(await after(command, { resources: [command], effect: "ask" })).toEqual({ effect: "ask", message: why })
    expect(await after(command, { message: "another's" })).toEqual({ effect: "allow", message: "another's" })
    expect(await after(command, { resources: [command], message: "another's" })).toEqual({
      effect: "ask",
      message: "another's",
    })
    expect(await after(command, { resources: [command], effect: "deny" })).toEqual({
      effect: "deny",
      message: undefined,
    })
    for (const source of [undefined, { type: "session", id: "call_1" }, { type: "tool", id: "call_2" }])
      expect(await after(command, { resources: [command], source: source as never })).toEqual({
        effect: "allow",
        message: undefined,
      })
    expect(await after(command, { action: "edit" })).toEqual({ effect: "allow", message: undefined })
  })

  test("knows a call by the id of a preview too, and one without an id is refused where it would ask", async () => {
    const host = await start()
    const input = { command: "npm test" }
    await host.before({ tool: "shell", callID: "call_1", input })
    const event = evaluation({ resources: [] })
    await host.evaluate(event)
    expect(event.effect).toBe("ask")
    await host.after({ tool: "read", callID: "call_1", input })
    await host.after({ tool: "shell", callID: "call_1", input: "npm test" })
    const again = evaluation({ resources: [] })
    await host.evaluate(again)
    expect(again.effect).toBe("ask")
    await host.after({ tool: "shell", callID: "call_1", input })
    const ended = evaluation({ resources: [] })
    await host.evaluate(ended)
    expect(ended.effect).toBe("allow")
    await expect(host.before({ tool: "shell", input: { command: "eval 'npm test'" } })).rejects.toThrow(
      "A person must approve this (`eval 'npm test'`: the bash pattern `*` (and 1 more)), but OpenCode asks about no command in it. Send the part that needs approval as a call of its own. If several calls of this step were refused, this text stands for all of them: send the others one by one.",
    )
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

  test("only a shell call is refused for it", async () => {
    const host = await start({ without: { permission: {} } })
    await host.before({ tool: "read", input: {} })
    const off =
      "bash-guard is off: this OpenCode lets no plugin see its permission checks (2.0.26 does), so commands are checked by OpenCode alone."
    expect(await host.shell("cat a")).toEqual({
      ran: false,
      text: `Error: Not run, this once: ${off} Tell the user. The same call runs when you send it again.`,
      dialogs: 0,
    })
    expect(host.warnings).toEqual([off])
    host.end()
  })

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

test("a case for an agent that there isn't has failed, and nothing is said twice", async () => {
  mkdirSync(join(directory, ".opencode"))
  const cases =
    '{ "cases": [{ "action": "ask", "agent": "gone", "match": ["a"] }, { "action": "ask", "match": ["npm t"] }] }'
  const file = join(directory, ".opencode/opencode-bash-guard.jsonc")
  writeFileSync(file, cases)
  const dead = shellRules(["rm *", "deny"], ["*", "ask"])
  const host = await start({ agents: { build: dead, own: dead } })
  for (const agent of ["build", "own", "build"]) await host.shell("cat a", { agent })
  expect(host.warnings).toEqual([
    "the bash pattern `rm *` (deny) has no effect, because `*` (ask) stands behind it and the last pattern that matches wins; put `*` in front of it.",
    `${file}:1: the case \`a\` is for the agent "gone", which OpenCode does not have; name one that it has.`,
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

test("on the real process, warnings go to standard error", async () => {
  const written = spyOn(console, "error").mockImplementation(() => {})
  const hooks: string[] = []
  const end = await setup({ tool: { hook: (name) => void hooks.push(name) } })
  end()
  const said = written.mock.calls
  written.mockRestore()
  expect(hooks).toEqual(["execute.before"])
  expect(said).toEqual([[expect.stringMatching(/^bash-guard: bash-guard is off: /)]])
})

test("the cleanup ends the subscription to events", async () => {
  const host = await start()
  expect(host.isFollowed()).toBe(true)
  host.end()
  expect(host.isFollowed()).toBe(false)
})
