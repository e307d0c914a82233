import { expect, setDefaultTimeout, spyOn, test } from "bun:test"
import {
  loadRulebook,
  type MatchedBy,
  type Receipt,
  type RuleId,
  ruleDirectories,
} from "@opencode-rulebook/rule-schema"
import { readExport } from "@opencode-rulebook/server/dry-run"
import fc from "fast-check"
import type { Step, ToolStep } from "../../server/test/support/host.ts"
import { runs } from "../../server/test/support/runs.ts"
import { startV1Host, type V1Host } from "../../server/test/support/v1-host.ts"
import { v1Tools as tools } from "../../server/test/support/v1-tools.ts"
import { play } from "../src/play/play.ts"
import { factsThen } from "../src/replay/then.ts"

setDefaultTimeout(600_000)

const hook = (type: string, tool: string, more: string) => `hooks:\n  - { type: ${type}, tool: ${tool}${more} }`
const frontmatter =
  (...keys: readonly string[]) =>
  (body: string) =>
    `---\n${keys.join("\n")}\n---\n${body}`

/** Rules of each kind, of which each session has some. */
const RULES = {
  "always.md": (body: string) => body,
  "rust.md": frontmatter('globs: "*.rs"'),
  "unsafe.md": frontmatter('globs: "*.rs"', 'fileContains: "unsafe {"'),
  "tests.md": frontmatter('globs: ["**/*.test.ts", "!src/deep/**"]'),
  "alpha.md": frontmatter("fileContains: [alpha, beta]"),
  "deploy.md": frontmatter("keywords: [deploy]"),
  "plan.md": frontmatter("agent: [plan]"),
  "other.md": frontmatter("model: [lab/other]"),
  "both.md": frontmatter("match: all", "keywords: [deploy]", 'globs: "*.ts"'),
  "planned.md": frontmatter("match: all", "agent: [plan]", 'fileContains: "alpha"'),
  "any.md": frontmatter("agent: [plan]", "keywords: [ship]"),
  "greet.md": frontmatter("command: [greet]"),
  "shell.md": frontmatter("tools: [bash]"),
  "system.md": frontmatter(`os: [${process.platform}]`),
  "asked.md": frontmatter("alwaysApply: false", "description: When somebody asks"),
  "push.md": frontmatter(hook("PreToolUse", "bash", ", match: push, block: true")),
  "secret.md": frontmatter("agent: [nobody]", hook("PreToolUse", "write", ", match: secret, block: true")),
  "after.md": frontmatter(hook("PostToolUse", "bash", ", match: ls")),
  "wake.md": frontmatter("agent: [nobody]", hook("PostToolUse", "read", "")),
  "once.md": frontmatter(hook("PreToolUse", "bash", ", match: apply, block: once")),
  "held.md": frontmatter('globs: "src/deep/**"', "hold: true"),
  "heldtext.md": frontmatter("fileContains: gamma", "hold: true"),
  "often.md": frontmatter("remind: 2000"),
  "again.md": frontmatter('globs: "*.rs"', "remind: 2000", "reminder: Mind the rules."),
  "shipped.md": frontmatter("keywords: [deploy]", "remind: 2500"),
  "forbidden.md": frontmatter('globs: "**/*.ts"', 'forbid: ["alpha"]'),
  "refused.md": frontmatter('globs: ["src/**"]', 'forbid: ["gamma", "unsafe {"]', "hold: true"),
} as const satisfies Readonly<Record<string, (body: string) => string>>

const FILES = ["src/a.rs", "src/deep/b.ts", "src/deep/b.test.ts", "c.test.ts", "notes.md"]
/** Texts by their names: failures print these. */
const TEXTS = {
  nothing: "nothing",
  unsafe: "unsafe { x() }",
  alpha: "const alpha = 1\nbeta()",
  gamma: "let gamma = 2",
  long: "some words of a long text ".repeat(400),
} as const satisfies Readonly<Record<string, string>>
const COMMANDS = ["ls", "git push", "terraform apply", "true"]
const PROMPTS = ["look around", "deploy it", "please ship and deploy", "go on"]

type Call = readonly [
  kind: "read" | "write" | "edit" | "patch" | "shell" | "fail",
  file: string,
  text: keyof typeof TEXTS,
  command: string,
]

const call: fc.Arbitrary<Call> = fc.tuple(
  fc.constantFrom("read", "write", "edit", "patch", "shell", "fail"),
  fc.constantFrom(...FILES),
  fc.constantFrom(...(Object.keys(TEXTS) as (keyof typeof TEXTS)[])),
  fc.constantFrom(...COMMANDS),
)
/** @param most how many calls run at once. */
const turns = (most: number) =>
  fc.record({
    kind: fc.constantFrom("prompt", "prompt", "prompt", "command"),
    prompt: fc.constantFrom(...PROMPTS),
    agent: fc.constantFrom("build", "build", "plan"),
    model: fc.constantFrom("plain", "plain", "other"),
    steps: fc.array(fc.array(call, { minLength: 1, maxLength: most }), { maxLength: 4 }),
    compacts: fc.constantFrom(false, false, false, true),
  })
const sessions = (mostAtOnce: number) =>
  fc.record({
    rules: fc.subarray(Object.keys(RULES) as (keyof typeof RULES)[], { minLength: 3 }),
    turns: fc.array(turns(mostAtOnce), { minLength: 1, maxLength: 5 }),
  })

test.each([
  ["one call at a time", 1, compared],
  ["calls in parallel", 3, comparedUnordered],
] as const)("a session that ran with the plugin replays to exactly its receipts: %s", async (_what, most, form) => {
  let time = 1_000_000
  const clock = spyOn(Date, "now").mockImplementation(() => time++)
  try {
    const property = fc.asyncProperty(sessions(most), async (script) => {
      const { live, replayed } = await bothReceipts(script)
      expect(form(replayed)).toEqual(form(live))
    })
    await fc.assert(property, { numRuns: runs(100), seed: 17 })
  } finally {
    clock.mockRestore()
  }
})

type Script = ReturnType<typeof sessions> extends fc.Arbitrary<infer T> ? T : never

/** The receipts of a session that runs on the model of the host, and those of its replay from its export. */
async function bothReceipts({ rules, turns: script }: Script) {
  const texts = rules.map((name) => [name, RULES[name](`Text of ${name}.`)])
  await using host = await startV1Host({ rules: Object.fromEntries(texts), repeats: ["Text of ", "Mind the rules."] })
  const session = host.session()
  for (const { kind, prompt, agent, model, steps, compacts } of script) {
    const calls = [...steps.map((step) => step.map((one) => toolStep(host, one))), "done"] as Step[]
    const settings = { agent, model: { providerID: "lab", modelID: model } }
    if (kind === "prompt") await session.prompt(prompt, calls, settings)
    else await session.command("greet", `greet: ${prompt}`, calls)
    if (compacts) await session.compact()
  }
  const live = (await session.receipts())?.receipts ?? []
  const stored = readExport(JSON.parse(JSON.stringify(session.exported())))
  if (stored === undefined) throw new Error("not an export")
  const { directory } = host
  const rulebook = await loadRulebook(ruleDirectories({ env: {}, home: "/nowhere", directory, worktree: directory }))
  const sources = {
    os: process.platform,
    ci: false,
    project: async () => undefined,
    branch: async () => undefined,
    tools: async () => new Set(["bash", "read"]),
  }
  const replayed: Receipt[] = []
  const receipts = { host: "h", plugin: "p", note: (_: string, receipt: Receipt) => void replayed.push(receipt) }
  await play(
    rulebook,
    { directory, sources, findNested: async () => [] },
    factsThen(live, stored.events, rulebook).withCommands(stored),
    { receipts },
    stored.id,
  )
  return { live, replayed }
}

function toolStep(host: V1Host, [kind, file, name, command]: Call): ToolStep {
  const text = TEXTS[name]
  switch (kind) {
    case "read":
      return tools.read(host, file, text)
    case "write":
      return tools.write(host.path(file), text)
    case "edit":
      return tools.edit(host.path(file), "old", text)
    case "patch":
      return tools.patch(`*** Begin Patch\n*** Add File: ${file}\n+${text.replaceAll("\n", "\n+")}\n*** End Patch`)
    case "shell":
      return tools.shell(command)
    case "fail":
      return { ...tools.read(host, file, text), failed: true, output: "File not found" }
    default:
      return kind satisfies never
  }
}

/** Receipts without their times, and without what says where they were made. */
function compared(receipts: readonly Receipt[]): readonly object[] {
  return receipts.map(({ at: _, ...receipt }) => {
    if (receipt.kind !== "session") return receipt
    const { host: _host, plugin: _plugin, ...own } = receipt
    return own
  })
}

/**
 * The same where calls ran in parallel: an export has their times, but not how they and the work for them alternated. So what happened
 * between two requests is compared without its order, what was stored then as one, and what matched a rule without which of the files.
 */
function comparedUnordered(receipts: readonly Receipt[]): readonly object[] {
  const stored = new Map<number, RuleId[]>()
  const others = receipts.flatMap((receipt): readonly Receipt[] => {
    if (receipt.kind === "request") return [{ ...receipt, did: inOrder(receipt.did) }]
    if (receipt.kind === "matched") return [{ ...receipt, by: receipt.by.map(withoutFile) }]
    if (receipt.kind !== "store") return [receipt]
    stored.set(receipt.request, [...(stored.get(receipt.request) ?? []), ...receipt.rules])
    return []
  })
  const stores = Array.from(stored, ([request, rules]) => ({
    ...{ request, kind: "store", rules: [...new Set(rules)].toSorted() },
  }))
  return inOrder([...compared(others), ...stores])
}

function withoutFile(by: MatchedBy): MatchedBy {
  return by.kind === "condition" && by.family === "file" ? { kind: by.kind, family: by.family } : by
}

function inOrder<T>(values: readonly T[]): readonly T[] {
  return values.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
}
