import { expect, test } from "bun:test"
import type { Part } from "@opencode-ai/sdk"
import { createCommands } from "./commands.ts"

const text = (value: string) => [{ type: "text", text: value } as Part]

test("a command is found by its prompt's text, in whatever order the prompts come, and once", () => {
  const commands = createCommands()
  commands.expanded("ses_1", "one", text("First."))
  commands.expanded("ses_1", "two", text("Second."))
  expect(commands.take("ses_2", text("First."))).toBeUndefined()
  expect(commands.take("ses_1", text("Second."))).toBe("two")
  expect(commands.take("ses_1", text("First."))).toBe("one")
  expect(commands.take("ses_1", text("First."))).toBeUndefined()
})

test("another plugin may add to the text, of the command as of the prompt", () => {
  const commands = createCommands()
  const parts = text("First.")
  commands.expanded("ses_1", "one", parts)
  parts.push(...text("Added to the command."))
  expect(commands.take("ses_1", text("Added to the prompt.\nFirst.\nAdded to the command."))).toBe("one")
})

test("a command that never became a prompt is not taken for a later one that holds its text", () => {
  const commands = createCommands()
  commands.expanded("ses_1", "lost", text("go"))
  expect(commands.take("ses_1", text("hello"))).toBeUndefined()
  expect(commands.take("ses_1", text("let it go"))).toBeUndefined()
})

test("what is remembered is bounded", () => {
  const commands = createCommands()
  for (let count = 0; count < 100; count += 1) commands.expanded("ses_1", `c${count}`, text(`Text ${count}.`))
  expect(commands.take("ses_1", text("Text 1."))).toBeUndefined()
  expect(commands.take("ses_1", text("Text 99."))).toBe("c99")
})
