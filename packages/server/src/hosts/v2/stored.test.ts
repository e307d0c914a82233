import { describe, expect, test } from "bun:test"
import type { RuleId } from "@opencode-rulebook/rule-schema"
import { deliveryMetadata } from "../shared/metadata.ts"
import type { V2Context } from "./host.ts"
import { readStored } from "./stored.ts"
import { availableTools, offeredTools } from "./tools.ts"

const own = { id: "d1", rules: ["project:a.md"] } as unknown as Parameters<typeof deliveryMetadata>[0]
const MESSAGES = [
  { id: "msg_1", type: "user", text: "hello", metadata: {} },
  { id: "msg_2", type: "synthetic", text: "a frame", metadata: deliveryMetadata(own) },
  { type: "system", text: "no id" },
]
const answering = (context: () => Promise<unknown>) => ({ context }) as unknown as V2Context["session"]
const never = () => new Promise<unknown>(() => undefined)

test("what a session's stored messages deliver", async () => {
  const stored = await readStored(
    answering(async () => MESSAGES),
    "ses_1",
  )
  expect(stored?.deliveries).toEqual(new Map([["msg_2", ["project:a.md" as RuleId]]]))
  expect(stored?.messages).toHaveLength(3)
})

test.each<[what: string, answer: unknown]>([
  ["in its data", { data: MESSAGES, messages: [] }],
  ["as messages", { messages: MESSAGES }],
  ["as records of their own", MESSAGES.map((info) => ({ info, parts: [] }))],
])("the stored messages may come %s", async (_what, answer) => {
  const stored = await readStored(
    answering(async () => answer),
    "ses_1",
  )
  expect(stored).toEqual({
    // One without an id is what its record holds: nothing, where it is none.
    messages: [...MESSAGES.slice(0, 2), Array.isArray(answer) ? MESSAGES[2] : undefined],
    deliveries: new Map([["msg_2", ["project:a.md" as RuleId]]]),
  })
})

test("a host without the means, one that fails, one that is slow, and one that answers something else: nothing is known", async () => {
  const hosts = [
    {} as V2Context["session"],
    answering(() => Promise.reject(new Error("no"))),
    answering(never),
    answering(async () => ({ total: 3 })),
  ]
  for (const host of hosts) expect(await readStored(host, "ses_1", 0)).toBeUndefined()
})

describe("the tools that a model can use", () => {
  const tools = [
    { id: "github_create_issue", name: "create_issue", options: { namespace: "hub" } },
    { name: "list", options: { namespace: "files" } },
    { name: "plain" },
    { name: "own", options: { codemode: false } },
    { name: "open", options: { codemode: true } },
    { options: {} },
    { options: { namespace: "nameless" } },
    null,
  ]
  const servers = [
    { name: "github", status: { status: "connected" } },
    { name: "jira", status: { status: "failed" } },
    { name: "flat", status: "connected" },
    { name: "off", status: "disabled" },
    { status: { status: "connected" } },
    { name: "unknown" },
    7,
  ]
  const list = (value: unknown) => ({ list: async () => value })
  const available = async (context: object, offered: readonly string[] | undefined) => {
    const found = await availableTools(context as V2Context, offered && new Set(offered))
    return found && [...found]
  }
  const BEHIND = ["github_create_issue", "files_list", "plain", "open"]
  const SERVERS = ["mcp_github", "mcp_flat"]

  test("are those that are offered, those behind `execute`, and the servers that are connected", async () => {
    for (const wrap of [(value: unknown) => value, (value: unknown) => ({ data: value })]) {
      const context = { tool: list(wrap(tools)), mcp: list(wrap(servers)) }
      expect(await available(context, ["read", "execute"])).toEqual(["read", "execute", ...BEHIND, ...SERVERS])
      expect(await available(context, ["read"])).toEqual(["read", ...SERVERS])
      expect(await available(context, undefined)).toEqual(SERVERS)
    }
  })

  test("are what is offered, where the host lists nothing", async () => {
    for (const context of [{ tool: {} }, { tool: list(undefined), mcp: list({}) }, { tool: list(5), mcp: {} }]) {
      expect(await available(context, ["execute"])).toEqual(["execute"])
      expect(await available(context, undefined)).toBeUndefined()
    }
    const failing = { list: () => Promise.reject(new Error("no")) }
    const throwing = {
      list() {
        throw new Error("no")
      },
    }
    for (const broken of [failing, throwing]) {
      expect(await available({ tool: broken, mcp: list(servers) }, ["execute"])).toEqual(["execute", ...SERVERS])
      expect(await available({ tool: list(tools), mcp: broken }, ["execute"])).toEqual(["execute", ...BEHIND])
    }
    expect(await available({ tool: list(tools), mcp: list(servers) }, [])).toEqual(SERVERS)
  })

  test("are offered by name", () => {
    expect(offeredTools({ read: {}, write: {} })).toEqual(new Set(["read", "write"]))
    expect(offeredTools({})).toEqual(new Set())
    for (const other of [undefined, null, "read"]) expect(offeredTools(other)).toBeUndefined()
  })
})

test("a host that is slow to list its tools or servers is not waited for", async () => {
  const context = { tool: { list: never }, mcp: { list: never } } as unknown as V2Context
  expect(await availableTools(context, new Set(["execute"]), 0)).toEqual(new Set(["execute"]))
  expect(await availableTools(context, undefined, 0)).toBeUndefined()
})
