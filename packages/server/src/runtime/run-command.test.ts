import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { until } from "../../test/support/until.ts"
import { runDetached } from "./run-command.ts"

let cwd = ""
beforeAll(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), "run-command-")))
})
afterAll(() => rm(cwd, { recursive: true, force: true }))

/** Runs a command and waits for a last one that says that it is over. */
function started(command: string, event: object = {}, folder = cwd): string[] {
  const log: string[] = []
  runDetached({ command, cwd: folder, event, label: "hook of a.md", log: (message) => log.push(message) })
  return log
}
const written = async (file: string) => {
  await until(() => Bun.file(join(cwd, file)).exists())
  return await readFile(join(cwd, file), "utf8")
}
const circle: { own?: unknown } = {}
circle.own = circle

// The shell of Windows has other commands.
const onUnix = test.if(process.platform !== "win32")

onUnix.each<[string, object, string]>([
  ["a call", { tool: "bash", args: { command: "ls" } }, '{"tool":"bash","args":{"command":"ls"}}\n'],
  ["what is no JSON", circle, "null\n"],
])("the event is on the command's input as one line of JSON: %s", async (name, event, line) => {
  const file = name.replaceAll(" ", "-")
  started(`cat > ${file}.part && mv ${file}.part ${file}`, event)
  expect(await written(file)).toBe(line)
})

onUnix("a command runs in the folder, and what ends well is not logged, whatever it says", async () => {
  const log = started("pwd > place.part; echo warning >&2; mv place.part place")
  expect(await written("place")).toBe(`${cwd}\n`)
  const after = started("exit 1")
  await until(() => after.length > 0)
  expect(log).toEqual([])
})

onUnix.each([
  ["exit 3", "hook of a.md: the command ended with exit code 3"],
  ["echo ' not found ' >&2; exit 1", "hook of a.md: the command ended with exit code 1: not found"],
  ["kill -TERM $$", "hook of a.md: the command ended with SIGTERM"],
])("%j that fails is logged", async (command, message) => {
  const log = started(command)
  await until(() => log.length > 0)
  expect(log).toEqual([message])
})

onUnix("of what a failing command says the end is logged", async () => {
  const log = started("printf 'a%.0s' $(seq 3000) >&2; printf 'the end' >&2; exit 1")
  await until(() => log.length > 0)
  expect(log).toEqual([`hook of a.md: the command ended with exit code 1: ${"a".repeat(1_993)}the end`])
})

onUnix("a command that does not read its input is no failure, however large that is", async () => {
  const log = started("true", { text: "x".repeat(1_000_000) })
  const after = started("exit 1")
  await until(() => after.length > 0)
  expect(log).toEqual([])
})

test("a command that can't be started is logged, and nothing is thrown", async () => {
  const log = started("true", {}, join(cwd, "not-there"))
  const other = started("a\0b")
  await until(() => log.length > 0)
  await until(() => other.length > 0)
  // What is over is over: no second line follows.
  const after = started("exit 1")
  await until(() => after.length > 0)
  expect(log).toEqual([expect.stringMatching(/^hook of a\.md: the command could not be started \(.*ENOENT.*\)$/)])
  expect(other).toEqual([expect.stringMatching(/^hook of a\.md: the command could not be started \(.+\)$/)])
})
