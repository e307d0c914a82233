import { expect, test } from "bun:test"
import { parseRule } from "@opencode-rulebook/rule-schema"
import { historyOf } from "../../test/support/history.ts"
import { delivered, matched, receiptRule, ruleId, type SessionScript, script } from "../../test/support/receipts.ts"
import { newestRequest } from "../receipts/history.ts"
import { createTotals, type RuleTotals } from "./totals.ts"

function ruleOf(name: string, frontmatter = "keywords: [x]") {
  const directory = { scope: "project", path: "/app/.opencode/rules", root: "/app", prefix: "" } as const
  const parsed = parseRule({ directory, path: `${directory.path}/${name}`, text: `---\n${frontmatter}\n---\nText.` })
  if (parsed.kind === "broken") throw new Error(JSON.stringify(parsed.rule.problems))
  return parsed.rule
}

const RULES = [
  ruleOf("b-never.md"),
  ruleOf("a-never.md"),
  ruleOf("asked.md", "alwaysApply: false\ndescription: When somebody asks"),
]

function totalsOf(...sessions: readonly SessionScript[]): readonly RuleTotals[] {
  const totals = createTotals()
  for (const session of sessions) {
    const history = historyOf(session)
    const rulebook = { rules: RULES, broken: [], problems: [], folders: [] }
    totals.add({ history, requests: newestRequest(history), rulebook })
  }
  return totals.end()
}

const DECLARED = [
  receiptRule("often.md", { name: "Often" }),
  receiptRule("once.md", { name: "Once" }),
  receiptRule("asked.md", { name: "Asked", activation: "onRequest" }),
  receiptRule("index.md", { name: "Index", activation: "onRequest" }),
  receiptRule("blocks.md", { name: "Blocks", activation: "hooks" }),
]
const NOTHING = { sessions: 0, deliveries: 0, requests: 0, carriedTokens: 0, tokens: 0, stopped: 0, moments: [] }

test("each rule's sessions, deliveries and tokens, its stopped calls, and when it comes first", () => {
  const stopped = (rule: string) => {
    return { kind: "stopped", rule: ruleId(rule), reason: "blocked", tool: "bash", paths: [] } as const
  }
  const first = script()
    .begin(DECLARED)
    .request()
    .add(matched("often.md", "keywords"))
    .request()
    .add(delivered("often.md", { tokens: 7 }))
    .add(stopped("blocks.md"), stopped("unknown.md"))
    .request()
    .add(stopped("blocks.md"), delivered("index.md", { tokens: 2 }))
    .request()
    .add(delivered("often.md", { reason: "compacted", tokens: 9, count: 2 }))
  const second = script()
    .begin(DECLARED)
    .add(matched("often.md", "file", "a.rs"))
    .request()
    .add(delivered("often.md", { tokens: 8 }))
  const third = script()
    .begin(DECLARED)
    .request()
    .request()
    .request()
    .request()
    .add(matched("often.md", "keywords"), matched("once.md", "agent", "plan"))
    .request()
    .add(delivered("often.md", { tokens: 8 }), delivered("once.md", { tokens: 1000 }))
    .request()
  const fourth = script()
    .begin(DECLARED)
    .add(matched("often.md", "keywords"))
    .request()
    .add(delivered("often.md", { tokens: 6 }))
  expect(totalsOf(first, second, third, fourth)).toEqual([
    {
      ...{ id: ruleId("often.md"), name: "Often", sessions: 4, deliveries: 5, requests: 7, tokens: 6, stopped: 0 },
      carriedTokens: 2 * 7 + 9 + 8 + 2 * 8 + 6,
      moments: [
        { why: "matched: keywords", sessions: 3, from: 1, to: 5 },
        { why: "matched: file a.rs", sessions: 1, from: 1, to: 1 },
      ],
    },
    {
      ...{ id: ruleId("index.md"), name: "Index", sessions: 1, deliveries: 1, requests: 2, tokens: 2, stopped: 0 },
      ...{ carriedTokens: 4, moments: [{ why: "matched", sessions: 1, from: 3, to: 3 }] },
    },
    {
      ...{ id: ruleId("once.md"), name: "Once", sessions: 1, deliveries: 1, requests: 2, tokens: 1000, stopped: 0 },
      ...{ carriedTokens: 2000, moments: [{ why: "matched: agent plan", sessions: 1, from: 5, to: 5 }] },
    },
    { ...NOTHING, id: ruleId("a-never.md"), name: "a-never" },
    { ...NOTHING, id: ruleId("b-never.md"), name: "b-never" },
    { ...NOTHING, id: ruleId("blocks.md"), name: "Blocks", stopped: 2 },
    { ...NOTHING, id: ruleId("unknown.md"), name: "project:unknown.md", stopped: 1 },
  ])
})

test("the most frequent moment is first, whichever came first", () => {
  const by = (family: "agent" | "keywords") =>
    script().begin(DECLARED).add(matched("once.md", family)).request().add(delivered("once.md"))
  const [total] = totalsOf(by("agent"), by("keywords"), by("keywords"))
  expect(total?.moments.map(({ why, sessions }) => [why, sessions])).toEqual([
    ["matched: keywords", 2],
    ["matched: agent", 1],
  ])
})
