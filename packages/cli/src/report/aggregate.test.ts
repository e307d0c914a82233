import { expect, test } from "bun:test"
import type { Change } from "@opencode-rulebook/rule-schema"
import { historyOf } from "../../test/support/history.ts"
import {
  delivered,
  matched,
  NOON,
  receiptRule,
  ruleId,
  type SessionScript,
  script,
} from "../../test/support/receipts.ts"
import { createAggregate } from "./aggregate.ts"
import type { Figures } from "./figures.ts"

const ROOT = "/home/dev/app"
const DAY = 24 * 60 * 60 * 1000

function figuresOf(...sessions: readonly SessionScript[]): Figures {
  const aggregate = createAggregate(ROOT)
  for (const session of sessions) aggregate.add(historyOf(session), 0)
  return aggregate.end()
}

const stopped = (path: string, reason: "blocked" | "held" | "refused"): Change => ({
  ...{ kind: "stopped", rule: ruleId(path), reason, tool: "edit", paths: [] },
})
const forbidden: Change = { kind: "forbidden", rule: ruleId("a.md"), path: "x", literal: 0 }
const followed: Change = { kind: "followed", rule: ruleId("a.md"), path: "x" }
const gone: Change = { kind: "gone", rule: ruleId("a.md"), reason: "compacted" }

/** Of two days ago, and of today: the newest comes first. */
const RULES = [receiptRule("a.md"), receiptRule("b.md", { name: "B", lifetime: "transient", activation: "hooks" })]
const NEWEST = script({ at: NOON, id: "ses_2" })
  .begin(RULES, ["bad.md", "worse.md"])
  .request({ tokens: 100, did: [{ tool: "read", paths: ["src/a.ts"] }] })
  .add(matched("a.md", "file", "src/a.ts"))
  .request({ tokens: 150 })
  .add(delivered("a.md", { tokens: 50 }))
  .add(stopped("a.md", "refused"), stopped("a.md", "held"), stopped("b.md", "blocked"), stopped("unknown.md", "held"))
  .add(forbidden, followed, followed)
  .request({ tokens: 200 })
  .add(gone, delivered("a.md", { tokens: 60, reason: "compacted" }))
  .add(stopped("a.md", "refused"))
const OLDER = script({ at: NOON - 2 * DAY, id: "ses_1", every: 60_000 })
  .begin([receiptRule("a.md", { name: "Older" })], ["worse.md"])
  .add(matched("a.md"))
  .request({ tokens: 7 })
  .add(delivered("a.md", { tokens: 40 }), forbidden)
  .add({ kind: "full" })

test("what the sessions of a project come to", () => {
  const aggregate = createAggregate(ROOT)
  aggregate.add(historyOf(NEWEST), 2)
  aggregate.skip()
  aggregate.add(historyOf(OLDER), 3)
  aggregate.skip()
  expect(aggregate.end()).toEqual({
    ...{ sessions: 2, requests: 4, tokens: 457, startedAt: NOON - 2 * DAY, endedAt: NOON + 15_000 },
    rules: [
      {
        ...{ id: ruleId("a.md"), name: "a", lifetime: "durable", activation: "conditions", tokens: 60 },
        ...{ sessions: 2, matched: 2, throughout: 1, arrivals: 3, carried: 3, cost: 150 },
        ...{ stopped: { blocked: 0, held: 1, refused: 2 }, forbidden: 2, followed: 2, moments: "1:1 2:0" },
      },
      {
        ...{ id: ruleId("b.md"), name: "B", lifetime: "transient", activation: "hooks", tokens: undefined },
        ...{ sessions: 1, matched: 0, throughout: 0, arrivals: 0, carried: 0, cost: 0 },
        ...{ stopped: { blocked: 1, held: 0, refused: 0 }, forbidden: 0, followed: 0, moments: "" },
      },
    ],
    broken: [
      { id: ruleId("worse.md"), sessions: 2 },
      { id: ruleId("bad.md"), sessions: 1 },
    ],
    days: [
      { day: "2026-11-28", sessions: 1, requests: 1, tokens: 7 },
      { day: "2026-11-30", sessions: 1, requests: 3, tokens: 450 },
    ],
    files: [{ path: "src/a.ts", sessions: 1, hasMatched: true }],
    hasMoreFiles: false,
    skipped: { lines: 5, files: 2, full: 1 },
  })
})

test("no session: nothing", () => {
  expect(createAggregate(ROOT).end()).toEqual({
    ...{ sessions: 0, requests: 0, tokens: 0, startedAt: Number.POSITIVE_INFINITY, endedAt: 0 },
    ...{ rules: [], broken: [], days: [], files: [], hasMoreFiles: false, skipped: { lines: 0, files: 0, full: 0 } },
  })
})

test("a session that sent nothing counts, its rules don't", () => {
  const figures = figuresOf(
    script()
      .begin([receiptRule("a.md")], ["bad.md"])
      .add(matched("a.md"), forbidden),
  )
  expect(figures).toMatchObject({
    ...{ sessions: 1, requests: 0, rules: [], broken: [{ id: ruleId("bad.md"), sessions: 1 }] },
    days: [{ day: "2026-11-30", sessions: 1, requests: 0, tokens: 0 }],
  })
})

test("several sessions of one day are one day", () => {
  const [early, late] = [0, 1].map((index) =>
    script({ id: `ses_${index}`, at: NOON + index * 60_000 })
      .begin()
      .request({ tokens: 10 }),
  )
  if (!early || !late) throw new Error("two sessions are made")
  // The one that was written last may have begun first.
  for (const sessions of [
    [late, early],
    [early, late],
  ])
    expect(figuresOf(...sessions)).toMatchObject({
      ...{ sessions: 2, startedAt: NOON, endedAt: NOON + 61_000 },
      days: [{ day: "2026-11-30", sessions: 2, requests: 2, tokens: 20 }],
    })
})

test("a rule's size is that of its newest arrival of which it is known", () => {
  const found: Change = { kind: "found", rules: [ruleId("a.md")] }
  const fork = script()
    .begin([receiptRule("a.md")])
    .request()
    .add(found)
  const sized = (...tokens: readonly number[]) => {
    const session = script().begin([receiptRule("a.md")])
    for (const own of tokens) session.request().add(delivered("a.md", { tokens: own }))
    return session
  }
  const size = (...sessions: readonly SessionScript[]) => figuresOf(...sessions).rules[0]?.tokens
  expect(size(fork)).toBeUndefined()
  expect(size(fork, sized(30, 20), sized(40))).toBe(20)
})

test("a rule that is found in a fork matched there, with the request that had it first", () => {
  const fork = script()
    .begin([receiptRule("a.md")])
    .request()
    .request()
    .add({ kind: "found", rules: [ruleId("a.md")] })
  expect(figuresOf(fork).rules[0]).toMatchObject({ matched: 1, moments: "1:2", carried: 1, throughout: 0 })
})

test("files count once a session, those of the most sessions first; a rule has matched by one when its file condition saw it", () => {
  const reads = (...paths: readonly string[]) => ({ did: paths.map((path) => ({ tool: "read", paths: [path] })) })
  const session = (directory: string, by: Change, ...paths: readonly string[]) =>
    script({ directory })
      .begin([receiptRule("a.md")])
      .add(by)
      .request(reads(...paths))
      .request(reads(...paths))
      .add(delivered("a.md"))
  const { files, hasMoreFiles } = figuresOf(
    session(ROOT, matched("a.md", "agent", "x.ts"), "x.ts", "/elsewhere/x.ts", "src/y.ts"),
    session(`${ROOT}/src`, matched("a.md", "file", "./y.ts"), "y.ts", "../z.ts"),
    session(ROOT, matched("a.md", "file", "/elsewhere/x.ts"), "./src/y.ts", "z.ts"),
    session(ROOT, { kind: "matched", rule: ruleId("a.md"), by: [{ kind: "always" }] }, "src/../src/y.ts"),
    session(ROOT, matched("a.md", "file"), "x.ts"),
    session(ROOT, matched("a.md", "file", "never-touched.ts")),
  )
  expect({ files, hasMoreFiles }).toEqual({
    files: [
      { path: "src/y.ts", sessions: 4, hasMatched: true },
      { path: "x.ts", sessions: 2, hasMatched: false },
      { path: "z.ts", sessions: 2, hasMatched: false },
    ],
    hasMoreFiles: false,
  })
})

test("of very many files those of the newest sessions are kept", () => {
  const touch = (id: string, paths: readonly string[]) =>
    script({ id })
      .begin()
      .request({ did: [{ tool: "read", paths }] })
  const names = Array.from({ length: 20_000 }, (_, index) => `${index}.ts`)
  const full = figuresOf(touch("ses_2", names))
  expect([full.files.length, full.hasMoreFiles]).toEqual([20_000, false])
  const more = figuresOf(touch("ses_2", names), touch("ses_1", ["7.ts", "new.ts", "/elsewhere/x.ts"]))
  expect([more.files.length, more.files[0], more.hasMoreFiles]).toEqual([
    20_000,
    { path: "7.ts", sessions: 2, hasMatched: false },
    true,
  ])
})
