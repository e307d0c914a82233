import { expect, test } from "bun:test"
import type { PluginInput } from "@opencode-ai/plugin"
import type { UserMessage } from "@opencode-ai/sdk"
import { availableTools } from "./tools.ts"

type Entry = readonly [permission: string, pattern: string, action: string]

const entries = (list: readonly Entry[]) =>
  list.map(([permission, pattern, action]) => ({ permission, pattern, action }))
const newest = { agent: "build", model: { providerID: "lab", modelID: "plain" } } as UserMessage

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
])("tools that are offered when %s", async (_when, agent, session, offered) => {
  expect([...((await availableTools(client(agent, session), "ses_1", newest)) ?? [])].toSorted()).toEqual(offered)
})

test("a host that can't tell leaves the fact missing", async () => {
  expect(await availableTools({} as PluginInput["client"], "ses_1", newest)).toBeUndefined()
})
