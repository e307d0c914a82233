import { expect, test } from "bun:test"
import { createHookBoundary } from "./hook-boundary.ts"

function boundary(isActive?: () => boolean) {
  const reports: string[] = []
  return { reports, guarded: createHookBoundary((message) => reports.push(message), isActive) }
}

test("a hook gets its arguments and gives its result", async () => {
  const { guarded, reports } = boundary()
  expect(await guarded(async (a: number, b: number) => a - b)(7, 5)).toBe(2)
  expect(reports).toEqual([])
})

test("what a hook throws is reported, with the stack where there is one, and goes no further", async () => {
  const { guarded, reports } = boundary()
  const error = new Error("broken")
  const thrown = [error, Object.assign(new Error("bare"), { stack: undefined }), "a text"]
  for (const one of thrown) {
    const failing = async () => {
      throw one
    }
    expect(await guarded(failing)()).toBeUndefined()
  }
  expect(reports).toEqual([error.stack, "bare", "a text"].map((said) => `the plugin failed in a hook: ${said}`))
})

test("a hook of a copy that is not the one at work does not run", async () => {
  let isActive = false
  const { guarded, reports } = boundary(() => isActive)
  const hook = guarded(async () => "ran")
  expect(await hook()).toBeUndefined()
  isActive = true
  expect(await hook()).toBe("ran")
  expect(reports).toEqual([])
})
