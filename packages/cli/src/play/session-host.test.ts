import { expect, test } from "bun:test"
import type { HistoryPlace } from "@opencode-rulebook/server/dry-run"
import { ruleId } from "../../test/support/receipts.ts"
import { createSessionHost, type SessionHost } from "./session-host.ts"

/** Stores rules, those with a place as parts of their own, and says which message has them. */
async function store(host: SessionHost, ...given: readonly (readonly [path: string, place?: HistoryPlace])[]) {
  const parts = given.map(([path, place]) => ({ rules: [ruleId(path)], text: path, place }))
  const delivery = { id: "d", rules: parts.flatMap(({ rules }) => rules), text: "all", parts }
  const outcome = await host.port.persist("ses_1", delivery)
  return outcome.kind === "stored" ? outcome.messageID : outcome
}

/** What a request shows, in short. */
function shownBy(host: SessionHost): object {
  const { messages, deliveries, tokensOf } = host.history()
  return {
    messages: messages.map((id, index) => `${id} ${tokensOf?.(index)}`),
    deliveries: deliveries.map(
      ({ messageID, part, rules, after }) => `${messageID} ${part} ${rules.join("+")} ${after ?? "-"}`,
    ),
  }
}

const PART = { kind: "part" } as const
const call = (id: string): HistoryPlace => ({ kind: "call", id })

test("OpenCode 1: parts of the user's newest message, each shown after the message or the call of its place", async () => {
  const host = createSessionHost(PART)
  expect(await store(host, ["early.md"])).toBe("delivery 1")
  const handed = { rules: [ruleId("handed.md")], text: "", place: undefined }
  host.add({ id: "one", isUsers: true, parts: [handed], tokens: () => 5 })
  host.add({ id: "answer", isUsers: false, calls: ["c1", "c2"] })
  host.add({ id: "two", isUsers: true })
  host.add({ id: "again", isUsers: false, calls: ["c2"], tokens: () => 7 })
  expect(await store(host, ["here.md"], ["there.md", { kind: "message", id: "one" }])).toBe("two")
  expect(await store(host, ["c1.md", call("c1")], ["c2.md", call("c2")], ["lost.md", call("c9")])).toBe("two")
  expect(shownBy(host)).toEqual({
    messages: ["delivery 1 0", "one 5", "answer 0", "two 0", "again 7"],
    deliveries: [
      "delivery 1 0 project:early.md -",
      "one 0 project:handed.md -",
      "two 0 project:here.md -",
      "two 1 project:there.md one",
      "two 2 project:c1.md answer",
      "two 3 project:c2.md again",
      "two 4 project:lost.md -",
    ],
  })
})

test("what a host was given is not changed by what it stores", async () => {
  const host = createSessionHost(PART)
  const parts = [{ rules: [ruleId("a.md")], text: "", place: undefined }]
  host.add({ id: "one", isUsers: true, parts })
  await store(host, ["b.md"])
  expect(parts).toHaveLength(1)
})

test("OpenCode 2: messages of their own, with so many rules at most; the stored history can't be asked for", async () => {
  const host = createSessionHost({ kind: "message", mostRules: 12 })
  host.add({ id: "one", isUsers: true })
  expect(await store(host, ["a.md"], ["b.md", call("c1")])).toBe("delivery 1")
  expect(await store(host, ["c.md"])).toBe("delivery 2")
  expect(shownBy(host)).toEqual({
    messages: ["one 0", "delivery 1 0", "delivery 2 0"],
    deliveries: ["delivery 1 0 project:a.md+project:b.md -", "delivery 2 0 project:c.md -"],
  })
  expect({ ...host.port, persist: 0, log: 0 }).toEqual({ mostRules: 12, persist: 0, log: 0 })
  expect("mostRules" in createSessionHost(PART).port).toBe(false)
})

test("a compaction hides what is older, and what stood after that; an unknown message hides nothing", async () => {
  const host = createSessionHost(PART)
  host.add({ id: "one", isUsers: true })
  await store(host, ["a.md"], ["b.md", call("c1")])
  host.add({ id: "answer", isUsers: false, calls: ["c1"] })
  host.add({ id: "summary", isUsers: true })
  await store(host, ["c.md", call("c1")], ["d.md"])
  const storedIn = async () => await host.port.storedDeliveries?.("ses_1")
  const delivery = (messageID: string, path: string) => ({ messageID, rules: [ruleId(path)], id: undefined })
  const later = [delivery("summary", "c.md"), delivery("summary", "d.md")]
  host.hideBefore("unknown")
  expect(await storedIn()).toEqual({
    ...{ kind: "read", deliveries: [delivery("one", "a.md"), delivery("one", "b.md"), ...later] },
  })
  host.hideBefore("summary")
  expect(await storedIn()).toEqual({ kind: "read", deliveries: later })
  expect(shownBy(host)).toEqual({
    messages: ["summary 0"],
    deliveries: ["summary 0 project:c.md -", "summary 1 project:d.md -"],
  })
})

test("a message's tokens are counted when they are asked for, once", () => {
  const host = createSessionHost(PART)
  let counted = 0
  host.add({ id: "one", isUsers: true, tokens: () => ++counted })
  expect(counted).toBe(0)
  expect([host.history().tokensOf?.(0), host.history().tokensOf?.(0), host.history().tokensOf?.(1)]).toEqual([1, 1, 0])
})
