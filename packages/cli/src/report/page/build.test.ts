import { expect, test } from "bun:test"
import { figures, ruleFigures } from "../../../test/support/figures.ts"
import { historyOf } from "../../../test/support/history.ts"
import { ruleId, script } from "../../../test/support/receipts.ts"
import type { Findings } from "../findings.ts"
import { pageData } from "./build.ts"
import type { PageData } from "./data.ts"

const ROOT = "/home/dev/app"
const STYLE = ruleFigures("style.md", {
  ...{ name: "Style\u202e", activation: "always", sessions: 9, matched: 9, throughout: 9, arrivals: 12 },
  ...{ tokens: 180, carried: 1200, cost: 216_000, forbidden: 1, followed: 3 },
  stopped: { blocked: 1, held: 20, refused: 300 },
})
const DEAD = ruleFigures("dead.md", { lifetime: "transient", sessions: 1, matched: 1 })
/** Not in the page's list. */
const OTHER = ruleFigures("other.md", { sessions: 1 })

const FINDINGS: Findings = {
  onDisk: new Set([STYLE.id]),
  dead: [DEAD, OTHER],
  always: [STYLE],
  together: [[STYLE, DEAD, OTHER, STYLE], [DEAD]],
  expensive: [STYLE],
  broken: [STYLE],
  withoutRule: [
    { pattern: "src/*.ts", files: 1234, touched: 5678 },
    { pattern: "Make\nfile", files: 1, touched: 2 },
  ],
}

function page(given: Partial<Parameters<typeof pageData>[0]> = {}): PageData {
  const input = { project: ROOT, madeAt: 5, figures: figures(), findings: FINDINGS, shown: [], onDisk: new Map() }
  return pageData({ ...input, notes: ["a note"], ...given })
}

test("what the page shows of all sessions", () => {
  const all = figures({
    ...{ sessions: 9, requests: 1200, tokens: 435_000, rules: [STYLE, DEAD] },
    broken: [{ id: ruleId("bad\t.md"), sessions: 3 }],
    days: [
      { day: "2026-11-29", sessions: 1, requests: 3, tokens: 200 },
      { day: "2026-11-30", sessions: 1, requests: 0, tokens: 0 },
    ],
  })
  expect(page({ project: `${ROOT}\n`, figures: all })).toEqual({
    ...{
      project: `${ROOT}\\n`,
      madeAt: 5,
      startedAt: all.startedAt,
      endedAt: all.endedAt,
      sessions: 9,
      requests: 1200,
    },
    tokens: 363,
    rules: [
      {
        ...{ id: "project:style.md", name: "Style\\u202e", lifetime: "durable", activation: "always", isOnDisk: true },
        ...{ sessions: 9, matched: 9, tokens: 180, carried: 1200, cost: 216_000, stopped: 321, forbidden: 1 },
        ...{ followed: 3, adherence: 3 / 304 },
      },
      {
        ...{ id: "project:dead.md", name: "dead", lifetime: "transient", activation: "conditions", isOnDisk: false },
        ...{ sessions: 1, matched: 1, tokens: undefined, carried: 0, cost: 0, stopped: 0, forbidden: 0, followed: 0 },
        adherence: undefined,
      },
    ],
    findings: [
      {
        ...{ title: "Never matched", advice: "Remove them, or loosen their conditions." },
        items: [
          { text: "dead", note: "in 1 session", rule: 1 },
          { text: "other", note: "in 1 session" },
        ],
      },
      {
        title: "Always match",
        advice: "Remove their conditions: then they are there from the first request on.",
        items: [{ text: "Style\\u202e", note: "in 9 sessions", rule: 0 }],
      },
      {
        title: "Always match together",
        advice: "Each group may be one rule: its rules match in the same sessions, after the same requests.",
        items: [
          { text: "Style\\u202e, dead, other +1", note: "in 9 sessions" },
          { text: "dead", note: "in 1 session" },
        ],
      },
      {
        title: "Broken the most often",
        advice: "Say it more clearly, or hold the calls back.",
        items: [{ text: "Style\\u202e", note: "kept 0 %", rule: 0 }],
      },
      {
        title: "Cost the most",
        advice: "Shorten them, or let them come later. Tokens are estimates.",
        items: [{ text: "Style\\u202e", note: "216,000 tokens", rule: 0 }],
      },
      {
        title: "Can't be understood",
        advice: "These files never match. `opencode-rulebook check` says why.",
        items: [{ text: "project:bad\\t.md", note: "in 3 sessions" }],
      },
      {
        title: "Files without a rule",
        advice: "The agent read or changed them, and no rule has globs that match them.",
        items: [
          { text: "src/*.ts", note: "1,234 files, touched 5678×" },
          { text: "Make\\nfile", note: "touched 2×" },
        ],
      },
    ],
    days: [
      { day: "2026-11-29", sessions: 1, requests: 3, tokens: 67 },
      { day: "2026-11-30", sessions: 1, requests: 0, tokens: 0 },
    ],
    shown: [],
    notes: ["a note"],
  })
})

test("findings with nothing in them are left out", () => {
  const none = { ...FINDINGS, always: [], together: [], expensive: [], broken: [], withoutRule: [] }
  expect(page({ findings: none }).findings.map(({ title }) => title)).toEqual(["Never matched"])
})

test("the sessions that are shown, in their order", () => {
  const shown = ["ses_2", "ses_1"].map((id) => historyOf(script({ id, directory: `${ROOT}/${id}` }).begin()))
  expect(page({ shown }).shown.map(({ id, folder }) => [id, folder])).toEqual([
    ["ses_2", "ses_2"],
    ["ses_1", "ses_1"],
  ])
})
