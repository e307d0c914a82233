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

test.each<[what: string, context: object, directory: string]>([
  [
    "wrapped in its data",
    { session: { get: async () => ({ data: { location: { directory: "/other" } } }) } },
    "/other",
  ],
  ["without a folder", { session: { get: async () => ({ location: {} }) } }, "/own"],
  [
    "with a folder that is not absolute",
    { session: { get: async () => ({ location: { directory: "other" } }) } },
    "/own",
  ],
  ["with nothing", { session: { get: async () => undefined } }, "/own"],
  ["to no such question", { session: {} }, "/own"],
  ["to none, of an instance without a folder", { session: {}, location: undefined }, process.cwd()],
  ["to none, of an instance with a relative one", { session: {}, location: { directory: "own" } }, process.cwd()],
])("a host that answers %s", async (_what, more, directory) => {
  const host = { location: { directory: "/own" }, ...more } as unknown as V2Context
  expect(await sessionDirectory(host, "ses_1")).toEqual({ directory, certain: true })
})

test("the host is asked for the very session", async () => {
  const asked: unknown[] = []
  const get = async (question: unknown) => void asked.push(question)
  await sessionDirectory({ session: { get } } as unknown as V2Context, "ses_1")
  expect(asked).toEqual([{ sessionID: "ses_1" }])
})
