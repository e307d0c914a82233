import { expect, test } from "bun:test"
import type { CompiledRule, RuleId } from "@opencode-rulebook/rule-schema"
import fc from "fast-check"
import { runs } from "../../../test/support/runs.ts"
import type { DurableDelivery, HostPort, PersistOutcome, StoredDeliveries, VisibleHistory } from "../port.ts"
import { createRuleDelivery } from "./rule-delivery.ts"

const SESSION = "ses_1"
const DURABLE = ["a", "b", "c"].map(ruleNamed)
const TRANSIENT = ["x", "y"].map(ruleNamed)

/** What one attempt to store comes to. `late` ones are answered, and stored, only when the model says so. */
type Outcome = "stored" | "failed" | "answer lost" | "late"

type Action =
  | { readonly kind: "match" | "applies" | "applies no more"; readonly rule: number }
  | { readonly kind: "tool"; readonly outcomes: readonly Outcome[] }
  | { readonly kind: "prompt" | "dispatch" | "compact" | "restart" | "evict" | "late answers" }
  | { readonly kind: "revert"; readonly messages: number }
  | { readonly kind: "readable"; readonly yes: boolean }

interface Message {
  readonly id: string
  readonly delivery: DurableDelivery | undefined
}

const rule = fc.nat({ max: 2 })
const outcome = fc.constantFrom<Outcome>("stored", "failed", "answer lost", "late")
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ kind: fc.constant("match" as const), rule }),
  fc.record({ kind: fc.constantFrom("applies" as const, "applies no more" as const), rule: fc.nat({ max: 1 }) }),
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("tool" as const), outcomes: fc.array(outcome, { maxLength: 4 }) }),
  },
  fc.record({ kind: fc.constantFrom("prompt" as const, "late answers" as const) }),
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("dispatch" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom("compact" as const, "restart" as const, "evict" as const) }),
  },
  fc.record({ kind: fc.constant("revert" as const), messages: fc.integer({ min: 1, max: 4 }) }),
)
/** A host with an inbox takes no part of the user's message. */
const admission = action.filter(({ kind }) => kind !== "prompt")
const withUnreadable = fc.oneof(action, fc.record({ kind: fc.constant("readable" as const), yes: fc.boolean() }))

test("whatever happens, each dispatch holds each rule that applies once, and extends the one before", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 40, size: "max" }), (actions) =>
      play(actions, { storedOnce: true }),
    ),
    { numRuns: runs(1000) },
  )
})

test("the same holds while the history can't be read back, but for a second stored copy, which no dispatch shows", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(withUnreadable, { maxLength: 40, size: "max" }), (actions) =>
      play(actions, { storedOnce: false }),
    ),
    { numRuns: runs(1000) },
  )
})

test("the same holds where a stored delivery waits for the next dispatch, and only dispatches show the history", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(admission, { maxLength: 40, size: "max" }), (actions) =>
      play(actions, { storedOnce: true, waits: true }),
    ),
    { numRuns: runs(1000) },
  )
})

/** @param host.waits stored deliveries wait in an inbox until a dispatch; nobody tells of what is not in one any more. */
async function play(
  actions: readonly Action[],
  { storedOnce, waits = false }: { storedOnce: boolean; waits?: boolean },
): Promise<void> {
  let history: Message[] = []
  let inbox: Message[] = []
  let visibleFrom = 0
  let readable = true
  let outcomes: Outcome[] = []
  let late: (() => void)[] = []
  let lastDispatch: readonly string[] = []
  let count = 0
  const matched = new Set<CompiledRule>()
  const applying = new Set<CompiledRule>()

  const store = (delivery: DurableDelivery | undefined) => {
    const message = { id: `msg_${count++}`, delivery }
    if (waits && delivery) inbox.push(message)
    else history.push(message)
    return message.id
  }
  const unconfirmed = (messageID: string, reason: string): PersistOutcome =>
    waits ? { kind: "open", messageID, reason } : { kind: "failed", reason }
  const visible = () => history.slice(visibleFrom)
  async function storedDeliveries(): Promise<StoredDeliveries> {
    if (!readable) return { kind: "unreadable", reason: "the host says no" }
    const deliveries = visible().flatMap(({ id, delivery }) => (delivery ? [{ ...delivery, messageID: id }] : []))
    return { kind: "read", deliveries }
  }
  const port: HostPort = {
    persist(_session, delivery) {
      const result = outcomes.shift() ?? "stored"
      if (result === "failed") return Promise.resolve(unconfirmed("msg_none", "the disk is full"))
      if (result === "answer lost") return Promise.resolve(unconfirmed(store(delivery), "the answer was lost"))
      if (result === "stored") return Promise.resolve({ kind: "stored", messageID: store(delivery) })
      return new Promise<PersistOutcome>((resolve) => {
        late.push(() => resolve({ kind: "stored", messageID: store(delivery) }))
      })
    },
    ...(waits ? {} : { storedDeliveries }),
    log: () => undefined,
  }
  let delivery = createRuleDelivery(port, 0)
  const durable = () => DURABLE.filter((one) => matched.has(one))

  const calm: Action[] = [
    { kind: "readable", yes: true },
    { kind: "late answers" },
    { kind: "dispatch" },
    { kind: "tool", outcomes: [] },
    { kind: "dispatch" },
  ]
  for (const action of [...actions, ...calm]) {
    if (action.kind === "match") matched.add(DURABLE[action.rule] as CompiledRule)
    if (action.kind === "applies") applying.add(TRANSIENT[action.rule] as CompiledRule)
    if (action.kind === "applies no more" && applying.delete(TRANSIENT[action.rule] as CompiledRule)) lastDispatch = []
    if (action.kind === "readable") readable = action.yes
    if (action.kind === "tool") {
      outcomes = [...action.outcomes]
      await delivery.flush(SESSION, durable())
      outcomes = []
    }
    if (action.kind === "late answers") {
      for (const answer of late) answer()
      late = []
      await Bun.sleep(0)
    }
    if (action.kind === "prompt") store(await delivery.append(SESSION, durable()))
    if (action.kind === "compact") {
      if (!waits) delivery.compacted(SESSION)
      visibleFrom = history.length
      store(undefined)
      lastDispatch = []
    }
    if (action.kind === "revert") {
      const removed = visible().slice(-action.messages)
      history = history.filter((message) => !removed.includes(message))
      if (!waits) for (const { id } of removed) delivery.messageRemoved(SESSION, id)
      lastDispatch = []
    }
    if (action.kind === "restart") {
      delivery = createRuleDelivery(port, 0)
      late = []
      lastDispatch = []
      matched.clear()
    }
    if (action.kind === "evict") {
      delivery.forget(SESSION)
      lastDispatch = []
      matched.clear()
    }
    if (action.kind === "dispatch") {
      const promoted = inbox
      inbox = []
      history.push(...promoted)
      if (visible().length === 0) store(undefined)
      for (const one of DURABLE)
        if (visible().some((message) => message.delivery?.rules.includes(one.id))) matched.add(one)
      const matches = { durable: durable(), transient: TRANSIENT.filter((one) => applying.has(one)) }
      const dispatch = render(visible(), delivery, matches)
      const text = dispatch.join("\n")
      for (const one of [...DURABLE, ...TRANSIENT]) {
        const applies = matched.has(one) || applying.has(one)
        expect(text.split(`<rule name="${one.name}">`).length - 1).toBe(applies ? 1 : 0)
      }
      expect(dispatch.slice(0, lastDispatch.length)).toEqual([...lastDispatch])
      lastDispatch = dispatch
      for (const { id } of promoted) delivery.messagePromoted(SESSION, id)
      store(undefined)
    }
    if (storedOnce) {
      for (const one of DURABLE) {
        const copies = [...visible(), ...inbox].filter((message) => message.delivery?.rules.includes(one.id))
        expect(copies.length).toBeLessThanOrEqual(1)
      }
    }
  }
  // Once nothing fails any more, everything that is matched is stored.
  for (const one of durable()) {
    expect(visible().some((message) => message.delivery?.rules.includes(one.id))).toBe(true)
  }
}

/** A dispatch as the provider would get it: one entry per message. */
function render(
  messages: readonly Message[],
  delivery: ReturnType<typeof createRuleDelivery>,
  matches: { durable: CompiledRule[]; transient: CompiledRule[] },
): string[] {
  const history: VisibleHistory = {
    messages: messages.map(({ id }) => id),
    deliveries: messages.flatMap((one) =>
      one.delivery ? [{ messageID: one.id, part: 0, rules: one.delivery.rules }] : [],
    ),
  }
  const { insertions, rewrites } = delivery.dispatch(SESSION, history, matches)
  return messages.flatMap(({ id, delivery: own }) => {
    const rewrite = rewrites.find(({ messageID }) => messageID === id)
    const text = rewrite ? rewrite.text : own?.text
    const inserted = insertions.filter(({ after }) => after === id).map((one) => one.text)
    // A prompt stays when its appended part is left out; a message of ours alone would go with it.
    return [...(own === undefined || text !== undefined ? [`${id}: ${text ?? ""}`] : []), ...inserted]
  })
}

function ruleNamed(name: string): CompiledRule {
  return { id: `project:${name}` as RuleId, name, body: `Body of ${name}.` } as CompiledRule
}
