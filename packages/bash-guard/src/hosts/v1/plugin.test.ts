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
}

/** The plugin on a client that answers as the host was measured to. */
async function start(host: FakeHost) {
  const lines: string[] = []
  const client = {
    app: {
      agents: host.agents,
      log: async ({ body }: { body: { message: string } }) => void lines.push(body.message),
    },
    session: {
      get: async () => ({ data: host.session ?? { id: "ses_1" } }),
      messages: async () => ({ data: host.messages ?? [] }),
    },
  }
  // The hooks use these four calls of the client and no more.
  const input = { client, directory, worktree: "/" } as unknown as PluginInput
  return { hooks: await server(input), lines }
}

function agentsWith(permission: readonly PermissionRule[]): () => Promise<unknown> {
  return async () => ({ data: [{ name: "build", permission }] })
}

async function bash(hooks: Hooks, command: string): Promise<string> {
  const args = { command, description: "d" }
  await hooks["tool.execute.before"]?.({ tool: "bash", sessionID: "ses_1", callID: "c" }, { args })
  return args.command
}

const user = { info: { role: "user", agent: "build" }, parts: [] }

describe("the agent of a call", () => {
  test("is the newest user message's when no request was seen", async () => {
    const { hooks } = await start({ agents: agentsWith(asking), messages: [user] })
    expect(await bash(hooks, "echo a")).toBe("echo a")
    expect(await bash(hooks, "npm test")).toContain("npm test")
  })

  test("that can't be found makes the call fail, closed", async () => {
    const { hooks, lines } = await start({ agents: agentsWith(asking) })
    await expect(bash(hooks, "echo a")).rejects.toThrow("the session's agent is unknown")
    expect(lines).toEqual([expect.stringContaining("a shell call was refused")])
  })
})

describe("permissions that can't be read make the call fail, closed", () => {
  const rows: readonly [name: string, agents: () => Promise<unknown>][] = [
    ["an error", async () => Promise.reject(new Error("gone"))],
    ["an answer without data", async () => ({ error: {} })],
    ["another shape", async () => ({ data: [{ name: "build" }] })],
    ["no such agent", async () => ({ data: [] })],
  ]
  for (const [name, agents] of rows) {
    test(name, async () => {
      const { hooks } = await start({ agents, messages: [user] })
      await expect(bash(hooks, "echo a")).rejects.toThrow("could not read the permissions")
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
  await expect(bash(hooks, "npm test")).rejects.toThrow("no way to ask")
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
  await hooks["tool.execute.after"]?.({ tool: "x", sessionID: "s", callID: "c", args: {} }, { content: [] } as never)
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
    "bash-guard: the bash pattern `rm *` (deny) has no effect, because `*` (allow) stands behind it and the last pattern that matches wins; put `*` in front of it.",
    expect.stringContaining('opencode-bash-guard.jsonc:1: the case `rm x` must end in "deny"; got: allow, by `*`;'),
  ])
  expect(config.permission.bash).toHaveProperty("bash-guard-ask-*", "ask")
})
