import { expect, test } from "bun:test"
import { createBlockedCalls } from "./blocked-calls.ts"
import type { ToolCall } from "./host.ts"

function call(messageID?: string, command = "ls"): ToolCall {
  return { tool: "shell", sessionID: "ses_1", input: { command }, messageID } as ToolCall
}

test("the calls of one step share an error, which tells each one's reason; those of another have their own", () => {
  const blocked = createBlockedCalls()
  const first = blocked.block(call("msg_1"), "No.")
  expect(first.message).toBe("No.")
  expect(blocked.block(call("msg_1", "push"), "Never.")).toBe(first)
  const heading = "More than one call of this step did not run, each for its own reason."
  const both = [heading, 'shell {"command":"ls"}\nNo.', 'shell {"command":"push"}\nNever.']
  expect(first.message).toBe(both.join("\n\n"))
  blocked.block(call("msg_1"), "No.")
  expect(first.message).toBe([...both, 'shell {"command":"ls"}\nNo.'].join("\n\n"))
  const next = blocked.block(call("msg_2"), "No.")
  expect(next).not.toBe(first)
  expect(next.message).toBe("No.")
  expect(blocked.block(call("msg_2", "push"), "No.").message).toBe("No.")
})

test("calls of which the step is not known share nothing", () => {
  const blocked = createBlockedCalls()
  const first = blocked.block(call(), "No.")
  expect(blocked.block(call(), "Never.")).not.toBe(first)
  expect(first.message).toBe("No.")
})

test.each([
  ["of 200 characters are told whole", 186, ""],
  ["that are longer as far as that", 187, "…"],
])("arguments %s", (_what, length, end) => {
  const blocked = createBlockedCalls()
  blocked.block(call("msg_1", "x".repeat(length)), "No.")
  const { message } = blocked.block(call("msg_1"), "Never.")
  const args = JSON.stringify({ command: "x".repeat(length) })
  expect(args).toHaveLength(200 + end.length)
  expect(message.split("\n\n")[1]).toBe(`shell ${args.slice(0, 200)}${end}\nNo.`)
})
