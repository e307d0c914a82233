import { expect, setDefaultTimeout, test } from "bun:test"
import { loadRulebook, ruleDirectories } from "@opencode-rulebook/rule-schema"
import fc from "fast-check"
import { hosts, type ToolStep } from "../../server/test/support/host.ts"
import { runs } from "../../server/test/support/runs.ts"
import { explainTurn } from "../src/explain/explanation.ts"
import { play } from "../src/play/play.ts"
import { eventsOfTurn } from "../src/play/turn.ts"

setDefaultTimeout(120_000)

const PROMPTS = ["look around", "deploy it", "please ship and deploy"]
const AGENTS = ["build", "plan"]
/** What the models of both hosts offer. */
const OFFERED = ["bash", "read", "shell"]
const FILES: readonly (readonly [path: string, text: string])[] = [
  ["src/a.rs", "unsafe { x() }"],
  ["src/deep/b.ts", "const alpha = 1\nbeta()"],
  ["notes.md", "nothing"],
]

const some = (...values: string[]) => fc.subarray(values, { minLength: 1 }).map((list) => JSON.stringify(list))
const hook = fc.record({
  type: fc.constantFrom("PreToolUse", "PostToolUse"),
  tool: fc.constantFrom("bash", "shell", "Bash", "read", "edit", "patch", "apply_patch", "'*'"),
  match: fc.constantFrom(
    "",
    ", match: push",
    ", match: { command: push }",
    ", match: 'a[.]rs'",
    ", match: '^.{0,12}ls'",
  ),
  block: fc.constantFrom("", "", ", block: true", ", block: once"),
})

/** The frontmatter of one rule. */
const frontmatter = fc
  .record(
    {
      globs: fc.oneof(some("*.rs", "src/**", "**/*.ts", "*.md"), some("**/*", "!*.ts"), some("!src/*", "src/**/*.ts")),
      fileContains: some("unsafe {", "alpha", "beta", "Nothing"),
      keywords: some("deploy", "ship", "look"),
      tools: some("bash", "shell", "read", "lsp", "mcp_github"),
      agent: some(...AGENTS),
      match: fc.constantFrom("any", "all"),
      hold: fc.constant("true"),
      forbid: some("alpha", "beta"),
      hooks: fc
        .array(hook, { minLength: 1, maxLength: 2 })
        .map((list) => `[${list.map((h) => `{ type: ${h.type}, tool: ${h.tool}${h.match}${h.block} }`).join(", ")}]`),
    },
    { requiredKeys: [] },
  )
  .map((keys) => Object.entries(keys).map(([key, value]) => `${key}: ${value}`))

const turn = fc.record({
  rules: fc.array(frontmatter, { minLength: 1, maxLength: 5 }),
  prompt: fc.constantFrom(...PROMPTS),
  agent: fc.constantFrom(...AGENTS),
  reads: fc.array(fc.constantFrom(...FILES), { maxLength: 3 }),
  call: fc.option(
    fc.constantFrom<readonly [string, string]>(
      ["shell", "git push"],
      ["shell", "ls"],
      ["write", "alpha"],
      ["edit", "beta"],
    ),
    { nil: undefined },
  ),
})

for (const { name, start, tools } of hosts) {
  test(`a dry run is the session that ${name} plays: which request has which rule, and which calls are stopped`, async () => {
    const property = fc.asyncProperty(turn, async ({ rules, prompt, agent, reads, call }) => {
      const texts = rules.map((keys, index) => [`r${index}.md`, `---\n${keys.join("\n")}\n---\nText of rule ${index}.`])
      await using host = await start({ rules: Object.fromEntries(texts), tools: OFFERED })
      const called = call && callOf(...call)
      const calls = [...reads.map(([path, text]) => tools.read(host, path, text)), ...(called ? [called] : [])]
      const played = await host.session().prompt(prompt, [...calls, "done"], { agent })

      const directory = host.path("")
      const rulebook = await loadRulebook(
        ruleDirectories({ env: {}, home: "/nowhere", directory, worktree: undefined }),
      )
      const around = {
        directory,
        findNested: async () => [],
        sources: {
          os: process.platform,
          ci: false,
          project: async () => undefined,
          branch: async () => undefined,
          tools: async () => new Set(OFFERED),
        },
      }
      const given = {
        turn: { prompt, command: undefined, agent, model: undefined },
        files: reads.map(([path, content]) => ({ path: host.path(path), content })),
        calls: called ? [{ tool: called.tool, args: called.args }] : [],
      }
      const dry = await play(rulebook, around, { ...eventsOfTurn(given), repeatsHeld: false }, { traces: true })
      const explained = explainTurn(dry, directory)

      const inSession = played.map((dispatch) => {
        const text = dispatch.join("\n")
        return rulebook.rules.map((rule) => text.includes(`<rule name="${rule.name}">`))
      })
      const inDryRun = dry.requests.map((_, index) => explained.map(({ requests }) => requests[index] !== undefined))
      expect(inDryRun).toEqual(inSession)
      expect(dry.calls.flat().filter(({ stops }) => stops.length > 0)).toHaveLength(played.errors.length)
      for (const { requests, deliveries } of explained) {
        expect(deliveries.length > 0).toBe(requests.some((lifetime) => lifetime !== undefined))
      }
    })
    await fc.assert(property, { numRuns: runs(60) })
  })

  function callOf(kind: string, text: string): ToolStep {
    if (kind === "shell") return tools.shell(text)
    return kind === "write" ? tools.write("src/new.ts", text) : tools.edit("src/new.ts", "x", text)
  }
}
