import { expect, test } from "bun:test"
import { codes, said, surroundings } from "../../test/linted.ts"

const DEAD = "so the rule never matches"
const SERVERS =
  "Name a built-in tool such as `bash` or `edit`, `<server>_<tool>` of a configured MCP server, or with `tools` `mcp_<server>`."
const unknown = (place: string, kind: string, name: string, outcome: string, remedy: string) =>
  `${place}: there is no ${kind} "${name}" here, ${outcome}. ${remedy}`
const agent = (column: number, name: string, outcome: string, line = 2) =>
  unknown(`${line}:${column} agent`, "agent", name, outcome, `Correct the name, or add .opencode/agent/${name}.md.`)

test.each<[frontmatter: string, ...findings: string[]]>([
  ["agent: [nobody, build]", agent(9, "nobody", "so this name has no effect")],
  ["agent: [nobody, ghost]", agent(9, "nobody", DEAD), agent(17, "ghost", DEAD)],
  ["match: all\nagent: nobody\nci: true", agent(8, "nobody", DEAD, 3)],
  ["agent: nobody\nci: true", agent(8, "nobody", "so the condition is never met")],
  ["agent: nobody\nhooks: { type: PreToolUse, tool: bash }", agent(8, "nobody", "so the condition is never met")],
  ["agent: ['*', nobody]", agent(14, "nobody", DEAD)],
  ["agent: [bu*ld, 'my agent', what?, nobody]", agent(35, "nobody", DEAD)],
  ["agent: bulid", unknown("2:8 agent", "agent", "bulid", DEAD, "Write `build`.")],
  [
    "command: [/deploy, github:x, deep/check]",
    unknown(
      "2:11 command",
      "command",
      "deploy",
      "so this name has no effect",
      "Correct the name, or add .opencode/command/deploy.md.",
    ),
  ],
  [
    "tools: [nobody, agent, View, grpe, buid]",
    unknown("2:9 tools", "tool", "nobody", DEAD, SERVERS),
    unknown("2:17 tools", "tool", "agent", DEAD, "Write `task`."),
    unknown("2:24 tools", "tool", "View", DEAD, "Write `read`."),
    unknown("2:30 tools", "tool", "grpe", DEAD, "Write `grep`."),
    unknown("2:36 tools", "tool", "buid", DEAD, SERVERS),
  ],
  [
    "tools: [github_x, GitHub_Y, mcp_github, xgithub_z, github:x]",
    unknown("2:41 tools", "tool", "xgithub_z", "so this name has no effect", SERVERS),
    unknown("2:52 tools", "tool", "github:x", "so this name has no effect", SERVERS),
  ],
  [
    "hooks: [{ type: PreToolUse, tool: 'nobody|bash' }, { type: PreToolUse, tool: [nobody, Terminal] }]",
    unknown("2:35 hooks[0].tool", "tool", "nobody", "so this name has no effect", SERVERS),
    unknown("2:79 hooks[1].tool", "tool", "nobody", "so the hook never fires", SERVERS),
    unknown("2:87 hooks[1].tool", "tool", "Terminal", "so the hook never fires", "Write `bash`."),
  ],
  [
    "hooks: { type: PreToolUse, tool: ['*', nobody] }",
    unknown("2:40 hooks[0].tool", "tool", "nobody", "so this name has no effect", SERVERS),
  ],
  ["model: [gpt-5, acme/gpt-5]"],
])("%j: names that nothing has", (frontmatter, ...findings) => {
  expect(said(frontmatter, "unknown-name")).toEqual(findings)
})

test("a command with a colon is a server's prompt, where there are servers", () => {
  const without = { ...surroundings.names, toolPrefixes: [] }
  expect(codes("command: github:x")).toBe("")
  expect(codes("command: github:x", undefined, { names: without })).toBe("unknown-name 2:10")
  expect(codes("command: deploy")).toBe("unknown-name 2:10")
})

const other = (place: string, kind: string, name: string, real: string) =>
  `${place}: the ${kind} "${name}" is called "${real}"; rules ignore case, so it still matches. Write \`${real}\`.`

test.each<[frontmatter: string, ...findings: string[]]>([
  ["agent: [reviewer, Reviewer, plan]", other("2:9 agent", "agent", "reviewer", "Reviewer")],
  ["command: [Deep/Check, /review]", other("2:11 command", "command", "Deep/Check", "deep/check")],
  [
    "tools: [Bash, mcp_GitHub, GitHub_Y, Shell]",
    other("2:9 tools", "tool", "Bash", "bash"),
    other("2:15 tools", "tool", "mcp_GitHub", "mcp_github"),
  ],
  [
    "model: [ANTHROPIC/claude-sonnet-4-5, GPT-5]",
    other("2:9 model", "model", "ANTHROPIC/claude-sonnet-4-5", "anthropic/claude-sonnet-4-5"),
  ],
  ["hooks: { type: PreToolUse, tool: [Shell, Bash, '*'] }", other("2:42 hooks[0].tool", "tool", "Bash", "bash")],
])("%j: names in another case", (frontmatter, ...findings) => {
  expect(said(frontmatter, "name-case")).toEqual(findings)
})

test("of two names that differ in case only, each is one", () => {
  const names = { ...surroundings.names, agents: new Set(["Reviewer", "reviewer"]) }
  expect(codes("agent: [reviewer, Reviewer]", undefined, { names })).toBe("")
})
