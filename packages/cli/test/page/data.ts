import type { PageData, PageRule, PageSession } from "../../src/report/page/data.ts"

/** 2026-11-30 12:00 UTC. */
const NOON = Date.UTC(2026, 10, 30, 12)
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** A rule with conditions that has never come. */
export function pageRule(name: string, rest: Partial<PageRule> = {}): PageRule {
  return {
    ...{ id: `project:${name.toLowerCase().replaceAll(" ", "-")}.md`, name, lifetime: "durable" },
    ...{ activation: "conditions", isOnDisk: true, sessions: 4, matched: 0, tokens: undefined, carried: 0, cost: 0 },
    ...{ stopped: 0, forbidden: 0, followed: 0, adherence: undefined },
    ...rest,
  }
}

export const RULES: readonly PageRule[] = [
  pageRule("House style", {
    ...{ activation: "always", matched: 4, tokens: 180, carried: 20, cost: 3600 },
    ...{ forbidden: 1, followed: 2, adherence: 2 / 3 },
  }),
  pageRule("api errors", { matched: 1, tokens: 96, carried: 3, cost: 288, stopped: 1234, adherence: 1 }),
  pageRule("While building", { lifetime: "transient", matched: 2, tokens: 96, carried: 15, cost: 900 }),
  pageRule("No force", { activation: "hooks", isOnDisk: false, sessions: 2, matched: 2, adherence: 0 }),
  pageRule("Deploying", { activation: "onRequest", sessions: 3 }),
]

/** A session with something of everything in it. */
export const STORY: PageSession = {
  ...{ id: "ses_2", startedAt: NOON, endedAt: NOON + 9 * MINUTE, host: "OpenCode 1", folder: "packages/api" },
  isFull: true,
  requests: [
    request(1, { tokens: 300, by: "build · anthropic/claude", prompted: true }),
    request(2, { tokens: 600, by: "build", did: ["read src/a.ts, src/b.ts", "✗ bash"] }),
    request(4, { tokens: 1500, prompted: true, did: ["edit src/a.ts"], isRestart: true }),
  ],
  rows: [
    {
      rule: 0,
      spans: [[1, 4]],
      marks: [
        { request: 1, kind: "came", text: "matched: always, durable, about 180 tokens" },
        { request: 4, kind: "followed", text: "followed: src/a.ts" },
        { request: 4, kind: "forbidden", text: "forbidden: src/a.ts:7" },
        { request: 4, kind: "reminded", text: "reminded, durable, about 180 tokens" },
      ],
    },
    {
      rule: 2,
      spans: [
        [1, 1],
        [4, 4],
      ],
      marks: [
        { request: 4, kind: "again", text: "again: reverted" },
        { request: 1, kind: "came", text: "matched: agent build, transient" },
        { request: 2, kind: "left", text: "left: ended" },
      ],
    },
    { rule: 3, spans: [], marks: [{ request: 2, kind: "stopped", text: "blocked: bash" }] },
    { rule: 1, spans: [[2, 2]], marks: [] },
  ],
  missing: [
    {
      rule: 1,
      why: "not all of its conditions are met",
      conditions: [
        { met: true, text: "**/*.ts, saw src/a.ts" },
        { met: false, text: 'prompt "release"' },
      ],
    },
    { rule: 4, why: "on request", conditions: [] },
  ],
}

function request(number: number, rest: Partial<PageSession["requests"][number]>): PageSession["requests"][number] {
  const at = NOON + number * MINUTE
  return { number, at, tokens: 0, by: "", prompted: false, did: [], isRestart: false, ...rest }
}

/** A session of so many requests with nothing else in it. */
export function plainSession(id: string, requests: number, rest: Partial<PageSession> = {}): PageSession {
  return {
    ...{ id, startedAt: NOON - DAY, endedAt: NOON - DAY + MINUTE, host: "OpenCode 2", folder: "", isFull: false },
    requests: Array.from({ length: requests }, (_, index) => request(index + 1, { tokens: 100 })),
    rows: [],
    missing: [],
    ...rest,
  }
}

/** A page of these, with what is given in the place of its own. */
export function pageData(rest: Partial<PageData> = {}): PageData {
  return {
    ...{ project: "/home/dev/app", madeAt: NOON + 61 * MINUTE, startedAt: NOON - 3 * DAY, endedAt: NOON },
    ...{ sessions: 4, requests: 1200, tokens: 363 },
    rules: RULES,
    findings: [],
    days: [],
    shown: [],
    notes: [],
    ...rest,
  }
}
