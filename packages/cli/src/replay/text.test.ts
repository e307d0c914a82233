import { expect, test } from "bun:test"
import type { RuleId } from "@opencode-rulebook/rule-schema"
import { NOON, ruleId } from "../../test/support/receipts.ts"
import type { Paint } from "../io.ts"
import type { Arrival } from "../receipts/history.ts"
import type { Difference } from "./difference.ts"
import { formatReplay, type SessionLine } from "./text.ts"
import type { Moment, RuleTotals } from "./totals.ts"

/** Shows which text has which style. */
const MARKED: Paint = (style, text) => `<${style}>${text}</>`
const PLAIN: Paint = (_style, text) => text

function line(
  id: string,
  { difference, requests = 2, assumed = [], ...stored }: Partial<SessionLine & SessionLine["stored"]> = {},
): SessionLine {
  const known = { host: "OpenCode 1", id, parentID: undefined, title: "A session", directory: "/app" } as const
  const rest = { created: NOON, updated: NOON, delivered: [], subagents: [], keeps: { kind: "part" } } as const
  return { stored: { ...known, ...rest, unread: 0, isRedacted: false, ...stored }, requests, assumed, difference }
}

function totals(name: string, rest: Partial<RuleTotals> = {}): RuleTotals {
  const sums = { sessions: 0, deliveries: 0, requests: 0, carriedTokens: 0, tokens: 0, stopped: 0, moments: [] }
  return { id: ruleId(name), name, ...sums, ...rest }
}

const moment = (why: string, sessions: number, from: number, to: number): Moment => ({ why, sessions, from, to })

function arrival(path: string, request: number, reason: Arrival["reason"] = "matched"): Arrival {
  return {
    ...{ rule: ruleId(path), request, reason, lifetime: "durable", isStored: true, tokens: 5 },
    ...{ by: [{ kind: "condition", family: "file", seen: "a.rs" }], until: undefined, leftBy: undefined },
  }
}

function difference(rest: Partial<Difference>): Difference {
  return { against: "receipts", knowsWhen: true, gained: [], lost: [], moved: [], ...rest }
}

const SOURCE = "the rules of drafts"

test("sessions, rules, what was taken for granted, and differences", () => {
  const sessions = [
    line("ses_1", {
      requests: 1200,
      assumed: ["tools", "branch"],
      unread: 2,
      subagents: [
        { id: "ses_2", command: undefined },
        { id: "ses_gone", command: undefined },
      ],
      title: `  ${"0123456789".repeat(7)}`,
      difference: difference({
        gained: [arrival("new.md", 3)],
        lost: [{ rule: ruleId("old.md"), request: 4 }, arrival("hooked.md", 5, "hook")],
        moved: [{ now: arrival("late.md", 7), before: { rule: ruleId("late.md"), request: 1, reason: "hook" } }],
      }),
    }),
    line("ses_2", {
      parentID: "ses_1",
      assumed: ["branch", "ci"],
      unread: 1,
      isRedacted: true,
      subagents: [
        { id: "ses_gone", command: "x" },
        { id: "ses_lost", command: undefined },
      ],
      difference: difference({ against: "metadata", knowsWhen: false }),
    }),
    line("ses_3\u001b[1m", {
      requests: 3,
      title: "A \u001b[2J title",
      updated: NOON + 12 * 3_600_000,
      difference: difference({ against: "metadata", knowsWhen: false, gained: [arrival("new.md", 1)] }),
    }),
    line("ses_4"),
  ]
  const rules = [
    totals("Often", {
      ...{ sessions: 9, tokens: 1234, carriedTokens: 56_789, stopped: 2 },
      moments: [
        moment("matched: always", 4, 1, 1),
        moment("hook: a bash call", 2, 2, 9),
        moment("matched: keywords", 1, 3, 3),
        moment("matched: agent plan", 1, 1, 1),
        moment("matched: file \u001b[2J", 1, 5, 5),
      ],
    }),
    totals("Stopping \u001b[1m", { stopped: 1 }),
    totals("Once", { sessions: 1, tokens: 3, carriedTokens: 3, moments: [moment("matched: file \u001b[2J", 1, 5, 5)] }),
    totals("Never \u001b[1m"),
    totals("Neither"),
  ]
  expect(formatReplay({ sessions, rules, ruleSource: SOURCE }, 110, MARKED)).toBe(
    `4 sessions (1 subagent), 1,207 requests, with the rules of drafts.

<dim>rule</>                <dim>sessions</>  <dim>comes first</>                                   <dim>tokens</>  <dim>in all</>
<bold>Often</>                 9 of 4  request 1, matched: always (4 sessions)        1,234  56,789
                              requests 2–9, hook: a bash call (2 sessions)
                              request 3, matched: keywords
                              2 more
                              stops 2 calls
<bold>Stopping \\u001b[1m</>    0 of 4  stops 1 call                                       0       0
<bold>Once</>                  1 of 4  request 5, matched: file \\u001b[2J                 3       3

Never delivered: Stopping \\u001b[1m, Never \\u001b[1m, Neither.
As they are now, because sessions do not store them: the git branch, whether it ran in CI, the tools and MCP
  servers.
Not among them: 2 sessions of subagents.
1 session exported with --sanitize: texts, paths and arguments are not known.
3 messages could not be read: left out.

<bold>ses_1  2026-11-30  012345678901234567890123456789012345678901234567890123456789</>
<green>  + project:new.md  request 3, matched: file a.rs</>
<red>  - project:old.md  request 4</>
<red>  - project:hooked.md  request 5, hook: file a.rs</>
<yellow>  ~ project:late.md  request 7, matched: file a.rs; was request 1, hook</>

<bold>ses_3\\u001b[1m  2026-12-01  A \\u001b[2J title</>
<green>  + project:new.md  request 1, matched: file a.rs</>

Against what was delivered then: 2 gained, 2 lost, 1 at another request or for another reason. 2 sessions
without receipts: only what was stored is compared.
`,
  )
})

test("what there is nothing to say of is left out", () => {
  const sessions = [line("ses_1", { requests: 1, title: "", difference: difference({}) })]
  expect(formatReplay({ sessions, rules: [], ruleSource: SOURCE }, undefined, PLAIN)).toBe(
    `1 session, 1 request, with the rules of drafts.

Against what was delivered then: 0 gained, 0 lost, 0 at another request or for another reason.
`,
  )
  expect(formatReplay({ sessions: [line("ses_1")], rules: [], ruleSource: SOURCE }, undefined, PLAIN)).toBe(
    "1 session, 2 requests, with the rules of drafts.\n",
  )
})

test("a session without a title has its id and day alone above its differences; each line fits and hangs", () => {
  const gained = arrival(`${"deep/".repeat(12)}rule.md`, 3)
  const moved = [{ now: gained, before: { rule: gained.rule as RuleId, request: 1 } }]
  const sessions = [line("ses_1", { title: "", difference: difference({ gained: [gained], lost: [gained], moved }) })]
  const first = moment(`matched: file ${"deep/".repeat(9)}`, 1, 1, 1)
  const rules = [totals("never ".repeat(11).trim()), totals("r".repeat(30), { sessions: 1, moments: [first] })]
  expect(formatReplay({ sessions, rules, ruleSource: SOURCE }, 60, PLAIN)).toBe(
    `1 session, 2 requests, with the rules of drafts.

rule        sessions  comes first           tokens  in all
rrrrrrrrrr    1 of 1  request 1, matched:        0       0
rrrrrrrrrr              file deep/deep/dee
rrrrrrrrrr              p/deep/deep/deep/d
                        eep/deep/deep/

Never delivered: never never never never never never never
  never never never never.

ses_1  2026-11-30
  + project:deep/deep/deep/deep/deep/deep/deep/deep/deep/dee
      p/deep/deep/rule.md  request 3, matched: file a.rs
  - project:deep/deep/deep/deep/deep/deep/deep/deep/deep/dee
      p/deep/deep/rule.md  request 3, matched: file a.rs
  ~ project:deep/deep/deep/deep/deep/deep/deep/deep/deep/dee
      p/deep/deep/rule.md  request 3, matched: file a.rs;
      was request 1

Against what was delivered then: 1 gained, 1 lost, 1 at
another request or for another reason.
`,
  )
})
