import { expect, test } from "bun:test"
import {
  parseRule,
  type Receipt,
  type ReceiptVerdict,
  type Rulebook,
  type RuleId,
} from "@opencode-rulebook/rule-schema"
import type { FactSources, StoredEvent, StoredSession } from "@opencode-rulebook/server/dry-run"
import { assumedFacts, factsThen } from "./then.ts"

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
  rule("local", "ci: false"),
  rule("both", "match: all\nproject: [go]\ntools: [read]"),
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

/** Receipts of some turns, each with the verdicts of its rules: what a condition saw, or `false` where there was nothing to see. */
function sawIn(family: "branch" | "os" | "command", turns: readonly Readonly<Record<string, string | false>>[]) {
  return receiptsOf(
    turns.map((turn) => {
      const verdicts = Object.entries(turn).map(([name, seen]): [string, ReceiptVerdict] => {
        return [name, seen === false ? { family, met: false } : { family, met: true, seen }]
      })
      return Object.fromEntries(verdicts)
    }),
  )
}

test("the branch is the one that the newest verdict of the turn saw, of whichever rule; none where it saw none", async () => {
  // Receipts note what has changed: the rule `go` has no verdict in the second turn.
  const receipts = sawIn("branch", [{ go: "main", lsp: "main" }, { lsp: "topic" }, { lsp: false }])
  const branchAt = async (at: number, given: readonly Receipt[] = receipts) =>
    await factsThen(given, PROMPTS, RULEBOOK)
      .sources(NOW, () => at)
      .branch()
  expect(await Promise.all([99, 100, 199, 200, 299, 300].map((at) => branchAt(at)))).toEqual([
    ...["main", "main", "main", "topic", "topic", undefined],
  ])
  expect(await branchAt(120, sawIn("branch", [{ go: false }]))).toBeUndefined()
  expect(await branchAt(320, sawIn("branch", [{ lsp: "main", go: "main" }, { go: "topic" }]))).toBe("topic")
  expect(await branchAt(320, sawIn("os", [{ go: "darwin" }]))).toBe("now")
})

test("the system is the one that a verdict saw", () => {
  const osAt = (receipts: readonly Receipt[]) => factsThen(receipts, PROMPTS, RULEBOOK).sources(NOW, () => 120).os
  expect(osAt(sawIn("os", [{ go: "darwin" }]))).toBe("darwin")
  expect(osAt(sawIn("branch", [{ go: "darwin" }]))).toBe("linux")
})

test("prompts have the commands that verdicts of their turns saw; one that the export has itself stays", () => {
  const then = factsThen(sawIn("command", [{ go: "review" }, { go: false }, { go: "ship" }]), PROMPTS, RULEBOOK)
  const events: readonly StoredEvent[] = [
    ...PROMPTS,
    { at: 310, kind: "prompt", messageID: "msg_own", turn: { command: "own", prompt: "x" } },
    { at: 320, kind: "turn ends" },
  ]
  const session = { ...SESSION, events }
  expect(then.withCommands(session)).toEqual({
    ...SESSION,
    events: [
      { at: 100, kind: "prompt", messageID: "msg_100", turn: { command: "review" } },
      { at: 200, kind: "prompt", messageID: "msg_200", turn: { command: undefined } },
      { at: 300, kind: "prompt", messageID: "msg_300", turn: { command: "ship" } },
      { at: 310, kind: "prompt", messageID: "msg_own", turn: { command: "own", prompt: "x" } },
      { at: 320, kind: "turn ends" },
    ],
  })
  expect(factsThen([], PROMPTS, RULEBOOK).withCommands(session)).toEqual(session)
})

test("what was not there is only known of a rule that the receipts describe, and of its condition on that", async () => {
  const receipts = receiptsOf([{ both: { family: "tools", met: false } }])
  expect(await namesAt(receipts, 120)).toEqual({ tools: ["bash"], project: ["go", "node"] })
  const undescribed = receipts.map((receipt) => (receipt.kind === "session" ? { ...receipt, rules: [] } : receipt))
  expect(await namesAt(undescribed, 120)).toEqual({ tools: ["bash", "read"], project: ["go", "node"] })
})

test("names that nothing tells are as now, also where they are not known", async () => {
  const unknown = { ...NOW, tools: async () => undefined, project: async () => undefined }
  const namesOf = async (receipts: readonly Receipt[]) => {
    const { tools, project } = factsThen(receipts, PROMPTS, RULEBOOK).sources(unknown, () => 120)
    return [await tools(""), await project()]
  }
  expect(await namesOf([])).toEqual([undefined, undefined])
  expect(await namesOf(receiptsOf([{ lsp: { family: "tools", met: true, seen: "lsp" } }]))).toEqual([
    ...[new Set(["lsp"]), undefined],
  ])
  expect(await namesOf(receiptsOf([{ lsp: { family: "tools", met: true } }]))).toEqual([new Set(), undefined])
})

test("of rules on CI, those tell that are as they were", () => {
  const ciOf = (digestOf?: (digest: string) => string) => {
    const turn = { ci: { family: "ci", met: true }, local: { family: "ci", met: true } } as const
    return factsThen(receiptsOf([turn], digestOf), PROMPTS, RULEBOOK).sources(NOW, () => 120).ci
  }
  const edited = RULES.find(({ name }) => name === "ci")?.digest
  expect(ciOf()).toBe(true)
  expect(ciOf((digest) => (digest === edited ? "another digest" : digest))).toBe(false)
  expect(factsThen(receiptsOf([]), PROMPTS, RULEBOOK).sources({ ...NOW, ci: true }, () => 120).ci).toBe(true)
})

const SESSION: StoredSession = {
  ...{ host: "OpenCode 1", id: "ses_1", parentID: undefined, title: "", directory: "/app", created: 1, updated: 1 },
  ...{ events: [], delivered: [], subagents: [], keeps: { kind: "part" }, unread: 0, isRedacted: false },
}

test("taken for granted is what rules ask for, a session does not store, and no receipt tells", () => {
  const rules = [...RULES, rule("most", "command: [x]\nos: [linux]\nbranch: [main]\nagent: [plan]\nkeywords: [x]")]
  const rulebook = { ...RULEBOOK, rules }
  const assumed = (receipts: readonly Receipt[], host: StoredSession["host"] = "OpenCode 1") =>
    assumedFacts(rulebook, { ...SESSION, host }, factsThen(receipts, PROMPTS, rulebook))
  expect(assumed([])).toEqual(["branch", "ci", "command", "os", "project", "tools"])
  expect(assumed([], "OpenCode 2")).toEqual(["branch", "ci", "os", "project", "tools"])
  expect(assumed(sawIn("os", [{ go: "darwin" }]))).toEqual(["branch", "ci", "command", "project", "tools"])
  expect(assumedFacts({ ...RULEBOOK, rules: [] }, SESSION, factsThen([], PROMPTS, RULEBOOK))).toEqual([])
})
