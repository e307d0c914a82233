import { expect, test } from "bun:test"
import { compiled } from "../../../test/support/compiled.ts"
import { historyOf } from "../../../test/support/history.ts"
import {
  delivered,
  matched,
  NOON,
  receiptRule,
  ruleId,
  type SessionScript,
  script,
} from "../../../test/support/receipts.ts"
import { RELEASE, RUST, story } from "../../../test/support/story.ts"
import type { PageSession } from "./data.ts"
import { pageSession } from "./session.ts"

const ROOT = "/home/dev/app"

function page(session: SessionScript, ...listed: readonly string[]): PageSession {
  const onDisk = [compiled("unsafe.md", RUST), compiled("release.md", RELEASE)]
  return pageSession(historyOf(session), {
    root: ROOT,
    places: new Map(listed.map((path, index) => [ruleId(path), index])),
    onDisk: new Map(onDisk.map((rule) => [rule.id, rule])),
  })
}

test("a session with something of everything in it", () => {
  const listed = ["read-me.md", "force.md", "build.md", "release.md", "unsafe.md", "style.md"]
  expect(page(story(`${ROOT}/packages/api`), ...listed)).toEqual({
    ...{
      id: "ses_1",
      startedAt: NOON,
      endedAt: NOON + 22_000,
      isFull: false,
      host: "OpenCode 1",
      folder: "packages/api",
    },
    requests: [
      {
        ...{ number: 1, at: NOON + 3000, tokens: 120, by: "build · anthropic/claude", prompted: true, did: [] },
        isRestart: false,
      },
      {
        ...{ number: 2, at: NOON + 9000, tokens: 164, by: "build · anthropic/claude", prompted: false },
        ...{ did: ["read src/a.rs, src/b.rs"], isRestart: false },
      },
      {
        ...{ number: 3, at: NOON + 13_000, tokens: 154, by: "plan · anthropic/claude", prompted: false },
        ...{ did: ["✗ bash"], isRestart: false },
      },
      {
        ...{ number: 4, at: NOON + 19_000, tokens: 110, by: "plan · anthropic/claude", prompted: true },
        ...{ did: ["edit src/a.rs"], isRestart: true },
      },
    ],
    rows: [
      {
        ...{ rule: 5, spans: [[1, 4]] },
        marks: [{ request: 1, kind: "came", text: "matched: always, durable, about 100 tokens" }],
      },
      {
        ...{ rule: 2, spans: [[1, 2]] },
        marks: [
          { request: 1, kind: "came", text: "matched: agent build, transient, about 20 tokens" },
          { request: 3, kind: "left", text: "left: ended" },
        ],
      },
      {
        ...{ rule: 4, spans: [[2, 3]] },
        marks: [
          { request: 2, kind: "came", text: "matched: file src/a.rs, durable, about 44 tokens" },
          { request: 4, kind: "forbidden", text: "forbidden: src/a.rs:7" },
          { request: 4, kind: "left", text: "left: compacted" },
          // After the newest request: shown at it.
          { request: 4, kind: "followed", text: "followed: src/b.rs" },
        ],
      },
      {
        ...{ rule: 1, spans: [[3, 4]] },
        marks: [
          { request: 3, kind: "stopped", text: "blocked: bash" },
          { request: 3, kind: "hook", text: "hook: a bash call, durable, about 10 tokens" },
        ],
      },
    ],
    missing: [
      {
        ...{ rule: 4, why: "compacted: a compaction took it from the conversation" },
        conditions: [{ met: true, text: '**/*.rs · contains "unsafe {", saw src/a.rs' }],
      },
      {
        ...{ rule: 3, why: "not all of its conditions are met" },
        conditions: [
          { met: false, text: 'prompt "release"' },
          { met: true, text: "branch release/*, saw release/1" },
        ],
      },
      { rule: 2, why: "ended: its conditions no longer match", conditions: [] },
      { rule: 0, why: "on request: the index names it, and the model reads it if it needs it", conditions: [] },
    ],
  })
})

test("of a request whose agent or model is not known, the other is named", () => {
  const request = { kind: "request", prompted: false, did: [], tokens: 0 } as const
  const names = [{}, { agent: "a\n" }, { model: "m" }, { agent: "a", model: "m" }]
  const by = names.flatMap((own) =>
    page(
      script()
        .begin()
        .add({ ...request, ...own }),
    ).requests.map((one) => one.by),
  )
  expect(by).toEqual(["", "a\\n", "m", "a · m"])
})

test("a rule is marked by how it came", () => {
  const cases = [
    ["matched", "came", "matched"],
    ["held", "came", "held"],
    ["hook", "hook", "hook"],
    ["compacted", "again", "again: compacted"],
    ["reverted", "again", "again: reverted"],
    ["reminded", "reminded", "reminded"],
    ["forbidden", "reminded", "forbidden"],
  ] as const
  for (const [reason, kind, text] of cases) {
    const session = script()
      .begin([receiptRule("a.md")])
      .request()
      .add(delivered("a.md", { reason, tokens: 1 }))
    expect(page(session, "a.md").rows[0]?.marks).toEqual([
      { request: 1, kind, text: `${text}, durable, about 1 token` },
    ])
  }
  const fork = script()
    .begin([receiptRule("a.md")])
    .request()
    .add({ kind: "found", rules: [ruleId("a.md")] })
  expect(page(fork, "a.md").rows[0]?.marks).toEqual([{ request: 1, kind: "came", text: "found, durable" }])
})

test("calls that a rule stopped, broke or kept to, with what they were about", () => {
  const session = script()
    .begin([receiptRule("a.md"), receiptRule("unlisted.md"), receiptRule("silent.md")])
    .add({ kind: "stopped", rule: ruleId("a.md"), reason: "held", tool: "edit", paths: ["x\n", "y"] })
    .add({ kind: "stopped", rule: ruleId("unlisted.md"), reason: "held", tool: "edit", paths: [] })
    .add({ kind: "forbidden", rule: ruleId("a.md"), path: "x", literal: 0 })
  // Before the first request: shown at it.
  const marks = [
    { request: 1, kind: "stopped", text: "held: edit x\\n y" },
    { request: 1, kind: "forbidden", text: "forbidden: x" },
  ] as const
  expect(page(session, "silent.md", "a.md").rows).toEqual([{ rule: 1, spans: [], marks }])
  expect(page(session.request().request(), "silent.md", "a.md").rows).toEqual([{ rule: 1, spans: [], marks }])
})

test("a rule that is there again with the same request has not left", () => {
  const session = script()
    .begin([receiptRule("a.md")])
    .request()
    .add(delivered("a.md"))
    .request()
    .add({ kind: "gone", rule: ruleId("a.md"), reason: "reverted" }, delivered("a.md", { reason: "reverted" }))
  expect(page(session, "a.md").rows).toEqual([
    {
      ...{ rule: 0, spans: [[1, 2]] },
      marks: [
        { request: 1, kind: "came", text: "matched, durable, about 100 tokens" },
        { request: 2, kind: "again", text: "again: reverted, durable, about 100 tokens" },
      ],
    },
  ])
})

test("rules are in the order in which something happened with them first", () => {
  const session = script()
    .begin(["a.md", "b.md", "c.md"].map((path) => receiptRule(path)))
    .request()
    .add(delivered("c.md"))
    .request()
    .add(delivered("a.md"), delivered("b.md"))
  expect(page(session, "a.md", "b.md", "c.md").rows.map(({ rule }) => rule)).toEqual([2, 0, 1])
})

test("the host is that of the last process, and names have no control characters", () => {
  const begin = { kind: "session", begins: true, sessionID: "ses\n1", directory: ROOT, plugin: "0.1.0" } as const
  const session = script()
    .add(
      { ...begin, host: "OpenCode 1", rules: [], broken: [] },
      { ...begin, host: "OpenCode\t2", rules: [], broken: [] },
    )
    .add(matched("a.md"), { kind: "full" })
  expect(page(session, "a.md")).toMatchObject({ id: "ses\\n1", host: "OpenCode\\t2", folder: "", isFull: true })
  // A file without the line of a process has no host.
  expect(page(script().add({ ...begin, begins: false, host: "h", rules: [], broken: [] })).host).toBe("")
})
