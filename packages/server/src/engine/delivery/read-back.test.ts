import { expect, test } from "bun:test"
import type { CompiledRule, RuleId } from "@opencode-rulebook/rule-schema"
import type { HostPort, StoredDeliveries } from "../port.ts"
import { createRuleDelivery } from "./rule-delivery.ts"

// What the stored history says before any dispatch has shown it.

const SESSION = "ses_1"
const RULE = { id: "project:a.md" as RuleId, name: "a", body: "Rule a." } as CompiledRule

function reading(answer: () => Promise<StoredDeliveries>) {
  const stored: string[] = []
  const log: string[] = []
  const port: HostPort = {
    async persist(_session, delivery) {
      stored.push(...delivery.rules)
      return { kind: "stored", messageID: "msg_1" }
    },
    storedDeliveries: answer,
    log: (level, message) => void log.push(`${level} ${message}`),
  }
  return { stored, log, delivery: createRuleDelivery(port, () => undefined, 0) }
}

test.each<[string, () => Promise<StoredDeliveries>, string]>([
  ["that never comes", () => new Promise(() => undefined), "no answer in 0 ms"],
  ["that can't be read", async () => ({ kind: "unreadable", reason: "no such table" }), "no such table"],
])(
  "a history %s holds no hook up, and nothing is stored on a guess: a dispatch decides",
  async (_name, answer, why) => {
    const { stored, log, delivery } = reading(answer)
    expect(await delivery.append(SESSION, [RULE])).toBeUndefined()
    await delivery.flush(SESSION, [RULE])
    expect(stored).toEqual([])
    expect(log).toHaveLength(2)
    expect(log[0]).toStartWith("warn ")
    expect(log[0]).toContain(why)
    const { edits } = delivery.dispatch(
      SESSION,
      { messages: ["msg_0"], deliveries: [] },
      { durable: [RULE], transient: [] },
    )
    expect(edits.insertions.map(({ after }) => after)).toEqual(["msg_0"])
    await delivery.flush(SESSION, [RULE])
    expect(stored).toEqual([RULE.id])
  },
)

test("a history is read once; what it delivers counts as delivered, what it doesn't is stored", async () => {
  let reads = 0
  const other = { ...RULE, id: "project:b.md" as RuleId, name: "b" }
  const { stored, delivery } = reading(async () => {
    reads += 1
    return { kind: "read", deliveries: [{ id: "d", rules: [RULE.id], messageID: "msg_9" }] }
  })
  await delivery.flush(SESSION, [RULE])
  expect(delivery.isDelivered(SESSION, RULE.id)).toBeTrue()
  await delivery.flush(SESSION, [RULE, other])
  expect([reads, ...stored]).toEqual([1, other.id])
})

/** A host on which storing takes until it is told to end, and which then shows what it stored. */
function slowStore() {
  const held = Promise.withResolvers<void>()
  const stored: string[] = []
  const port: HostPort = {
    async persist(_session, delivery) {
      stored.push(...delivery.rules)
      await held.promise
      return { kind: "stored", messageID: "msg_1" }
    },
    storedDeliveries: async () => ({ kind: "read", deliveries: [{ id: "d", rules: [RULE.id], messageID: "msg_1" }] }),
    log: () => undefined,
  }
  const delivery = createRuleDelivery(port, () => undefined, 0)
  delivery.dispatch(SESSION, { messages: ["msg_0"], deliveries: [] }, { durable: [], transient: [] })
  const finish = async () => {
    held.resolve()
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
  }
  return { stored, delivery, finish }
}

test("a confirmed store that the history shows too still counts at a dispatch that was made before it", async () => {
  const { stored, delivery, finish } = slowStore()
  const other = { ...RULE, id: "project:b.md" as RuleId, name: "b" }
  await delivery.flush(SESSION, [RULE])
  delivery.compacted(SESSION)
  await finish()
  await delivery.flush(SESSION, [RULE, other])
  delivery.dispatch(SESSION, { messages: ["msg_0"], deliveries: [] }, { durable: [RULE, other], transient: [] })
  await delivery.flush(SESSION, [RULE, other])
  expect(stored).toEqual([RULE.id, other.id])
})

test("nothing is known of a session that was forgotten while it stored; one that came back meanwhile keeps what was stored", async () => {
  const { delivery, finish } = slowStore()
  await delivery.flush(SESSION, [RULE])
  delivery.forget(SESSION)
  await finish()
  expect(delivery.isDelivered(SESSION, RULE.id)).toBeFalse()

  const back = slowStore()
  await back.delivery.flush(SESSION, [RULE])
  back.delivery.forget(SESSION)
  await back.delivery.flush(SESSION, [])
  await back.finish()
  expect(back.delivery.isDelivered(SESSION, RULE.id)).toBeTrue()
})

test("nothing is read when nothing has matched", async () => {
  const { stored, delivery } = reading(() => expect.unreachable())
  await delivery.flush(SESSION, [])
  expect(stored).toEqual([])
})

test("a session that ends while its history is read stores nothing", async () => {
  const held = Promise.withResolvers<StoredDeliveries>()
  const { stored, delivery } = reading(() => held.promise)
  const flushing = delivery.flush(SESSION, [RULE])
  delivery.forget(SESSION)
  held.resolve({ kind: "read", deliveries: [] })
  await flushing
  expect(stored).toEqual([])
})
