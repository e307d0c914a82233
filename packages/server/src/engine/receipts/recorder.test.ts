import { expect, test } from "bun:test"
import { NO_FACTS, type Receipt } from "@opencode-rulebook/rule-schema"
import { shown } from "../../../test/support/engine.ts"
import { receiptLines } from "../../../test/support/receipt-lines.ts"
import { ruleOf } from "../../../test/support/rules.ts"
import { createRecorder } from "./recorder.ts"

const RULE = ruleOf("---\nagent: [build]\nforbid: log(\n---\nText.")
const BY = [{ kind: "condition", family: "agent", seen: "build" }] as const

function recording() {
  const receipts: Receipt[] = []
  const session = { id: "ses_1", dispatches: 0, causes: new Map(), heldAt: new Map() }
  const sink = {
    host: "a host",
    plugin: "1.2.3",
    note(id: string, receipt: Receipt) {
      expect(id).toBe("ses_1")
      receipts.push(receipt)
    },
  }
  let clock = 100
  const recorder = createRecorder(
    session,
    "/home/dev/app",
    sink,
    (path) => `noted/${path}`,
    () => clock++,
  )
  const request = (more: object = {}) => {
    session.dispatches += 1
    const nothing = { isRepeated: false, isPrompted: false, tokens: 0, deliveries: [], came: [], went: [] }
    recorder.request({ ...nothing, facts: { ...NO_FACTS, agent: "build" }, history: shown([]), ...more })
  }
  const lines = () => receiptLines({ receipts: receipts.splice(0) })
  return { recorder, receipts, request, lines }
}

test("each receipt has the version, the time and the number of the newest request", () => {
  const { recorder, receipts, request } = recording()
  recorder.matched(RULE, BY, "now")
  request()
  recorder.matched(RULE, BY, "now")
  expect(receipts).toEqual([
    { v: 1, at: 100, request: 0, kind: "matched", rule: RULE.id, by: BY },
    { v: 1, at: 101, request: 1, kind: "request", agent: "build", prompted: false, did: [], tokens: 0 },
    { v: 1, at: 102, request: 1, kind: "matched", rule: RULE.id, by: BY },
  ])
})

test("what happens between two requests", () => {
  const { recorder, request, lines } = recording()
  recorder.rules([RULE], [])
  recorder.matched(RULE, BY, "with the request")
  expect(lines()).toEqual(["0 session begins: a"])
  request({ isPrompted: true })
  expect(lines()).toEqual(["1 request prompted", "1 matched a by agent build"])
  recorder.fired(RULE, "PreToolUse", "x".repeat(200))
  recorder.stopped([{ id: RULE.id, reason: "held" }], "write", ["b.rs", "b.rs"])
  recorder.ended("read", ["c.rs"])
  recorder.judged({ rule: RULE, path: "c.rs", added: [{ literal: 0, line: 3 }] })
  recorder.stored([RULE.id], "retry")
  expect(lines()).toEqual([
    `1 hook a PreToolUse ${"x".repeat(100)}`,
    "1 stopped a held write noted/b.rs",
    "1 forbidden a noted/c.rs:3 literal 0",
    "1 store a retry",
  ])
  request({ history: shown(["m1"], { m1: [RULE.id] }) })
  expect(lines()).toEqual(["2 request (write noted/b.rs stopped) (read noted/c.rs)", "2 store a stored"])
  request()
  expect(lines()).toEqual(["3 request"])
})

test("the calls before a request that is repeated are those of the next", () => {
  const { recorder, request, lines } = recording()
  recorder.ended("read", ["a.rs"])
  request({ isRepeated: true })
  request()
  expect(lines()).toEqual(["2 request (read noted/a.rs)"])
})

test("the verdicts of a turn are noted when it ends, once, and only what has changed", () => {
  const { recorder, request, lines } = recording()
  recorder.turnEnded([RULE])
  expect(lines()).toEqual([])
  request()
  lines()
  recorder.turnEnded([RULE])
  expect(lines()).toEqual(["1 verdicts a+agent=build"])
  request({ facts: { ...NO_FACTS, agent: "plan" } })
  request()
  lines()
  recorder.turnEnded([RULE])
  expect(lines()).toEqual([])
  request({ facts: { ...NO_FACTS, agent: "plan" } })
  lines()
  recorder.turnEnded([RULE])
  recorder.turnEnded([RULE])
  expect(lines()).toEqual(["4 verdicts a-agent=plan"])
})
