import { expect, test } from "bun:test"
import { createNotices } from "./notices.ts"

test("the newest three are there, each once, and none is long", () => {
  let changes = 0
  const notices = createNotices(() => changes++)
  expect(notices.ofState()).toEqual({})
  for (const message of ["one", "two", "two", "three", "x".repeat(400)]) notices.add(message)
  expect(notices.ofState()).toEqual({ notices: ["two", "three", `${"x".repeat(300)}…`] })
  expect(changes).toBe(4)
  notices.add("y".repeat(300))
  expect(notices.ofState()).toEqual({ notices: ["three", `${"x".repeat(300)}…`, "y".repeat(300)] })
})
