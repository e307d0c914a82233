import { expect, test } from "bun:test"
import { createCalls, type ShellCall } from "./calls.ts"

const call = (command: string): ShellCall => ({ command, agent: "build", cwd: "/p", rules: [], folders: new Set() })

test("a call is known by its id until one of its command has ended", () => {
  const calls = createCalls()
  const [a, b, again] = [call("a"), call("b"), call("a")]
  calls.add("one", a)
  calls.add("one", b)
  calls.add("one", again)
  calls.add("two", a)
  expect(calls.of("one")).toEqual([a, b, again])
  calls.remove("one", "c")
  calls.remove("three", "a")
  calls.remove("one", "a")
  expect(calls.of("one")).toEqual([b, again])
  expect(calls.of("two")).toEqual([a])
  calls.remove("two", "a")
  expect([calls.of("two"), calls.of("three")]).toEqual([[], []])
})

test("of many calls that never end, the oldest are forgotten", () => {
  const calls = createCalls()
  for (let index = 0; index <= 500; index += 1) calls.add(`id ${index}`, call("a"))
  expect([calls.of("id 0").length, calls.of("id 1").length, calls.of("id 500").length]).toEqual([0, 1, 1])
})
