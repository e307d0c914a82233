import { expect, test } from "bun:test"
import type { V2Context } from "./host.ts"
import { sessionDirectory } from "./location.ts"

const context = (get: () => Promise<unknown>) =>
  ({ location: { directory: "/own" }, session: { get } }) as unknown as V2Context

test("a session's folder is what the host says of the session", async () => {
  const told = async () => ({ location: { directory: "/other" } })
  expect(await sessionDirectory(context(told), "ses_1")).toEqual({ directory: "/other", certain: true })
})

test.each<[string, () => Promise<unknown>]>([
  ["does not answer in time", () => new Promise(() => undefined)],
  ["fails", () => Promise.reject(new Error("busy"))],
])("a host that %s leaves the answer open", async (_what, get) => {
  expect(await sessionDirectory(context(get), "ses_1", 5)).toEqual({ directory: "/own", certain: false })
})
