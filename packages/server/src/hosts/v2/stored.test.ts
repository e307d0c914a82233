import { expect, test } from "bun:test"
import type { RuleId } from "@opencode-rulebook/rule-schema"
import { deliveryMetadata } from "../shared/metadata.ts"
import type { V2Context } from "./host.ts"
import { readStored } from "./stored.ts"
import { availableTools } from "./tools.ts"

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

test("a host without the means, one that fails, one that is slow, and one that answers something else: nothing is known", async () => {
  const hosts = [
    {} as V2Context["session"],
    answering(() => Promise.reject(new Error("no"))),
    answering(never),
    answering(async () => ({ total: 3 })),
  ]
  for (const host of hosts) expect(await readStored(host, "ses_1", 0)).toBeUndefined()
})

test("a host that is slow to list its tools or servers is not waited for", async () => {
  const context = { tool: { list: never }, mcp: { list: never } } as unknown as V2Context
  expect(await availableTools(context, new Set(["execute"]), 0)).toEqual(new Set(["execute"]))
  expect(await availableTools(context, undefined, 0)).toBeUndefined()
})
