import { expect, test } from "bun:test"
import type { PluginInput } from "@opencode-ai/plugin"
import type { UserMessage } from "@opencode-ai/sdk"
import { createTools } from "./tools.ts"

type Entry = readonly [permission: string, pattern: string, action: string]

const entries = (list: readonly Entry[]) =>
  list.map(([permission, pattern, action]) => ({ permission, pattern, action }))
const newest = { id: "msg_1", agent: "build", model: { providerID: "lab", modelID: "plain" } } as UserMessage

async function offeredBy(client: PluginInput["client"]): Promise<string[]> {
  return [...((await createTools(client, 10).offered("ses_1", newest)) ?? [])].toSorted()
}

/** A host whose answers are those of OpenCode 1.18.33 in shape. */
function client(agent: readonly Entry[], session: readonly Entry[] = []): PluginInput["client"] {
  const tools = ["invalid", "bash", "read", "edit", "write"]
  return {
    tool: { list: async () => ({ data: tools.map((id) => ({ id })) }), ids: async () => ({ data: tools }) },
    mcp: { status: async () => ({ data: { docs: { status: "connected" }, off: { status: "disabled" } } }) },
    app: { agents: async () => ({ data: [{ name: "plan" }, { name: "build", permission: entries(agent) }] }) },
    session: { get: async () => ({ data: { permission: entries(session) } }) },
  } as unknown as PluginInput["client"]
}

const ALL: Entry = ["*", "*", "allow"]

test.each<[string, readonly Entry[], readonly Entry[], string[]]>([
  ["nothing is denied", [ALL], [], ["bash", "edit", "mcp_docs", "read", "write"]],
  ["the agent denies a tool", [ALL, ["bash", "*", "deny"]], [], ["edit", "mcp_docs", "read", "write"]],
  ["the prompt switched a tool off", [ALL], [["bash", "*", "deny"]], ["edit", "mcp_docs", "read", "write"]],
  [
    "the session allows it again",
    [ALL, ["bash", "*", "deny"]],
    [["bash", "*", "allow"]],
    ["bash", "edit", "mcp_docs", "read", "write"],
  ],
  ["only some calls are denied", [ALL, ["bash", "rm *", "deny"]], [], ["bash", "edit", "mcp_docs", "read", "write"]],
  [
    "some calls of a denied tool are allowed",
    [
      ["bash", "*", "deny"],
      ["bash", "ls", "allow"],
    ],
    [],
    ["bash", "edit", "mcp_docs", "read", "write"],
  ],
  ["edits are denied", [ALL, ["edit", "*", "deny"]], [], ["bash", "mcp_docs", "read"]],
  [
    "everything but one is denied",
    [
      ["*", "*", "deny"],
      ["read", "*", "allow"],
    ],
    [],
    ["mcp_docs", "read"],
  ],
  ["a pattern denies several", [ALL, ["*e*", "*", "deny"]], [], ["bash", "mcp_docs"]],
  [
    "what writes is denied, and Write is not named",
    [ALL, ["write", "*", "deny"]],
    [],
    ["bash", "edit", "mcp_docs", "read", "write"],
  ],
  ["nobody asks and nobody denies", [["bash", "*", "ask"]], [], ["bash", "edit", "mcp_docs", "read", "write"]],
  ["nothing is said", [], [], ["bash", "edit", "mcp_docs", "read", "write"]],
])("tools that are offered when %s", async (_when, agent, session, offered) => {
  expect(await offeredBy(client(agent, session))).toEqual(offered)
})

test("a host that can't tell leaves the fact missing", async () => {
  expect(await createTools({} as PluginInput["client"], 10).offered("ses_1", newest)).toBeUndefined()
})

test("a host that tells tools or servers only is believed as far as that goes", async () => {
  const whole = client([ALL])
  const tools = { tool: whole.tool, app: whole.app, session: whole.session } as PluginInput["client"]
  expect(await offeredBy(tools)).toEqual(["bash", "edit", "read", "write"])
  const servers = { mcp: whole.mcp, app: whole.app, session: whole.session } as PluginInput["client"]
  expect(await offeredBy(servers)).toEqual(["mcp_docs"])
})

/** A host that counts what it is asked, and whose answers can change. */
function countingHost(maxSessions = 10) {
  const host = {
    asked: [] as string[],
    agent: [ALL],
    session: [] as Entry[] | undefined,
    servers: ["docs"],
    tools: ["bash", "read"],
  }
  const told = <T>(name: string, data: () => T) => {
    return async () => {
      host.asked.push(name)
      return { data: data() }
    }
  }
  const counted = {
    tool: { list: told("tools", () => host.tools.map((id) => ({ id }))) },
    mcp: {
      status: told("mcp", () => Object.fromEntries(host.servers.map((name) => [name, { status: "connected" }]))),
    },
    app: { agents: told("agents", () => [{ name: "build", permission: entries(host.agent) }]) },
    session: { get: told("session", () => host.session && { permission: entries(host.session) }) },
  }
  const tools = createTools(counted as unknown as PluginInput["client"], maxSessions)
  return {
    host,
    tools,
    /** What is offered in a step, and what that asked of the host. */
    async step(sessionID = "ses_1", message: UserMessage = newest) {
      host.asked = []
      const offered = [...((await tools.offered(sessionID, message)) ?? [])].toSorted().join(" ")
      return [offered, host.asked.toSorted().join(" ")]
    },
  }
}

const EVERYTHING = "agents mcp session tools"

test("a turn asks for everything once, and each step after that for the MCP servers alone", async () => {
  const { tools, step } = countingHost()
  expect(await step()).toEqual(["bash mcp_docs read", EVERYTHING])
  for (const type of ["message.updated", "message.part.updated", "session.status", "session.diff", "file.edited"])
    tools.happened({ type })
  expect(await step()).toEqual(["bash mcp_docs read", "mcp"])
  expect(await step("ses_1", { ...newest, id: "msg_2" } as UserMessage)).toEqual(["bash mcp_docs read", "mcp session"])
  expect(await step("ses_2")).toEqual(["bash mcp_docs read", "mcp session"])
  const other = { ...newest, model: { providerID: "lab", modelID: "other" } } as UserMessage
  expect(await step("ses_1", { ...other, id: "msg_2" })).toEqual(["bash mcp_docs read", "mcp tools"])
})

test("an MCP server that comes or goes is seen by the next step, without any event", async () => {
  const { host, step } = countingHost()
  await step()
  host.servers = []
  expect(await step()).toEqual(["bash read", "mcp"])
  host.servers = ["docs", "more"]
  expect(await step()).toEqual(["bash mcp_docs mcp_more read", "mcp"])
})

test("a session's permissions are those of its newest prompt, for the whole turn, and of no other session", async () => {
  const { host, step } = countingHost()
  const deny: Entry[] = [["bash", "*", "deny"]]
  await step()
  host.session = deny
  expect(await step()).toEqual(["bash mcp_docs read", "mcp"])
  expect(await step("ses_2")).toEqual(["mcp_docs read", "mcp session"])
  expect(await step("ses_1", { ...newest, id: "msg_2" } as UserMessage)).toEqual(["mcp_docs read", "mcp session"])
})

test("what may change tools or agents, known or not, makes it ask again", async () => {
  const { host, tools, step } = countingHost()
  await step()
  for (const type of ["plugin.added", "catalog.updated", "mcp.tools.changed", "config.updated", "something.new"]) {
    host.tools = [...host.tools, `tool-${type}`]
    tools.happened({ type })
    const [offered, asked] = await step()
    expect(offered).toContain(`tool-${type}`)
    expect(asked).toBe("agents mcp tools")
  }
})

test("what the host did not answer is asked again in the next step", async () => {
  const answers = [undefined, [{ id: "bash" }]]
  const host = { tool: { list: async () => ({ data: answers.shift() }) }, mcp: { status: async () => ({ data: {} }) } }
  const tools = createTools(host as unknown as PluginInput["client"], 10)
  expect([...((await tools.offered("ses_1", newest)) ?? [])]).toEqual([])
  expect([...((await tools.offered("ses_1", newest)) ?? [])]).toEqual(["bash"])
})

test("without a message of the user's every tool of the host's counts, and the permissions are the session's", async () => {
  const session = { get: async () => ({ data: { permission: entries([["bash", "*", "deny"]]) } }) }
  const whole = { ...client([["read", "*", "deny"]]), session } as unknown as PluginInput["client"]
  const tools = createTools(whole, 10)
  const offered = async () => [...((await tools.offered("ses_1", undefined)) ?? [])].toSorted()
  expect(await offered()).toEqual(["edit", "mcp_docs", "read", "write"])
  session.get = async () => ({ data: { permission: [] } })
  expect(await offered()).toEqual(["bash", "edit", "mcp_docs", "read", "write"])
})

test("permissions of another form deny nothing", async () => {
  const deny = { permission: "bash", pattern: "*", action: "deny" }
  const permission = [
    { ...deny, permission: 1 },
    { ...deny, pattern: undefined },
    { ...deny, action: {} },
    null,
    "bash",
  ]
  for (const agents of [
    [{ name: "build", permission }],
    { build: { permission } },
    [{ name: "build", permission: {} }],
  ]) {
    const whole = { ...client([]), app: { agents: async () => ({ data: agents }) } } as unknown as PluginInput["client"]
    expect(await offeredBy(whole)).toEqual(["bash", "edit", "mcp_docs", "read", "write"])
  }
})

test("the model of the prompt decides its tools, the agent its permissions", async () => {
  const asked: unknown[] = []
  const list = async (question: unknown) => {
    asked.push(question)
    return { data: [{ id: "bash" }] }
  }
  const whole = { ...client([["bash", "*", "deny"]]), tool: { list } } as unknown as PluginInput["client"]
  const tools = createTools(whole, 10)
  const offered = async (message: object) =>
    [...((await tools.offered("ses_1", { ...newest, ...message } as UserMessage)) ?? [])].toSorted()
  expect(await offered({})).toEqual(["mcp_docs"])
  expect(await offered({ agent: "plan" })).toEqual(["bash", "mcp_docs"])
  for (const model of [
    { providerID: "other", modelID: "plain" },
    { providerID: "lab", modelID: "other" },
  ])
    await offered({ model })
  expect(asked).toEqual([
    { query: { provider: "lab", model: "plain" } },
    { query: { provider: "other", model: "plain" } },
    { query: { provider: "lab", model: "other" } },
  ])
})

test("sessions that ask at once ask for tools and agents once", async () => {
  const { host, tools } = countingHost()
  const both = await Promise.all(["ses_1", "ses_2"].map((session) => tools.offered(session, newest)))
  expect(both.map((offered) => offered?.size)).toEqual([3, 3])
  expect(host.asked.toSorted().join(" ")).toBe("agents mcp mcp session session tools")
})

test("an answer that comes after a change does not count for it", async () => {
  const gates = [Promise.withResolvers<unknown>(), Promise.withResolvers<unknown>()]
  let asked = 0
  const list = () => gates[asked++]?.promise
  const tools = createTools({ tool: { list }, mcp: { status: async () => ({ data: {} }) } } as never, 10)
  const offered = async () => [...((await tools.offered("ses_1", newest)) ?? [])]
  const early = offered()
  tools.happened({ type: "plugin.added" })
  const late = offered()
  gates[1]?.resolve({ data: [{ id: "new" }] })
  expect(await late).toEqual(["new"])
  gates[0]?.resolve({ data: undefined })
  expect(await early).toEqual([])
  expect([await offered(), asked]).toEqual([["new"], 2])
})

test("a session's permissions stay as they were known while the host can't tell them, and it is asked again", async () => {
  const { host, step } = countingHost()
  const denied: Entry[] = [["bash", "*", "deny"]]
  host.session = denied
  expect(await step()).toEqual(["mcp_docs read", EVERYTHING])
  const next = { ...newest, id: "msg_2" } as UserMessage
  host.session = undefined
  expect(await step("ses_1", next)).toEqual(["mcp_docs read", "mcp session"])
  host.session = []
  expect(await step("ses_1", next)).toEqual(["bash mcp_docs read", "mcp session"])
  expect(await step("ses_1", next)).toEqual(["bash mcp_docs read", "mcp"])
})

test("no more sessions are remembered than there may be", async () => {
  const { step } = countingHost(1)
  for (const session of ["ses_1", "ses_1", "ses_2", "ses_1"]) await step(session)
  expect(await step("ses_1")).toEqual(["bash mcp_docs read", "mcp"])
  expect(await step("ses_2")).toEqual(["bash mcp_docs read", "mcp session"])
})
