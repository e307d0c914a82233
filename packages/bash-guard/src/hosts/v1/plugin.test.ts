import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Hooks, PluginInput } from "@opencode-ai/plugin"
import { unmarkCommand } from "../../marker.ts"
import type { PermissionRule } from "../../permissions/rules.ts"
import { server } from "./plugin.ts"

let directory = ""
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "guard-v1-"))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const marker: PermissionRule = { permission: "bash", pattern: "bash-guard-ask-*", action: "ask" }
const asking: readonly PermissionRule[] = [
  { permission: "*", pattern: "*", action: "allow" },
  { permission: "bash", pattern: "*", action: "ask" },
  { permission: "bash", pattern: "echo *", action: "allow" },
  marker,
]

interface FakeHost {
  readonly agents: () => Promise<unknown>
  readonly session?: unknown
  readonly messages?: unknown
  readonly worktree?: string
}

/** The plugin on a client that answers as the host was measured to. */
async function start(host: FakeHost) {
  const lines: string[] = []
  const calls: unknown[] = []
  const client = {
    app: {
      agents: host.agents,
      log: async ({ body }: { body: { service: string; level: string; message: string } }) => {
        lines.push(`${body.level} ${body.message}`)
        if (body.service !== "bash-guard") throw new Error(body.service)
      },
    },
    session: {
      get: async ({ path }: { path: { id: string } }) => ({
        data: path.id.startsWith("ses_") ? (host.session ?? { id: path.id }) : undefined,
      }),
      messages: async ({ path }: { path: { id: string } }) => ({
        data: path.id === "ses_1" ? (host.messages ?? []) : undefined,
      }),
    },
    tui: {
      showToast: async (options: unknown) => {
        calls.push(options)
        throw new Error("no TUI")
      },
    },
    postSessionIdPermissionsPermissionId: async (options: unknown) => {
      calls.push(options)
      throw new Error("gone")
    },
  }
  // The hooks use these calls of the client and no more.
  const input = { client, directory, worktree: host.worktree ?? "/" } as unknown as PluginInput
  return { hooks: await server(input), lines, calls }
}

function agentsWith(permission: readonly PermissionRule[]): () => Promise<unknown> {
  return async () => ({ data: [{ name: "build", permission }] })
}

interface CallOptions {
  readonly callID?: string
  readonly sessionID?: string
  readonly workdir?: unknown
}

async function bash(hooks: Hooks, command: string, options: CallOptions = {}): Promise<string> {
  const { callID = "c", sessionID = "ses_1", workdir } = options
  const args = { command, description: "d", ...(workdir === undefined ? {} : { workdir }) }
  await hooks["tool.execute.before"]?.({ tool: "bash", sessionID, callID }, { args })
  return args.command
}

const user = { info: { role: "user", agent: "build" }, parts: [] }

describe("the agent of a call", () => {
  test("is the newest user message's when no request was seen", async () => {
    const { hooks } = await start({ agents: agentsWith(asking), messages: [user] })
    expect(await bash(hooks, "echo a")).toBe("echo a")
    expect(await bash(hooks, "npm test")).toContain("npm test")
    const answer = { info: { role: "assistant" }, parts: [] }
    const plan = { info: { role: "user", agent: "plan" }, parts: [] }
    const agents = async () => ({
      data: [
        { name: "plan", permission: [{ permission: "bash", pattern: "*", action: "deny" }] },
        { name: "build", permission: asking },
      ],
    })
    const switched = await start({ agents, messages: [plan, answer, user, answer] })
    expect(await bash(switched.hooks, "echo a")).toBe("echo a")
  })

  test("is that of the session's newest request", async () => {
    const agents = async () => ({
      data: [
        { name: "plan", permission: [{ permission: "bash", pattern: "*", action: "deny" }] },
        { name: "build", permission: asking },
      ],
    })
    const { hooks } = await start({ agents, messages: [user] })
    const request = (sessionID: string, agent: string) =>
      hooks["chat.params"]?.({ sessionID, agent: "other", message: { agent } } as never, {} as never)
    await request("ses_1", "build")
    await request("ses_1", "plan")
    await request("ses_2", "build")
    await expect(bash(hooks, "echo a")).rejects.toThrow("forbidden by the bash permission pattern `*`")
    expect(await bash(hooks, "echo a", { sessionID: "ses_2" })).toBe("echo a")
    await request("ses_1", "gone")
    await expect(bash(hooks, "echo a")).rejects.toThrow(
      'Not run: bash-guard could not read the permissions (OpenCode has no agent "gone"), so the command cannot be checked. Nothing was run.',
    )
  })

  test("that can't be found makes the call fail, closed", async () => {
    const { hooks, lines } = await start({ agents: agentsWith(asking) })
    await expect(bash(hooks, "echo a")).rejects.toThrow("the session's agent is unknown")
    expect(lines).toEqual([
      "error bash-guard: a shell call was refused: the permissions could not be read (the session's agent is unknown)",
    ])
    await expect(bash(hooks, "echo a", { sessionID: "ses_9" })).rejects.toThrow("the session's agent is unknown")
  })
})

describe("permissions that can't be read make the call fail, closed", () => {
  const odd = (rule: object) => async () => ({ data: [{ name: "build", permission: [{ ...asking[0], ...rule }] }] })
  const without = "OpenCode answered without the agents' permissions"
  const rows: readonly [name: string, agents: () => Promise<unknown>, reason: string][] = [
    ["an error", async () => Promise.reject(new Error("gone")), "gone"],
    ["an error that is none", async () => Promise.reject("away"), "away"],
    ["an answer without data", async () => ({ error: {} }), without],
    ["another shape", async () => ({ data: [{ name: "build" }] }), without],
    ["an agent without a name", async () => ({ data: [{ permission: asking }] }), without],
    ["a rule for nothing", odd({ permission: 3 }), without],
    ["a rule without a pattern", odd({ pattern: undefined }), without],
    ["an action that is none", odd({ action: "maybe" }), without],
    ["no such agent", async () => ({ data: [] }), 'OpenCode has no agent "build"'],
  ]
  for (const [name, agents, reason] of rows) {
    test(name, async () => {
      const { hooks, lines } = await start({ agents, messages: [user] })
      await expect(bash(hooks, "echo a")).rejects.toThrow(
        `Not run: bash-guard could not read the permissions (${reason}), so the command cannot be checked. Nothing was run.`,
      )
      expect(lines).toEqual([
        `error bash-guard: a shell call was refused: the permissions could not be read (${reason})`,
      ])
    })
  }

  for (const [name, session, reason] of [
    ["a session that is none", "x", "OpenCode does not know the session"],
    ["a session of another shape", { permission: {} }, "OpenCode answered without the session's permissions"],
    ["a session's rule of another shape", { permission: [{}] }, "OpenCode answered without the session's permissions"],
  ] as const) {
    test(name, async () => {
      const { hooks } = await start({ agents: agentsWith(asking), messages: [user], session })
      await expect(bash(hooks, "echo a")).rejects.toThrow(`could not read the permissions (${reason})`)
    })
  }

  test("and are read again at the next call", async () => {
    let calls = 0
    const agents = async () => {
      calls += 1
      if (calls === 1) throw new Error("not yet")
      return { data: [{ name: "build", permission: asking }] }
    }
    const { hooks } = await start({ agents, messages: [user] })
    await expect(bash(hooks, "echo a")).rejects.toThrow("not yet")
    expect(await bash(hooks, "echo a")).toBe("echo a")
    expect(await bash(hooks, "echo b")).toBe("echo b")
    expect(calls).toBe(2)
  })
})

test("a marker's rule that is not the last word makes the call fail, closed", async () => {
  const { hooks } = await start({
    agents: agentsWith(asking),
    messages: [user],
    session: { id: "ses_1", permission: [{ permission: "bash", pattern: "bash*", action: "allow" }] },
  })
  await expect(bash(hooks, "npm $x; eval 'echo $y'")).rejects.toThrow("no way to ask")
  const denied = await start({
    agents: agentsWith([...asking, { permission: "bash", pattern: "*", action: "deny" }, asking[1] ?? marker]),
    messages: [user],
    session: { id: "ses_1", permission: [{ permission: "bash", pattern: "bash*", action: "deny" }] },
  })
  await expect(bash(denied.hooks, "npm test")).rejects.toThrow(
    "Not run: the command needs a person's approval (`npm test`: the bash pattern `*`), and the permissions of this session leave no way to ask for it. Nothing was run.",
  )
})

test("a session's own rules stand behind the agent's", async () => {
  const { hooks } = await start({
    agents: agentsWith(asking),
    messages: [user],
    session: { id: "ses_1", permission: [{ permission: "bash", pattern: "echo b", action: "deny" }] },
  })
  expect(await bash(hooks, "echo a")).toBe("echo a")
  await expect(bash(hooks, "echo b")).rejects.toThrow("forbidden by the bash permission pattern `echo b`")
})

test("a command that a person must answer for stands behind a marker with the reason, and its folder counts", async () => {
  const { hooks } = await start({
    agents: agentsWith([...asking, { permission: "external_directory", pattern: "*", action: "deny" }, marker]),
    messages: [user],
  })
  const pattern = /^case \. in :\) bash-guard-ask-[0-9a-f]{12} '`npm test`: the bash pattern `\*`';; esac; npm test$/
  const marked = await bash(hooks, "npm test")
  expect(marked).toMatch(pattern)
  expect(await bash(hooks, "npm test", { workdir: 3 })).toBe(marked)
  const elsewhere = await bash(hooks, "npm test", { workdir: "sub" })
  expect(elsewhere).toMatch(pattern)
  expect(elsewhere).not.toBe(marked)
  expect(await bash(hooks, "echo ../x", { workdir: "sub" })).toBe("echo ../x")
  await expect(bash(hooks, "echo a < ../x")).rejects.toThrow("external_directory permission pattern `*`")
  expect(await bash(hooks, "echo a < ../x", { workdir: "sub" })).toBe("echo a < ../x")
})

test("what the host asks about by itself gets no marker", async () => {
  const defaults: readonly PermissionRule[] = [
    { permission: "*", pattern: "*", action: "allow" },
    { permission: "doom_loop", pattern: "*", action: "ask" },
    { permission: "external_directory", pattern: "*", action: "ask" },
    { permission: "bash", pattern: "rm *", action: "deny" },
    marker,
  ]
  const { hooks } = await start({ agents: agentsWith(defaults), messages: [user] })
  expect(await bash(hooks, "cat /etc/hosts")).toBe("cat /etc/hosts")
})

test("an agent for which the guard is off is named in the log, once", async () => {
  const agents = async () => ({
    data: [
      { name: "build", permission: [{ permission: "*", pattern: "*", action: "allow" }, marker] },
      { name: "own", permission: [] },
    ],
  })
  const { hooks, lines } = await start({ agents, messages: [user] })
  expect(await bash(hooks, "rm x")).toBe("rm x")
  expect(await bash(hooks, "rm y")).toBe("rm y")
  await hooks["chat.params"]?.({ sessionID: "ses_1", message: { agent: "own" } } as never, {} as never)
  expect(await bash(hooks, "rm x")).toBe("rm x")
  const off = "its permissions allow every shell command, so there is nothing to guard"
  expect(lines).toEqual([
    `info bash-guard: off for the agent "build": ${off}`,
    `info bash-guard: off for the agent "own": ${off}`,
  ])
})

describe("dialogs", () => {
  const asked = (id: string, callID: string, patterns: readonly string[], always: readonly string[]) => ({
    type: "permission.asked",
    properties: {
      id,
      sessionID: "ses_1",
      permission: "bash",
      patterns,
      always,
      metadata: {},
      tool: { messageID: "m", callID },
    },
  })
  const replied = (requestID: string, reply: string) => ({
    type: "permission.replied",
    properties: { sessionID: "ses_1", requestID, reply },
  })

  test("have the reason beside them, and an always answer lasts for what the host does not see", async () => {
    const rules = [...asking, { permission: "bash", pattern: "eval *", action: "allow" as const }, marker]
    const { hooks, calls } = await start({ agents: agentsWith(rules), messages: [user] })
    const saw = (event: object) => hooks.event?.({ event } as never)
    const commands = ["eval 'npm test'", "eval 'npm test -- b'", "eval 'deploy'", "eval 'npm test' $(npm $x)"]
    for (const [index, command] of commands.entries()) {
      const name = (await bash(hooks, command, { callID: `c${index}` })).split(" ")[4] ?? ""
      await saw(asked(`per_${index}`, `c${index}`, [name, command], [`${name} *`, "eval *"]))
    }
    const toast = (message: string) => ({
      body: { title: "Why bash-guard asks", message, variant: "info", duration: 15_000 },
    })
    expect(calls).toEqual([
      toast("`npm test`: the bash pattern `*`"),
      toast("`npm test -- b`: the bash pattern `*`"),
      toast("`deploy`: the bash pattern `*`"),
      toast("`npm test $_`: the bash pattern `*` (and 2 more)"),
    ])
    calls.length = 0
    await saw(replied("per_0", "always"))
    expect(calls).toEqual([{ path: { id: "ses_1", permissionID: "per_1" }, body: { response: "once" } }])
    expect(await bash(hooks, "eval 'npm test -- c'")).toBe("eval 'npm test -- c'")
    expect(await bash(hooks, "eval 'deploy'")).not.toBe("eval 'deploy'")
  })

  test("stay open when the host sees more in them than was approved", async () => {
    const { hooks, calls } = await start({ agents: agentsWith(asking), messages: [user] })
    const saw = (event: object) => hooks.event?.({ event } as never)
    for (const [index, patterns] of [["npm test"], ["npm test", "other"], ["npm test"]].entries()) {
      await bash(hooks, "npm test", { callID: `c${index}` })
      await saw(asked(`per_${index}`, `c${index}`, patterns, ["npm test *"]))
    }
    calls.length = 0
    await saw(replied("per_0", "always"))
    expect(calls).toEqual([{ path: { id: "ses_1", permissionID: "per_2" }, body: { response: "once" } }])
  })
})

test("a second instance replaces the marker of the first, and judges what is behind it", async () => {
  const denying = [
    ...asking,
    { permission: "bash", pattern: "*", action: "deny" as const },
    { permission: "bash", pattern: "npm *", action: "ask" as const },
    marker,
  ]
  const first = await start({ agents: agentsWith(denying), messages: [user] })
  const second = await start({ agents: agentsWith(denying), messages: [user] })
  const once = await bash(first.hooks, "npm test")
  const twice = await bash(second.hooks, once)
  expect(twice).not.toBe(once)
  expect(unmarkCommand(twice)).toBe("npm test")
  await expect(bash(second.hooks, once.replace(/npm test$/, "rm x"))).rejects.toThrow("forbidden")
})

test("other tools, and calls without a command, pass as they are, and no permission is asked for", async () => {
  let reads = 0
  const { hooks, lines } = await start({
    agents: async () => {
      reads += 1
      return { data: [] }
    },
  })
  for (const [tool, args] of [
    ["read", { filePath: "x", command: "npm test" }],
    ["bash", {}],
    ["bash", undefined],
    ["bash", { command: 3 }],
  ] as const) {
    const output = { args }
    await hooks["tool.execute.before"]?.({ tool, sessionID: "ses_1", callID: "c" }, output)
    expect(output).toEqual({ args: structuredClone(args) })
  }
  expect([reads, lines]).toEqual([0, []])
  // The same call of the shell tool is judged.
  await expect(bash(hooks, "npm test")).rejects.toThrow("Not run")
})

test("after the call, other plugins and the title get the command without its marker", async () => {
  const { hooks } = await start({ agents: agentsWith(asking), messages: [user] })
  const args = { command: await bash(hooks, "npm test") }
  const output = { title: args.command, output: "", metadata: {} }
  await hooks["tool.execute.after"]?.({ tool: "bash", sessionID: "ses_1", callID: "c", args }, output)
  expect([args.command, output.title]).toEqual(["npm test", "npm test"])
  for (const odd of [undefined, { command: 3 }])
    await hooks["tool.execute.after"]?.({ tool: "bash", sessionID: "s", callID: "c", args: odd }, { title: 3 } as never)
})

test("in the history that the model gets, its own calls stand as it made them", async () => {
  const { hooks } = await start({ agents: agentsWith(asking), messages: [user] })
  const command = await bash(hooks, "npm test")
  const part = (type: string, tool: string, input: unknown = { command, workdir: "x" }) => ({
    type,
    tool,
    state: { input },
  })
  const messages = [
    { info: {}, parts: [{ type: "text", text: command }, part("tool", "bash")] },
    { info: {}, parts: [part("tool", "task"), part("tool", "bash", {})] },
  ]
  const before = structuredClone(messages)
  await hooks["experimental.chat.messages.transform"]?.({}, { messages } as never)
  expect(messages).toEqual([
    { info: {}, parts: [before[0]?.parts[0] as never, part("tool", "bash", { command: "npm test", workdir: "x" })] },
    before[1] as never,
  ])
})

test("after a call of another tool, nothing is changed", async () => {
  const { hooks } = await start({ agents: agentsWith(asking), messages: [user] })
  const command = await bash(hooks, "npm test")
  expect(unmarkCommand(command)).not.toBe(command)
  const args = { command }
  const output = { title: command, output: "", metadata: {} }
  await hooks["tool.execute.after"]?.({ tool: "task", sessionID: "ses_1", callID: "c", args }, output)
  expect([args.command, output.title]).toEqual([command, command])
})

test("at load, patterns without effect and failed cases are one warning each", async () => {
  mkdirSync(join(directory, ".opencode"))
  const cases = '{ "cases": [{ "action": "deny", "match": ["rm x", "git push"] }] }'
  writeFileSync(join(directory, ".opencode/opencode-bash-guard.jsonc"), cases)
  const { hooks, lines } = await start({ agents: agentsWith(asking) })
  const config = { permission: { bash: { "rm *": "deny", "*": "allow", "git push *": "deny" } }, agent: { own: {} } }
  await hooks.config?.(config as never)
  expect(lines).toEqual([
    "warn bash-guard: the bash pattern `rm *` (deny) has no effect, because `*` (allow) stands behind it and the last pattern that matches wins; put `*` in front of it.",
    `warn bash-guard: ${directory}/.opencode/opencode-bash-guard.jsonc:1: the case \`rm x\` must end in "deny"; got: allow, by \`*\`; correct the permissions of OpenCode, or the case.`,
  ])
  expect(config.permission.bash).toHaveProperty("bash-guard-ask-*", "ask")
})

test("permissions that can't be checked for mistakes are guarded all the same", async () => {
  const { hooks, lines } = await start({ agents: agentsWith(asking) })
  const config: Record<string, unknown> = { permission: { bash: "ask" } }
  config["self"] = config
  await hooks.config?.(config as never)
  expect(lines).toEqual([
    expect.stringMatching(/^warn bash-guard: the permissions could not be checked for mistakes \(RangeError: .+\)$/),
  ])
  expect(config["permission"]).toEqual({ bash: { "*": "ask", "bash-guard-ask-*": "ask" } })
})

test("the settings of the repository and of the folder count, and each problem of them is a warning", async () => {
  const repository = directory
  const write = (folder: string, text: string) => {
    mkdirSync(join(folder, ".opencode"), { recursive: true })
    writeFileSync(join(folder, ".opencode/opencode-bash-guard.jsonc"), text)
  }
  write(repository, '{ "restructure": { "enabled": true, "max_segments": 1 } }')
  directory = join(repository, "sub")
  write(directory, '{ "restructure": { "max_segments": 2 }, "x": 1 }')
  const options = { agents: agentsWith(asking), messages: [user] }
  const unknown = `warn bash-guard: ${directory}/.opencode/opencode-bash-guard.jsonc:1: unknown setting "x"; known here: restructure, cases.`
  const inRepository = await start({ ...options, worktree: repository })
  expect(inRepository.lines).toEqual([unknown])
  expect(await bash(inRepository.hooks, "a; b")).toContain("a; b")
  await expect(bash(inRepository.hooks, "a; b; c")).rejects.toThrow("3 commands on one line (limit 2)")
  const alone = await start(options)
  expect(alone.lines).toEqual([unknown])
  expect(await bash(alone.hooks, "a; b; c")).toContain("a; b; c")
  directory = repository
})
