import { expect, test } from "bun:test"
import { rule, testProject } from "./project.ts"

/** `code field` of each finding. */
async function findings(files: Record<string, string>): Promise<readonly string[]> {
  await using project = await testProject(files)
  const { out } = await project.run(["check", "--json"])
  const { findings: found } = JSON.parse(out) as { findings: { code: string; field: string; reason: string }[] }
  return found.map(({ code, field, reason }) => `${code} ${field} ${/"[^"]*"/.exec(reason)?.[0]}`)
}

const ALL = rule(
  "agent: [reviewer, team/lead, Configured, plan]\ncommand: [/deploy, ship, tidy]\ntools: [mcp_github, github_push, jira_find, mcp_off]",
)

test("without what declares them, names of agents, commands and tools are unknown", async () => {
  expect(await findings({ "rules/a.md": ALL })).toEqual([
    ...["reviewer", "team/lead", "Configured"].map((name) => `unknown-name agent "${name}"`),
    ...["deploy", "ship", "tidy"].map((name) => `unknown-name command "${name}"`),
    ...["mcp_github", "github_push", "jira_find", "mcp_off"].map((name) => `unknown-name tools "${name}"`),
  ])
})

test("they are known from .opencode, from opencode.json, and as skills and MCP servers", async () => {
  const config = {
    agent: { configured: {} },
    command: { ship: { template: "x" } },
    mcp: { github: {}, off: { enabled: false } },
  }
  const declared = {
    ".opencode/agent/reviewer.md": "You review.",
    ".opencode/agents/team/lead.md": "You lead.",
    ".opencode/commands/deploy.md": "Deploy.",
    ".claude/skills/tidy/SKILL.md": "---\nname: tidy\n---\n",
    ".opencode/tool/jira.ts": "export const find = {}",
    "opencode.json": JSON.stringify(config),
  }
  expect(await findings({ "rules/a.md": ALL, ...declared })).toEqual(['name-case agent "Configured"'])
})

test("another plugin may add any of them; this one and bash-guard don't", async () => {
  const text = rule("agent: reviewer")
  const withPlugins = (...plugin: readonly string[]) =>
    findings({ "rules/a.md": text, "opencode.json": JSON.stringify({ plugin }) })
  expect(await withPlugins("opencode-rulebook", "/code/packages/bash-guard")).toEqual(['unknown-name agent "reviewer"'])
  expect(await withPlugins("opencode-rulebook", "some-agents@1.0.0")).toEqual([])
  expect(await findings({ "rules/a.md": text, ".opencode/plugin/mine.ts": "" })).toEqual([])
})

test("names match in any case, and check says what the real one is", async () => {
  await using project = await testProject({
    "rules/a.md": rule("match: all\nagent: Build\ntools: [Bash]\nmodel: ACME/Plain"),
  })
  const { out } = await project.run(["explain", "--model", "acme/plain", "--json"])
  expect(JSON.parse(out)).toMatchObject({ rules: [{ delivered: true }] })
  const check = await project.run(["check"])
  expect(check.out).toContain('agent: the agent "Build" is called "build"; rules ignore case, so it still matches')
  expect(check.out).toContain("remedy: Write `build`")
})
