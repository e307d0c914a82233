import { expect, test } from "bun:test"
import type { CompiledRule, RuleId } from "@opencode-rulebook/rule-schema"
import type { DurableDelivery, HostPort } from "../port.ts"
import { createRuleDelivery } from "./rule-delivery.ts"

// A host that takes deliveries into an inbox, from which they can vanish before a dispatch has shown them.

const SESSION = "ses_1"
const NONE = { durable: [], transient: [] }

function rulesNamed(names: readonly string[]): CompiledRule[] {
  return names.map((name) => ({ id: `project:${name}` as RuleId, name, body: `Rule ${name}.` }) as CompiledRule)
}

function inbox(mostRules?: number) {
  const taken: DurableDelivery[] = []
  const port: HostPort = {
    ...(mostRules === undefined ? {} : { mostRules }),
    async persist(_session, delivery) {
      taken.push(delivery)
      return { kind: "stored", messageID: `msg_${taken.length}` }
    },
    log: () => undefined,
  }
  const delivery = createRuleDelivery(port, () => undefined)
  delivery.dispatch(SESSION, { messages: ["msg_0"], deliveries: [] }, NONE)
  return { taken, delivery }
}

test("a host that takes no more than some rules at once gets them in groups, in their order", async () => {
  const names = Array.from({ length: 27 }, (_, index) => `r${index}.md`)
  const { taken, delivery } = inbox(12)
  await delivery.flush(SESSION, rulesNamed(names))
  expect(taken.map(({ rules }) => rules.length)).toEqual([12, 12, 3])
  expect(taken.flatMap(({ rules }) => rules)).toEqual(rulesNamed(names).map(({ id }) => id))
  await delivery.flush(SESSION, rulesNamed(names))
  expect(taken).toHaveLength(3)
})

test("what the host took and gave up again is stored anew", async () => {
  const { taken, delivery } = inbox()
  const rules = rulesNamed(["a.md"])
  await delivery.flush(SESSION, rules)
  delivery.messageRemoved(SESSION, "msg_1")
  await delivery.flush(SESSION, rules)
  expect(taken).toHaveLength(2)
})

test("behind a revert the next dispatch tells what is left of what the host took", async () => {
  const { taken, delivery } = inbox()
  const [left, lost] = rulesNamed(["a.md", "b.md"]) as [CompiledRule, CompiledRule]
  await delivery.flush(SESSION, [left])
  await delivery.flush(SESSION, [left, lost])
  delivery.reverted(SESSION)
  expect(delivery.isDelivered(SESSION, left.id)).toBeFalse()
  await delivery.flush(SESSION, [left, lost])
  expect(taken).toHaveLength(2)
  const shown = { messages: ["msg_0", "msg_1"], deliveries: [{ messageID: "msg_1", part: 0, rules: [left.id] }] }
  const { edits } = delivery.dispatch(SESSION, shown, { durable: [left, lost], transient: [] })
  expect(edits.insertions.map(({ text }) => text.match(/Rule \w\.md/g))).toEqual([["Rule b.md"]])
  await delivery.flush(SESSION, [left, lost])
  expect(taken.at(-1)?.rules).toEqual([lost.id])
})
