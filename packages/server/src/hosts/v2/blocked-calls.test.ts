import { expect, test } from "bun:test"
import { createBlockedCalls } from "./blocked-calls.ts"
import type { ToolCall } from "./host.ts"

function call(messageID?: string): ToolCall {
  return { tool: "shell", sessionID: "ses_1", input: { command: "ls" }, messageID } as ToolCall
}

test("the calls of one step share an error, which tells each one's reason; those of another have their own", () => {
  const blocked = createBlockedCalls()
  const first = blocked.block(call("msg_1"), "No.")
  expect(first.message).toBe("No.")
  expect(blocked.block(call("msg_1"), "Never.")).toBe(first)
  for (const reason of ["No.", "Never."]) expect(first.message).toContain(reason)
  const next = blocked.block(call("msg_2"), "No.")
  expect(next).not.toBe(first)
  expect(next.message).toBe("No.")
})

test("calls of which the step is not known share nothing", () => {
  const blocked = createBlockedCalls()
  const first = blocked.block(call(), "No.")
  expect(blocked.block(call(), "Never.")).not.toBe(first)
  expect(first.message).toBe("No.")
})
