import { expect, test } from "bun:test"
import type { RuleId } from "@opencode-rulebook/rule-schema"
import { shown } from "../../../test/support/engine.ts"
import { rulesOf } from "../../../test/support/rules.ts"
import { frameRules } from "../framing.ts"
import type { DurableDelivery, HostPort, PersistOutcome, StoredDeliveries } from "../port.ts"
import { createRuleDelivery } from "./rule-delivery.ts"

// What becomes of attempts to store, one by one, as a host answers them.

const SESSION = "ses_1"
const RULES = rulesOf({ "a.md": "Rule a.", "b.md": "Rule b.", "c.md": "Rule c." })
const [A, B, C] = RULES as [(typeof RULES)[0], (typeof RULES)[0], (typeof RULES)[0]]

interface Script {
  /** What the host answers to each attempt, in turn; it has stored the others. */
  readonly answers?: readonly (PersistOutcome | Error | Promise<PersistOutcome>)[]
  readonly history?: (attempts: readonly DurableDelivery[]) => StoredDeliveries
  readonly mostRules?: number
}

function played({ answers = [], history, mostRules }: Script) {
  const attempts: DurableDelivery[] = []
  const noted: string[] = []
  const log: string[] = []
  const port: HostPort = {
    async persist(session, delivery) {
      expect(session).toBe(SESSION)
      attempts.push(delivery)
      const answer = answers[attempts.length - 1] ?? { kind: "stored", messageID: `m${attempts.length}` }
      if (answer instanceof Error) throw answer
      return answer
    },
    ...(history && { storedDeliveries: async () => history(attempts) }),
    ...(mostRules !== undefined && { mostRules }),
    log: (level, message) => void log.push(`${level} ${message}`),
  }
  const delivery = createRuleDelivery(
    port,
    (session, rules, outcome) => void noted.push(`${session}: ${rules.join(" ")} ${outcome}`),
    0,
  )
  delivery.dispatch(SESSION, shown(["m0"]), { durable: [], transient: [] })
  return {
    ...delivery,
    noted,
    log,
    store: (rules = RULES, moment = {}) => delivery.flush(SESSION, rules, moment),
    /** The names of each attempt's rules. */
    attempts: () => attempts.map(({ rules }) => rules.map((id) => id.replace(/.*:|\.md/g, "")).join("")),
    delivered: () => RULES.filter(({ id }) => delivery.isDelivered(SESSION, id)).map(({ name }) => name),
    whole: attempts,
  }
}
const failed = { kind: "failed", reason: "the disk is full" } as const
const open = { kind: "open", messageID: "m9", reason: "no answer" } as const
const ALL = "project:a.md, project:b.md, project:c.md in session ses_1"
const UNTIL = "it is in each request until it is stored"

test("what the host has stored is delivered, and is noted", async () => {
  const { store, attempts, delivered, noted, log } = played({})
  await store([A, C])
  expect([attempts(), delivered(), log]).toEqual([["ac"], ["a", "c"], []])
  expect(noted).toEqual(["ses_1: project:a.md project:c.md stored"])
  await store()
  expect(attempts()).toEqual(["ac", "b"])
})

test("where several fail, each is tried alone; what fails alone is tried at the next safe point", async () => {
  const { store, attempts, delivered, noted, log } = played({ answers: [failed, failed] })
  await store()
  expect([attempts(), delivered()]).toEqual([
    ["abc", "a", "b", "c"],
    ["b", "c"],
  ])
  expect(noted).toEqual([
    "ses_1: project:a.md project:b.md project:c.md retry",
    "ses_1: project:a.md retry",
    "ses_1: project:b.md stored",
    "ses_1: project:c.md stored",
  ])
  expect(log).toEqual([
    `warn storing ${ALL} failed (the disk is full); ${UNTIL}`,
    `warn storing project:a.md in session ses_1 failed (the disk is full); ${UNTIL}`,
  ])
  await store()
  expect([attempts().slice(4), delivered()]).toEqual([["a"], ["a", "b", "c"]])
})

test("a single rule that fails is tried once", async () => {
  const { store, attempts, log } = played({ answers: [new Error("no such session")] })
  await store([A])
  expect(attempts()).toEqual(["a"])
  expect(log).toEqual([`warn storing project:a.md in session ses_1 failed (Error: no such session); ${UNTIL}`])
})

test("an attempt that failed, and that the history has, is stored; another one's copy is no evidence", async () => {
  const of = (attempts: readonly DurableDelivery[], at: number, id = attempts[at]?.id) => {
    return { messageID: "m5", id, rules: attempts[at]?.rules ?? [] }
  }
  const found = played({
    answers: [failed],
    history: (attempts) => ({ kind: "read", deliveries: [of(attempts, 0, "other"), of(attempts, 0)] }),
  })
  await found.store([A])
  expect([found.attempts(), found.delivered(), found.noted, found.log]).toEqual([
    ["a"],
    ["a"],
    ["ses_1: project:a.md stored"],
    [],
  ])
  // It came with that message, and goes with it.
  found.messageRemoved(SESSION, "m5")
  expect(found.delivered()).toEqual([])

  const answers = [
    { kind: "read", deliveries: [{ messageID: "m5", id: "other", rules: [A.id] }] },
    { kind: "unreadable", reason: "locked" },
  ] as const
  for (const answer of answers) {
    const lost = played({ answers: [failed], history: () => answer })
    await lost.store([A])
    expect([lost.delivered(), lost.noted]).toEqual([[], ["ses_1: project:a.md retry"]])
  }
})

test("an attempt that stays open is not made again before a request, and then each of its rules alone", async () => {
  const { store, attempts, delivered, dispatch, noted, log } = played({ answers: [open] })
  await store([A, B])
  await store()
  expect([attempts(), delivered()]).toEqual([["ab", "c"], ["c"]])
  expect(noted).toEqual(["ses_1: project:a.md project:b.md retry", "ses_1: project:c.md stored"])
  expect(log).toEqual([`warn storing project:a.md, project:b.md in session ses_1 failed (no answer); ${UNTIL}`])
  dispatch(SESSION, shown(["m0", "m1"]), { durable: RULES, transient: [] })
  await store()
  expect(attempts()).toEqual(["ab", "c", "a", "b"])
})

test("one that is late holds back the rest, and is not made again while it is on its way", async () => {
  const late = Promise.withResolvers<PersistOutcome>()
  const { store, attempts, delivered } = played({ answers: [late.promise], mostRules: 2 })
  await store()
  expect([attempts(), delivered()]).toEqual([["ab"], []])
  await store()
  expect(attempts()).toEqual(["ab", "c"])
  late.resolve({ kind: "stored", messageID: "m1" })
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
  expect(delivered()).toEqual(["a", "b", "c"])
})

test("one that is tried alone and is late holds back the rest", async () => {
  const { store, attempts } = played({ answers: [failed, new Promise(() => undefined)] })
  await store()
  expect(attempts()).toEqual(["abc", "a"])
})

test("a moment that has passed stores nothing more", async () => {
  let left = 2
  const moment = { isOver: () => --left < 0 }
  const grouped = played({ mostRules: 1 })
  await grouped.store(RULES, moment)
  expect(grouped.attempts()).toEqual(["a", "b"])
  left = 2
  const alone = played({ answers: [failed] })
  await alone.store(RULES, moment)
  expect(alone.attempts()).toEqual(["abc", "a"])
})

test("a delivery names its rules, its text, and where requests have shown each of them", async () => {
  const { store, dispatch, whole, placements, append } = played({})
  expect(placements(SESSION)).toEqual([])
  expect(placements("ses_other")).toEqual([])
  dispatch(SESSION, shown(["m0", "m1"]), { durable: [B], transient: [] })
  expect(placements(SESSION)).toEqual([{ after: "m1", rules: [B.id] }])
  await store([A, B], { callID: "call_7" })
  const parts = [
    { rules: [A.id], text: frameRules([A]), place: { kind: "call", id: "call_7" } },
    { rules: [B.id], text: frameRules([B]), place: { kind: "message", id: "m1" } },
  ] as const
  expect(whole.map(({ id, ...rest }) => rest)).toEqual([
    { rules: [A.id, B.id], text: frameRules([A, B]), parts: [...parts] },
  ])
  expect(await append(SESSION, [A, B])).toBeUndefined()
  const handed = await append(SESSION, RULES)
  expect(handed).toEqual({
    id: expect.any(String),
    rules: [C.id],
    text: frameRules([C]),
    parts: [{ rules: [C.id], text: frameRules([C]), place: undefined }],
  })
  expect(handed?.id).not.toBe(whole[0]?.id ?? "")
})

test("what is part of the user's message is not delivered before a request shows it, and is not handed over twice", async () => {
  const { append, delivered, dispatch, store, attempts } = played({})
  expect((await append(SESSION, [A]))?.rules).toEqual([A.id])
  expect(await append(SESSION, [A])).toBeUndefined()
  await store([A])
  expect([attempts(), delivered()]).toEqual([[], []])
  const { attempted } = dispatch(SESSION, shown(["m0", "m1"], { m1: [A.id] }), { durable: [A], transient: [] })
  expect([delivered(), [...attempted]]).toEqual([["a"], [A.id]])
  await store([B])
  expect([...attempted]).toEqual([A.id, B.id])
})

test("of a session that is not known nothing can be delivered, taken back or dropped", () => {
  const { isDelivered, forget, ...rest } = played({})
  for (const change of [rest.reverted, rest.compacted, forget]) change("ses_other")
  for (const change of [rest.messagePromoted, rest.messageRemoved]) change("ses_other", "m1")
  expect(isDelivered("ses_other", A.id)).toBeFalse()
})

test("a promoted delivery counts as long as requests show it", async () => {
  const { store, messagePromoted, dispatch, delivered } = played({})
  await store([A])
  const request = () => dispatch(SESSION, shown(["m0"]), { durable: [A], transient: [] })
  request()
  expect(delivered()).toEqual(["a"])
  messagePromoted(SESSION, "m1")
  request()
  expect(delivered()).toEqual([])
})

test("a dropped session begins anew", async () => {
  const { store, forget, delivered, attempts, dispatch, placements } = played({
    history: () => ({ kind: "read", deliveries: [] }),
  })
  dispatch(SESSION, shown(["m0"]), { durable: [B], transient: [] })
  await store([A])
  forget(SESSION)
  expect([delivered(), placements(SESSION)]).toEqual([[], []])
  await store([A])
  expect(attempts()).toEqual(["a", "a"])
  const { attempted } = dispatch(SESSION, shown(["m0"]), { durable: [], transient: [] })
  expect([...attempted] as RuleId[]).toEqual([A.id])
})
