import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import recorded from "../../../test/recordings/opencode-2-preview/execute-before.json"
import { unmarkCommand } from "../../marker.ts"
import type { AgentDraft, HostAgent, HostContext, HostRule, ToolEvent } from "./host.ts"
import { setupIn } from "./plugin.ts"

let directory = ""
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "guard-v2-"))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const rules: readonly HostRule[] = [
  { action: "*", resource: "*", effect: "allow" },
  { action: "shell", resource: "*", effect: "ask" },
  { action: "shell", resource: "cat *", effect: "allow" },
  { action: "shell", resource: "rm *", effect: "deny" },
]

/** A host that has the agents, and takes the plugin's hooks. */
async function start(permissions: readonly HostRule[], context: Partial<HostContext> = {}) {
  const agents: HostAgent[] = [{ id: "build", permissions: [...permissions] }, { id: "plain" }]
  const draft: AgentDraft = {
    list: () => agents,
    update: (id, change) => agents.filter((agent) => agent.id === id).forEach(change),
  }
  let before: (event: ToolEvent) => Promise<void> | void = () => {
    throw new Error("no hook was registered")
  }
  const warnings: string[] = []
  const host: HostContext = {
    agent: { transform: (callback) => callback(draft) },
    tool: {
      hook: (_, callback) => {
        before = callback
      },
    },
    ...context,
  }
  await setupIn(host, { directory, home: "/home/dev", env: {}, warn: (message) => void warnings.push(message) })
  return { agents, warnings, before: async (event: ToolEvent) => before(event) }
}

/** The recorded shell event with another command in it. */
function shellEvent(command: unknown): ToolEvent & { input: { command?: unknown } } {
  const event = recorded.find((record) => record.event.tool === "shell")?.event
  if (event === undefined) throw new Error("the recording has no shell call")
  return { ...event, input: { ...event.input, command } }
}

describe("a shell call on version 2", () => {
  test("that is allowed stays as it is", async () => {
    const { before } = await start(rules)
    const event = shellEvent("cat src/main.rs")
    await before(event)
    expect(event).toEqual(shellEvent("cat src/main.rs"))
  })

  test("that is denied is a throw that the model reads", async () => {
    const { before } = await start(rules)
    await expect(before(shellEvent("cat a && rm b"))).rejects.toThrow(
      "`rm b` is forbidden by the bash permission pattern `rm *`",
    )
    await expect(before(shellEvent("eval 'rm b'"))).rejects.toThrow("forbidden")
    await expect(before(shellEvent("cat a && ("))).rejects.toThrow("cannot be parsed")
  })

  test("that asks carries the marker, for which every agent has a rule that asks", async () => {
    const { before, agents } = await start(rules)
    const event = shellEvent("npm test")
    await before(event)
    const command = String(event.input.command)
    expect(command).not.toBe("npm test")
    expect(unmarkCommand(command)).toBe("npm test")
    for (const agent of agents) {
      const last = agent.permissions?.slice(-4) ?? []
      expect(last.map((rule) => rule.effect)).toEqual(["ask", "ask", "ask", "ask"])
      expect(new Set(last.map((rule) => rule.action))).toEqual(new Set(["shell", "bash"]))
    }
  })

  test("that is a complex one-liner goes back", async () => {
    mkdirSync(join(directory, ".opencode"))
    writeFileSync(join(directory, ".opencode/opencode-bash-guard.jsonc"), '{"restructure":{"enabled":true}}')
    const { before } = await start(rules)
    await expect(before(shellEvent("a; b; c; d"))).rejects.toThrow("4 commands on one line (limit 3)")
  })

  test("of an unknown agent is refused", async () => {
    const { before } = await start(rules)
    await expect(before({ ...shellEvent("cat a"), agent: "other" })).rejects.toThrow('permissions of the agent "other"')
  })
})

test("recorded calls of other tools, and odd input, pass", async () => {
  const { before } = await start(rules)
  for (const { event } of recorded.filter((record) => record.event.tool !== "shell")) {
    const copy = structuredClone(event)
    await before(copy)
    expect(copy).toEqual(event)
  }
  for (const input of [undefined, null, "x", {}, { command: 3 }]) await before({ ...shellEvent("x"), input })
})

test("an agent that may run nothing gets no rule of the guard's", async () => {
  const nothing: readonly HostRule[] = [...rules, { action: "*", resource: "*", effect: "deny" }]
  const { before, agents } = await start(nothing)
  expect(agents[0]?.permissions).toEqual([...nothing])
  await expect(before(shellEvent("cat a"))).rejects.toThrow("forbidden")
})

test("nothing to guard is said once", async () => {
  const { before, warnings } = await start([{ action: "*", resource: "*", effect: "allow" }])
  await before(shellEvent("eval 'rm x'"))
  await before(shellEvent("eval 'rm x'"))
  expect(warnings).toEqual([expect.stringContaining('off for the agent "build"')])
})

test("a host that doesn't tell permissions is warned about, and left alone", async () => {
  const { warnings } = await start(rules, { agent: undefined as never })
  expect(warnings).toEqual([expect.stringContaining("off: this host")])
})

test("a host without tool hooks, as OpenCode 1's own `setup` is, hears nothing", async () => {
  const { warnings } = await start(rules, { tool: undefined as never })
  expect(warnings).toEqual([])
})

test("rules that are taken twice are there once", async () => {
  const agents: HostAgent[] = [{ id: "build", permissions: [...rules] }]
  const draft: AgentDraft = { list: () => agents, update: (_, change) => agents.forEach(change) }
  const transforms: ((draft: AgentDraft) => void)[] = []
  await setupIn(
    { agent: { transform: (callback) => transforms.push(callback) }, tool: { hook: () => undefined } },
    { directory, home: "/home/dev", env: {}, warn: () => {} },
  )
  for (const transform of [...transforms, ...transforms]) transform(draft)
  expect(agents[0]?.permissions).toHaveLength(rules.length + 4)
})
