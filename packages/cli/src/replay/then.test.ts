import { expect, test } from "bun:test"
import {
  parseRule,
  type Receipt,
  type ReceiptVerdict,
  type Rulebook,
  type RuleId,
} from "@opencode-rulebook/rule-schema"
import type { FactSources, StoredEvent } from "@opencode-rulebook/server/dry-run"
import { factsThen } from "./then.ts"

const NOW: FactSources = {
  os: "linux",
  ci: false,
  project: async () => new Set(["node", "go"]),
  branch: async () => "now",
  tools: async () => new Set(["bash", "read"]),
}

function rule(name: string, frontmatter: string) {
  const directory = { scope: "project", path: "/app/.opencode/rules", root: "/app", prefix: "" } as const
  const parsed = parseRule({ directory, path: `${directory.path}/${name}.md`, text: `---\n${frontmatter}\n---\nText.` })
  if (parsed.kind === "broken") throw new Error(JSON.stringify(parsed.rule.problems))
  return parsed.rule
}

const RULES = [
  rule("lsp", "tools: [lsp]"),
  rule("bash", "tools: [bash]"),
  rule("go", "project: [go]"),
  rule("ci", "ci: true"),
]
const RULEBOOK: Rulebook = { rules: RULES, broken: [], problems: [], folders: [] }
const PROMPTS = [100, 200, 300].map((at): StoredEvent => ({ at, kind: "prompt", messageID: `msg_${at}`, turn: {} }))

/** Receipts of a session with these rules, and the verdicts at the end of each of its turns. */
function receiptsOf(turns: readonly Readonly<Record<string, ReceiptVerdict>>[], digestOf = (digest: string) => digest) {
  const described = RULES.map(({ id, name, digest }) => {
    return { id, name, digest: digestOf(digest).slice(0, 12), lifetime: "durable", activation: "conditions" } as const
  })
  const session = {
    kind: "session",
    begins: true,
    sessionID: "ses_1",
    directory: "/app",
    host: "h",
    plugin: "p",
  } as const
  const noted = turns.flatMap((verdicts, turn): Receipt[] => {
    const [at, request] = [turn * 100 + 150, turn + 1]
    const rules = Object.fromEntries(Object.entries(verdicts).map(([name, one]) => [`project:${name}.md`, [one]]))
    return [
      { v: 1, at, request, kind: "request", prompted: true, did: [], tokens: 0 },
      // What ends a turn can be noted when the next one has begun.
      { v: 1, at: at + 60, request, kind: "verdicts", rules: rules as Record<RuleId, ReceiptVerdict[]> },
    ]
  })
  return [{ v: 1, at: 1, request: 0, ...session, rules: described, broken: [] } satisfies Receipt, ...noted]
}

async function namesAt(receipts: readonly Receipt[], at: number) {
  const { tools, project } = factsThen(receipts, PROMPTS, RULEBOOK).sources(NOW, () => at)
  return { tools: [...((await tools("")) ?? [])].toSorted(), project: [...((await project()) ?? [])].toSorted() }
}

test("a name that met a condition was there, and one that would have met one was not, turn by turn", async () => {
  const lsp = { family: "tools", met: true, seen: "lsp" } as const
  const [without, gone] = [
    { family: "tools", met: false },
    { family: "project", met: false },
  ] as const
  const receipts = receiptsOf([{ lsp, go: gone }, { lsp: without, bash: without }, {}])
  expect(await namesAt(receipts, 120)).toEqual({ tools: ["lsp", "read"], project: ["node"] })
  expect(await namesAt(receipts, 220)).toEqual({ tools: ["read"], project: ["node"] })
  expect(await namesAt(receipts, 320)).toEqual({ tools: ["read"], project: ["node"] })
})

test("a rule that was edited since says nothing of what was not there", async () => {
  const receipts = receiptsOf([{ bash: { family: "tools", met: false } }], () => "another digest")
  expect((await namesAt(receipts, 120)).tools).toEqual(["bash", "read"])
})

test("whether it ran in CI is what a verdict tells", () => {
  const ciOf = (met: boolean) =>
    factsThen(receiptsOf([{ ci: { family: "ci", met } }]), PROMPTS, RULEBOOK).sources({ ...NOW, ci: !met }, () => 120)
      .ci
  expect([ciOf(true), ciOf(false)]).toEqual([true, false])
})

test("without receipts all is as now", async () => {
  const then = factsThen([], PROMPTS, RULEBOOK)
  const { os, ci, branch } = then.sources(NOW, () => 120)
  expect({ os, ci, branch: await branch(), ...(await namesAt([], 120)) }).toEqual({
    ...{ os: "linux", ci: false, branch: "now", tools: ["bash", "read"], project: ["go", "node"] },
  })
  expect(then.tells("tools")).toBe(false)
})
