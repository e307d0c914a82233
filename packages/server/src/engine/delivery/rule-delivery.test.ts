import { expect, setDefaultTimeout, test } from "bun:test"
import type { CompiledRule, RuleId } from "@opencode-rulebook/rule-schema"
import fc from "fast-check"
import { runs } from "../../../test/support/runs.ts"
import type {
  DeliveredPart,
  DurableDelivery,
  HostPort,
  PersistOutcome,
  StoredDeliveries,
  VisibleHistory,
} from "../port.ts"
import { createRuleDelivery } from "./rule-delivery.ts"

setDefaultTimeout(60_000)

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
  readonly isPrompt: boolean
  readonly parts: Part[]
}

/** A delivered part, and the attempt that stored it. */
type Part = DeliveredPart & { readonly delivery: string }

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

test("the same holds where a delivery becomes a part of an older message, and places outlive a restart", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 40, size: "max" }), (actions) =>
      play(actions, { storedOnce: true, carries: true }),
    ),
    { numRuns: runs(1000) },
  )
})

/**
 * @param host.carries deliveries become parts of the newest prompt, and say where they are to stand.
 * @param host.waits stored deliveries wait in an inbox until a dispatch; nobody tells of what is not in one any more.
 */
async function play(
  actions: readonly Action[],
  { storedOnce, waits = false, carries = false }: { storedOnce: boolean; waits?: boolean; carries?: boolean },
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

  /** Whether what the latest dispatch held is stored as it stood. */
  let isStoredAsShown = true
  let wasEvicted = false

  const add = (isPrompt: boolean, parts: Part[], to = history) => {
    const message = { id: `msg_${count++}`, isPrompt, parts }
    to.push(message)
    return message.id
  }
  const partsOf = (delivery: DurableDelivery | undefined): Part[] =>
    delivery?.parts.map((part) => ({ ...part, delivery: delivery.id })) ?? []
  const store = (delivery: DurableDelivery) => {
    const whole = { delivery: delivery.id, rules: delivery.rules, text: delivery.text, place: undefined }
    const carrier = carries ? visible().findLast(({ isPrompt }) => isPrompt) : undefined
    if (carrier === undefined) return add(true, [whole], waits ? inbox : history)
    carrier.parts.push(...partsOf(delivery))
    return carrier.id
  }
  const unconfirmed = (messageID: string, reason: string): PersistOutcome =>
    waits ? { kind: "open", messageID, reason } : { kind: "failed", reason }
  const visible = () => history.slice(visibleFrom)
  async function storedDeliveries(): Promise<StoredDeliveries> {
    if (!readable) return { kind: "unreadable", reason: "the host says no" }
    const deliveries = visible().flatMap(({ id, parts }) =>
      parts.map(({ delivery, rules }) => ({ id: delivery, rules, messageID: id })),
    )
    return { kind: "read", deliveries }
  }
  const port: HostPort = {
    persist(_session, delivery) {
      const result = outcomes.shift() ?? "stored"
      if (result !== "stored") isStoredAsShown = false
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
  let delivery = createRuleDelivery(port, () => undefined, 0)
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
      const step = visible().findLast(({ isPrompt }) => !isPrompt)
      if (step || !carries) await delivery.flush(SESSION, durable(), step ? { callID: callOf(step) } : {})
      outcomes = []
    }
    if (action.kind === "late answers") {
      // Stored behind the back of a session that knew nothing of it any more, a text comes to stand in the past.
      if (carries && wasEvicted && late.length > 0) lastDispatch = []
      for (const answer of late) answer()
      late = []
      await Bun.sleep(0)
    }
    if (action.kind === "prompt") {
      const handed = await delivery.append(SESSION, durable())
      const whole = handed && { delivery: handed.id, rules: handed.rules, text: handed.text, place: undefined }
      add(true, carries ? partsOf(handed) : whole ? [whole] : [])
    }
    if (action.kind === "compact") {
      if (!waits) delivery.compacted(SESSION)
      visibleFrom = history.length
      isStoredAsShown = true
      add(true, [])
      lastDispatch = []
    }
    if (action.kind === "revert") {
      const removed = visible().slice(-action.messages)
      history = history.filter((message) => !removed.includes(message))
      if (!waits) for (const { id } of removed) delivery.messageRemoved(SESSION, id)
      lastDispatch = []
    }
    if (action.kind === "restart") {
      delivery = createRuleDelivery(port, () => undefined, 0)
      late = []
      const isStored = (one: CompiledRule) => visible().some((message) => holds(message, one))
      if (!carries || !isStoredAsShown || applying.size > 0 || !durable().every(isStored)) lastDispatch = []
      matched.clear()
    }
    if (action.kind === "evict") {
      delivery.forget(SESSION)
      wasEvicted = true
      lastDispatch = []
      matched.clear()
    }
    if (action.kind === "dispatch") {
      const promoted = inbox
      inbox = []
      history.push(...promoted)
      if (visible().length === 0) add(true, [])
      for (const one of DURABLE) if (visible().some((message) => holds(message, one))) matched.add(one)
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
      add(false, [])
    }
    if (storedOnce) {
      for (const one of DURABLE) {
        const copies = [...visible(), ...inbox].flatMap(({ parts }) =>
          parts.filter(({ rules }) => rules.includes(one.id)),
        )
        expect(copies.length).toBeLessThanOrEqual(1)
      }
    }
  }
  // Once nothing fails any more, everything that is matched is stored.
  for (const one of durable()) {
    expect(visible().some((message) => holds(message, one))).toBe(true)
  }
}

function holds({ parts }: Message, rule: CompiledRule): boolean {
  return parts.some(({ rules }) => rules.includes(rule.id))
}

function callOf({ id }: Message): string {
  return `call_${id}`
}

/** A dispatch as the provider would get it: the messages, and each text where it stands. */
function render(
  messages: readonly Message[],
  delivery: ReturnType<typeof createRuleDelivery>,
  matches: { durable: CompiledRule[]; transient: CompiledRule[] },
): string[] {
  const placeOf = ({ place }: Part) =>
    messages.find((one) => place?.id === (place?.kind === "call" ? callOf(one) : one.id))?.id
  const history: VisibleHistory = {
    messages: messages.map(({ id }) => id),
    deliveries: messages.flatMap(({ id, parts }) =>
      parts.map((part, index) => ({ messageID: id, part: index, rules: part.rules, after: placeOf(part) })),
    ),
  }
  const { insertions, rewrites, moves } = delivery.dispatch(SESSION, history, matches).edits
  const textOf = (messageID: string, part: number) => {
    const rewrite = rewrites.find((one) => one.messageID === messageID && one.part === part)
    return rewrite ? rewrite.text : messages.find(({ id }) => id === messageID)?.parts[part]?.text
  }
  return messages.flatMap(({ id, isPrompt, parts }) => {
    const isMoved = (part: number) => moves.some((one) => one.messageID === id && one.part === part)
    const own = parts.map((_part, index) => (isMoved(index) ? undefined : textOf(id, index)))
    const moved = moves.filter(({ after }) => after === id).map((one) => textOf(one.messageID, one.part))
    const inserted = insertions.filter(({ after }) => after === id).map((one) => one.text)
    // A prompt stays when its appended part is left out; a message of ours alone would go with it.
    return [`${isPrompt ? "prompt" : "answer"} ${id}`, ...own, ...moved, ...inserted].filter(
      (text) => text !== undefined,
    )
  })
}

function ruleNamed(name: string): CompiledRule {
  return { id: `project:${name}` as RuleId, name, body: `Body of ${name}.` } as CompiledRule
}
