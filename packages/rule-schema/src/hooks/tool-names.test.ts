import { expect, test } from "bun:test"
import { argumentNames, builtInArguments } from "./built-in-arguments.ts"
import { toolNames } from "./tool-names.ts"

test.each<[tool: string, names: string[]]>([
  ["bash", ["bash", "shell"]],
  ["shell", ["shell", "bash"]],
  ["Bash", ["Bash", "shell"]],
  ["apply_patch", ["apply_patch", "patch"]],
  ["PATCH", ["PATCH", "apply_patch"]],
  ["task", ["task", "subagent"]],
  ["subagent", ["subagent", "task"]],
  ["edit", ["edit"]],
  ["mcp_bash", ["mcp_bash"]],
])("the names of %s on either major", (tool, names) => {
  expect(toolNames(tool)).toEqual(names)
})

test.each<[tool: string, name: string, names: string[]]>([
  ["read", "filePath", ["filePath", "path"]],
  ["Write", "path", ["path", "filePath"]],
  ["edit", "path", ["path", "filePath"]],
  ["edit", "oldString", ["oldString"]],
  ["bash", "path", ["path"]],
  ["bash", "command", ["command"]],
  ["grep", "path", ["path"]],
  ["apply_patch", "filePath", ["filePath"]],
])("an argument of %s named %s goes by %p", (tool, name, names) => {
  expect(argumentNames(tool, name)).toEqual(names)
})

test("the arguments of a tool are those of both majors, by either of its names", () => {
  expect(builtInArguments("Shell")).toEqual(["command", "description", "timeout", "workdir", "background"])
  expect(builtInArguments("shell")).toEqual(builtInArguments("bash"))
  expect(builtInArguments("edit")).toEqual(["filePath", "path", "oldString", "newString", "replaceAll"])
  expect(builtInArguments("patch")).toEqual(["patchText"])
  expect(builtInArguments("apply_patch")).toEqual(["patchText"])
  expect(builtInArguments("write")).toEqual(["filePath", "path", "content"])
  expect(builtInArguments("read")).toEqual(["filePath", "path", "offset", "limit"])
  expect(builtInArguments("grep")).toBeUndefined()
})
