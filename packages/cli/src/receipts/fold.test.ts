import { describe, expect, test } from "bun:test"
import type { Change, Receipt } from "@opencode-rulebook/rule-schema"
import {
  delivered,
  matched,
  NOON,
  receiptRule,
  ruleId,
  type SessionScript,
  script,
} from "../../test/support/receipts.ts"
import { story } from "../../test/support/story.ts"
import { createHistoryBuilder } from "./fold.ts"
import type { Arrival, SessionHistory } from "./history.ts"

function historyOf({ receipts }: SessionScript): SessionHistory | undefined {
  return fold(receipts)
}

function fold(receipts: readonly Receipt[]): SessionHistory | undefined {
  const builder = createHistoryBuilder()
  for (const receipt of receipts) builder.add(receipt)
  return builder.end()
}

/** The arrivals of one rule, each in a line with all that it has. */
function arrivals(session: SessionScript, path = "a.md"): readonly string[] | undefined {
  return historyOf(session)?.rules.get(ruleId(path))?.arrivals.map(lineOf)
}

function lineOf({ rule, request, reason, lifetime, isStored, tokens, by, until, leftBy }: Arrival): string {
  const end = until === undefined ? "" : ` until ${until}${leftBy ? ` (${leftBy})` : ""}`
  const matchers = by.map((each) => Object.values(each).join("/")).join(",")
  return `${rule} ${request} ${reason}[${matchers}] ${lifetime} ${isStored ? "stored" : "not stored"} ${tokens}${end}`
}

const on = (reason: Extract<Change, { kind: "transient" }>["reason"] = "matched", tokens = 10): Change => ({
  ...{ kind: "transient", rule: ruleId("a.md"), isOn: true, reason, tokens },
})
const off = (reason: Extract<Change, { kind: "transient" }>["reason"]): Change => ({
  ...{ kind: "transient", rule: ruleId("a.md"), isOn: false, reason, tokens: 10 },
})
const gone = (reason: "compacted" | "reverted"): Change => ({ kind: "gone", rule: ruleId("a.md"), reason })
const store = (outcome: "stored" | "retry"): Change => ({ kind: "store", rules: [ruleId("a.md")], outcome })
const found: Change = { kind: "found", rules: [ruleId("a.md")] }
const begun = () => script().begin([receiptRule("a.md")])

test("the whole of a session of two processes", () => {
  const history = historyOf(story("/home/dev/app"))
  const { rules, steps, ...rest } = history as SessionHistory
  expect(rest).toEqual({
    ...{ id: "ses_1", directory: "/home/dev/app", startedAt: NOON, endedAt: NOON + 22_000, isFull: false },
    runs: [
      { at: NOON, host: "OpenCode 1", plugin: "0.1.0", firstRequest: 1 },
      { at: NOON + 18_000, host: "OpenCode 1", plugin: "0.1.0", firstRequest: 4 },
    ],
    broken: [ruleId("bad.md")],
  })
  expect(steps.map((step) => ({ ...step, arrived: step.arrived.map(lineOf) }))).toMatchInlineSnapshot(`
    [
      {
        "agent": "build",
        "arrived": [
          "project:style.md 1 matched[always] durable stored 100",
          "project:build.md 1 matched[condition/agent/build] transient not stored 20 until 3 (ended)",
        ],
        "at": 1796040003000,
        "did": [],
        "followed": [],
        "forbidden": [],
        "isSent": true,
        "left": [],
        "model": "anthropic/claude",
        "number": 1,
        "prompted": true,
        "stopped": [],
        "tokens": 120,
      },
      {
        "agent": "build",
        "arrived": [
          "project:unsafe.md 2 matched[condition/file/src/a.rs] durable stored 44 until 4 (compacted)",
        ],
        "at": 1796040009000,
        "did": [
          {
            "paths": [
              "src/a.rs",
            ],
            "tool": "read",
          },
          {
            "paths": [
              "src/b.rs",
            ],
            "tool": "read",
          },
        ],
        "followed": [],
        "forbidden": [],
        "isSent": true,
        "left": [],
        "model": "anthropic/claude",
        "number": 2,
        "prompted": false,
        "stopped": [],
        "tokens": 164,
      },
      {
        "agent": "plan",
        "arrived": [
          "project:force.md 3 hook[hook/bash] durable stored 10",
        ],
        "at": 1796040013000,
        "did": [
          {
            "paths": [],
            "stopped": true,
            "tool": "bash",
          },
        ],
        "followed": [],
        "forbidden": [],
        "isSent": true,
        "left": [
          {
            "reason": "ended",
            "rule": "project:build.md",
          },
        ],
        "model": "anthropic/claude",
        "number": 3,
        "prompted": false,
        "stopped": [
          {
            "at": 1796040012000,
            "kind": "stopped",
            "paths": [],
            "reason": "blocked",
            "request": 2,
            "rule": "project:force.md",
            "tool": "bash",
            "v": 1,
          },
        ],
        "tokens": 154,
      },
      {
        "agent": "plan",
        "arrived": [],
        "at": 1796040019000,
        "did": [
          {
            "paths": [
              "src/a.rs",
            ],
            "tool": "edit",
          },
        ],
        "followed": [],
        "forbidden": [
          {
            "at": 1796040017000,
            "kind": "forbidden",
            "line": 7,
            "literal": 0,
            "path": "src/a.rs",
            "request": 3,
            "rule": "project:unsafe.md",
            "v": 1,
          },
        ],
        "isSent": true,
        "left": [
          {
            "reason": "compacted",
            "rule": "project:unsafe.md",
          },
        ],
        "model": "anthropic/claude",
        "number": 4,
        "prompted": true,
        "stopped": [],
        "tokens": 110,
      },
      {
        "agent": undefined,
        "arrived": [],
        "at": 1796040022000,
        "did": [],
        "followed": [
          {
            "at": 1796040022000,
            "kind": "followed",
            "path": "src/b.rs",
            "request": 1,
            "rule": "project:unsafe.md",
            "v": 1,
          },
        ],
        "forbidden": [],
        "isSent": false,
        "left": [],
        "model": undefined,
        "number": 5,
        "prompted": false,
        "stopped": [],
        "tokens": 0,
      },
    ]
  `)
  expect(
    Array.from(rules.values(), ({ digest: _, ...rule }) => ({ ...rule, arrivals: rule.arrivals.map(lineOf) })),
  ).toMatchInlineSnapshot(`
    [
      {
        "activation": "always",
        "arrivals": [
          "project:style.md 1 matched[always] durable stored 100",
        ],
        "id": "project:style.md",
        "lifetime": "durable",
        "matchedAfter": 0,
        "name": "House style",
        "retries": 1,
        "verdicts": undefined,
      },
      {
        "activation": "conditions",
        "arrivals": [
          "project:unsafe.md 2 matched[condition/file/src/a.rs] durable stored 44 until 4 (compacted)",
        ],
        "id": "project:unsafe.md",
        "lifetime": "durable",
        "matchedAfter": 1,
        "name": "Unsafe Rust",
        "retries": 0,
        "verdicts": [
          {
            "family": "file",
            "met": true,
            "seen": "src/a.rs",
          },
        ],
      },
      {
        "activation": "conditions",
        "arrivals": [],
        "id": "project:release.md",
        "lifetime": "transient",
        "matchedAfter": undefined,
        "name": "Releases",
        "retries": 0,
        "verdicts": [
          {
            "family": "keywords",
            "met": false,
          },
          {
            "family": "branch",
            "met": true,
            "seen": "release/1",
          },
        ],
      },
      {
        "activation": "conditions",
        "arrivals": [
          "project:build.md 1 matched[condition/agent/build] transient not stored 20 until 3 (ended)",
        ],
        "id": "project:build.md",
        "lifetime": "transient",
        "matchedAfter": 0,
        "name": "While building",
        "retries": 0,
        "verdicts": undefined,
      },
      {
        "activation": "hooks",
        "arrivals": [
          "project:force.md 3 hook[hook/bash] durable stored 10",
        ],
        "id": "project:force.md",
        "lifetime": "durable",
        "matchedAfter": 2,
        "name": "No force",
        "retries": 0,
        "verdicts": undefined,
      },
      {
        "activation": "onRequest",
        "arrivals": [],
        "id": "project:read-me.md",
        "lifetime": "durable",
        "matchedAfter": undefined,
        "name": "Deploying",
        "retries": 0,
        "verdicts": undefined,
      },
    ]
  `)
})

describe("a rule's arrivals", () => {
  const cases: readonly (readonly [name: string, session: SessionScript, arrivals: readonly string[]])[] = [
    [
      "what matched it last is what brought it, and it stays",
      begun()
        .add(matched("a.md", "file", "x"))
        .add(matched("a.md", "agent", "build"))
        .request()
        .request()
        .add(delivered("a.md")),
      ["project:a.md 2 matched[condition/agent/build] durable stored 100"],
    ],
    [
      "a hook brings it, into the request alone",
      begun()
        .add({ kind: "hook", rule: ruleId("a.md"), on: "PreToolUse", tool: "bash" })
        .request()
        .add(delivered("a.md", { reason: "hook", how: "request", tokens: 7 })),
      ["project:a.md 1 hook[hook/bash] durable not stored 7"],
    ],
    [
      "an attempt to store it fails, another succeeds",
      begun()
        .request()
        .add(delivered("a.md", { how: "request" }))
        .add(store("retry"), store("stored")),
      ["project:a.md 1 matched[] durable stored 100"],
    ],
    [
      "a failed attempt alone stores nothing",
      begun()
        .request()
        .add(delivered("a.md", { how: "request" }))
        .add(store("retry")),
      ["project:a.md 1 matched[] durable not stored 100"],
    ],
    [
      "a compaction takes it, and it comes again",
      begun()
        .request()
        .add(delivered("a.md"))
        .request()
        .request()
        .add(gone("compacted"), delivered("a.md", { reason: "compacted", count: 2 })),
      [
        "project:a.md 1 matched[] durable stored 100 until 3 (compacted)",
        "project:a.md 3 compacted[] durable stored 100",
      ],
    ],
    [
      "an undo takes what came again after a compaction",
      begun()
        .request()
        .add(delivered("a.md"))
        .request()
        .add(gone("compacted"), delivered("a.md", { reason: "compacted", count: 2 }))
        .request()
        .add(gone("reverted")),
      [
        "project:a.md 1 matched[] durable stored 100 until 2 (compacted)",
        "project:a.md 2 compacted[] durable stored 100 until 3 (reverted)",
      ],
    ],
    [
      "another delivery takes the place of the one before",
      begun()
        .request()
        .add(delivered("a.md"))
        .request()
        .add(delivered("a.md", { count: 2, tokens: 90 })),
      ["project:a.md 1 matched[] durable stored 100 until 2", "project:a.md 2 matched[] durable stored 90"],
    ],
    [
      "a reminder and a notice stand beside it, and an undo takes all",
      begun()
        .request()
        .add(delivered("a.md"))
        .request()
        .add(delivered("a.md", { reason: "reminded", count: 2 }))
        .request()
        .add(delivered("a.md", { reason: "forbidden", count: 3 }))
        .request()
        .add(gone("reverted")),
      [
        "project:a.md 1 matched[] durable stored 100 until 4 (reverted)",
        "project:a.md 2 reminded[] durable stored 100 until 4 (reverted)",
        "project:a.md 3 forbidden[] durable stored 100 until 4 (reverted)",
      ],
    ],
    [
      "a transient one comes, ends, and comes anew",
      begun().request().add(on()).request().request().add(off("ended")).request().add(on("matched", 12)),
      [
        "project:a.md 1 matched[] transient not stored 10 until 3 (ended)",
        "project:a.md 4 matched[] transient not stored 12",
      ],
    ],
    [
      "a transient one becomes durable",
      begun().request().add(on()).request().add(off("matched"), delivered("a.md")),
      [
        "project:a.md 1 matched[] transient not stored 10 until 2 (matched)",
        "project:a.md 2 matched[] durable stored 100",
      ],
    ],
    [
      "a delivery of any reason takes the place of a transient one",
      begun()
        .request()
        .add(on())
        .request()
        .add(delivered("a.md", { reason: "reminded" })),
      ["project:a.md 1 matched[] transient not stored 10 until 2", "project:a.md 2 reminded[] durable stored 100"],
    ],
    [
      "a transient one is not what a compaction takes, nor a durable one what ends",
      begun().request().add(on()).request().add(gone("compacted")),
      ["project:a.md 1 matched[] transient not stored 10"],
    ],
    [
      "a durable one does not end",
      begun().request().add(delivered("a.md")).request().add(off("ended")),
      ["project:a.md 1 matched[] durable stored 100"],
    ],
    [
      "storing does not concern a transient one",
      begun().request().add(on()).add(store("stored")),
      ["project:a.md 1 matched[] transient not stored 10"],
    ],
    [
      "what no history holds ends with its process; what comes in the next one is another",
      begun()
        .request()
        .add(delivered("a.md", { how: "request" }))
        .request()
        .begin()
        .request()
        .add(delivered("a.md", { how: "request" }))
        .add(store("stored")),
      ["project:a.md 1 matched[] durable not stored 100 until 3", "project:a.md 3 matched[] durable stored 100"],
    ],
    [
      "what is stored outlives its process: found again, it is the same",
      begun().request().add(delivered("a.md")).begin().request().add(found),
      ["project:a.md 1 matched[] durable stored 100"],
    ],
    [
      "found in a fork, its size is not known",
      begun().request().add(found),
      ["project:a.md 1 found[] durable stored 0"],
    ],
    [
      "found after it was gone, it has the size that it had",
      begun()
        .add(matched("a.md"))
        .request()
        .add(delivered("a.md", { tokens: 50 }))
        .request()
        .add(gone("reverted"))
        .begin()
        .request()
        .add(found),
      [
        "project:a.md 1 matched[condition/file] durable stored 50 until 2 (reverted)",
        "project:a.md 3 found[condition/file] durable stored 50",
      ],
    ],
  ]
  for (const [name, session, expected] of cases) {
    test(name, () => {
      expect(arrivals(session)).toEqual(expected)
    })
  }
})

test("a rule that leaves is noted with the request that no longer has it, but for one that is durable from there on", () => {
  const left = (session: SessionScript) => historyOf(session)?.steps.map(({ number, left: own }) => [number, own])
  const id = ruleId("a.md")
  expect(left(begun().request().add(on()).request().add(off("ended")))).toEqual([
    [1, []],
    [2, [{ rule: id, reason: "ended" }]],
  ])
  expect(left(begun().request().add(on()).request().add(off("matched")))).toEqual([
    [1, []],
    [2, []],
  ])
  expect(left(begun().request().add(delivered("a.md")).request().add(gone("compacted")))).toEqual([
    [1, []],
    [2, [{ rule: id, reason: "compacted" }]],
  ])
})

test("a rule that is found while it is there is no arrival of its request", () => {
  const session = begun().request().add(delivered("a.md")).begin().request().add(found)
  expect(historyOf(session)?.steps.map(({ arrived }) => arrived.length)).toEqual([1, 0])
})

test("what the agent does is shown with the next request, sent or not", () => {
  const stopped = { kind: "stopped", rule: ruleId("a.md"), reason: "held", tool: "edit", paths: ["x"] } as const
  const forbidden = { kind: "forbidden", rule: ruleId("a.md"), path: "x", literal: 0 } as const
  const followed = { kind: "followed", rule: ruleId("a.md"), path: "y" } as const
  const session = begun().request({ tokens: 3 }).add(stopped, forbidden).request().add(followed)
  expect(
    historyOf(session)?.steps.map(({ number, isSent, at, ...step }) => [
      number,
      isSent,
      (at - NOON) / 1000,
      [...step.stopped, ...step.forbidden, ...step.followed].map(({ kind }) => kind),
    ]),
  ).toEqual([
    [1, true, 1, []],
    [2, true, 4, ["stopped", "forbidden"]],
    [3, false, 5, ["followed"]],
  ])
})

test("where lines are lost: steps in the order of their numbers, and rules by their identity", () => {
  const session = begun().request().add(delivered("b.md")).request().add(delivered("a.md")).request()
  const lost = session.receipts.filter(({ kind, request }) => kind !== "request" || request === 3)
  const [begin, ...others] = lost
  const history = fold([...(begin ? [begin] : []), ...others.toReversed()])
  expect(
    history?.steps.map(({ number, isSent, agent, prompted, did, tokens }) => [
      number,
      isSent,
      agent,
      prompted,
      did,
      tokens,
    ]),
  ).toEqual([
    [1, true, undefined, false, [], 0],
    [2, true, undefined, false, [], 0],
    [3, true, "build", false, [], 0],
  ])
  const { arrivals: _, ...unknown } = history?.rules.get(ruleId("b.md")) ?? { arrivals: [] }
  expect(unknown).toEqual({
    ...{ id: ruleId("b.md"), name: "project:b.md", digest: "", lifetime: "durable", activation: "conditions" },
    ...{ matchedAfter: undefined, verdicts: undefined, retries: 0 },
  })
  expect(fold(session.receipts.slice(1))).toBeUndefined()
})

test("rules that a process finds later count from there on; one that was edited keeps its past", () => {
  const nested = { kind: "session", begins: false, sessionID: "ses_2", directory: "/other" } as const
  const session = begun()
    .add(matched("a.md"))
    .request()
    .add({ ...nested, host: "h", plugin: "p", rules: [receiptRule("b.md")], broken: [ruleId("c.md")] })
    .request()
    .begin(
      [receiptRule("a.md", { name: "Edited", digest: "ffff", lifetime: "transient", activation: "hooks" })],
      ["c.md", "d.md"],
    )
    .request()
  const history = historyOf(session)
  expect(history).toMatchObject({ id: "ses_1", directory: "/home/dev/app", broken: ["c.md", "d.md"].map(ruleId) })
  expect(history?.runs.map(({ firstRequest }) => firstRequest)).toEqual([1, 3])
  expect(history?.steps.map(({ number }) => number)).toEqual([1, 2, 3])
  expect(Array.from(history?.rules.values() ?? [])).toEqual([
    {
      ...{ id: ruleId("a.md"), name: "Edited", digest: "ffff", lifetime: "transient", activation: "hooks" },
      ...{ matchedAfter: 0, arrivals: [], verdicts: undefined, retries: 0 },
    },
    {
      ...{ id: ruleId("b.md"), name: "b", digest: "0000", lifetime: "durable", activation: "conditions" },
      ...{ matchedAfter: undefined, arrivals: [], verdicts: undefined, retries: 0 },
    },
  ])
})

test("the first match, the newest verdicts and every failed attempt of a rule", () => {
  const verdicts = (met: boolean): Change => ({
    kind: "verdicts",
    rules: { [ruleId("a.md")]: [{ family: "file", met }] },
  })
  const session = begun()
    .request()
    .add(matched("a.md"), verdicts(false))
    .request()
    .add(matched("a.md"), verdicts(true), store("retry"), store("retry"))
  expect(historyOf(session)?.rules.get(ruleId("a.md"))).toMatchObject({
    ...{ matchedAfter: 1, verdicts: [{ family: "file", met: true }], retries: 2 },
  })
})

test("a process that sent nothing leaves the numbers as they are", () => {
  const history = historyOf(begun().begin().begin().request())
  expect(history?.runs.map(({ firstRequest }) => firstRequest)).toEqual([1, 1, 1])
  expect(history?.steps.map(({ number }) => number)).toEqual([1])
})

test("times are those of the first and last line, whatever their order, and no worse than a date can be", () => {
  const [begin, request] = begun().request().receipts
  const at = (...times: readonly number[]) => {
    const history = fold(
      times.flatMap((time, index) => (begin && request ? [{ ...(index === 0 ? begin : request), at: time }] : [])),
    )
    return [history?.startedAt, history?.endedAt, history?.runs[0]?.at, history?.steps[0]?.at]
  }
  expect(at(50, 30, 70, 40)).toEqual([30, 70, 50, 40])
  expect(at(-1, 1e20)).toEqual([0, 8.64e15, 0, 8.64e15])
})

test("a file that is full says so", () => {
  expect([historyOf(begun())?.isFull, historyOf(begun().add({ kind: "full" }))?.isFull]).toEqual([false, true])
})
