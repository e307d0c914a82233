import { describe, expect, test } from "bun:test"
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

test("a command that other prompts of its session came before is found by its very text, and by a longer one no more", () => {
  const commands = createCommands()
  for (const name of ["one", "two"]) commands.expanded("ses_1", name, text(`Text of ${name}.`))
  commands.expanded("ses_2", "three", text("Text of three."))
  expect(commands.take("ses_1", text("hello"))).toBeUndefined()
  expect(commands.take("ses_1", text("Text of two."))).toBe("two")
  expect(commands.take("ses_1", text("And more: Text of one."))).toBeUndefined()
  expect(commands.take("ses_1", text("Text of one."))).toBe("one")
  expect(commands.take("ses_2", text("And more: Text of three."))).toBe("three")
})

test("of two commands with one text in another the prompt's own is found, not the first that fits", () => {
  const commands = createCommands()
  commands.expanded("ses_1", "short", text("go"))
  commands.expanded("ses_1", "long", text("go on"))
  expect(commands.take("ses_1", text("go on"))).toBe("long")
})

describe("subtasks", () => {
  const subtask = (prompt: string) => ({ type: "subtask", prompt, agent: "general", description: "" }) as Part

  test("a command's subtasks are known by their prompts, until their session has begun", () => {
    const commands = createCommands()
    const parts = [...text("Look."), subtask("Look here."), subtask("Look there.")]
    commands.expanded("ses_1", "look", parts)
    expect(commands.subtasks("Look here.")).toEqual([])
    expect(commands.take("ses_1", parts)).toBe("look")
    const [here] = commands.subtasks("Look here.")
    expect(commands.subtasks("Look here.")).toEqual([{ parentID: "ses_1", name: "look", prompt: "Look here." }])
    expect(commands.subtasks("Look there.")).toEqual([{ parentID: "ses_1", name: "look", prompt: "Look there." }])
    expect(commands.subtasks("Look.")).toEqual([])
    if (here) commands.subtaskBegan(here)
    expect(commands.subtasks("Look here.")).toEqual([])
    // One that has begun already takes no other with it.
    if (here) commands.subtaskBegan(here)
    expect(commands.subtasks("Look there.")).toHaveLength(1)
  })

  test("a subtask of a prompt that no command made is no command's", () => {
    const commands = createCommands()
    expect(commands.take("ses_1", [subtask("Look here.")])).toBeUndefined()
    expect(commands.subtasks("Look here.")).toEqual([])
  })
})

test("the latest 32 commands are remembered", () => {
  const commands = createCommands()
  for (let count = 0; count < 33; count += 1) commands.expanded("ses_1", `c${count}`, text(`Text ${count}.`))
  expect(commands.take("ses_1", text("Text 0."))).toBeUndefined()
  expect(commands.take("ses_1", text("Text 1."))).toBe("c1")
  expect(commands.take("ses_1", text("Text 32."))).toBe("c32")
})
