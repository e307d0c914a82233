import { expect, setDefaultTimeout, test } from "bun:test"
import { join } from "node:path"
import { rule, testProject } from "./project.ts"

setDefaultTimeout(60_000)

interface Told {
  readonly name: string
  readonly delivered: boolean
  readonly deliveries: readonly { readonly lifetime: string; readonly moment: string }[]
  readonly blocks: readonly string[]
  readonly holds: readonly string[]
  readonly refuses: readonly object[]
  readonly forbidden: readonly object[]
  readonly families: readonly {
    readonly family: string
    readonly met: boolean
    readonly value: unknown
    readonly why: string
  }[]
}

const UNSAFE = rule('globs: "**/*.rs"\nfileContains: "unsafe {"')

/** What becomes of one rule, in short. */
async function outcome(text: string, args: readonly string[], stdin = ""): Promise<string> {
  await using project = await testProject({ "rules/rule.md": text, "src/a.rs": "unsafe { x() }", "package.json": "{}" })
  const { code, out, err } = await project.run(["explain", "--json", ...args], { stdin })
  if (code !== 0) throw new Error(err)
  const [told] = (JSON.parse(out) as { rules: readonly Told[] }).rules
  const list = told?.deliveries.map(({ lifetime, moment }) => `${lifetime} ${moment}`).join(", ") || "not delivered"
  const { blocks = [], holds = [] } = told ?? {}
  return [list, ...blocks.map((tool) => `blocks ${tool}`), ...holds.map((tool) => `holds ${tool}`)].join(", ")
}

const rows: readonly [name: string, frontmatter: string, args: string[], expected: string][] = [
  ["no conditions", "name: x", [], "durable first-request"],
  ["a keyword", "keywords: [deploy]", ["--prompt", "Deploy it"], "durable first-request"],
  ["no keyword", "keywords: [deploy]", ["--prompt", "build it"], "not delivered"],
  ["a file's path", "globs: '*.rs'", ["--file", "src/a.rs"], "durable after-file"],
  ["a path that is not there", "globs: '*.go'", ["--file", "main.go"], "durable after-file"],
  ["a file's own text", 'fileContains: "unsafe {"', ["--file", "src/a.rs"], "durable after-file"],
  ["a command", "command: review", ["--command", "/review"], "durable first-request"],
  ["the project's marker files", "project: node", [], "durable first-request"],
  ["given tags", "project: [go]", ["--project", "rust,go"], "durable first-request"],
  [
    "tags given more than once",
    "match: all\nproject: [go]\nos: linux",
    ["--project", "rust, ,", "--project", " go "],
    "durable first-request",
  ],
  ["given tags are all there are", "project: node", ["--project", "go"], "not delivered"],
  ["this system", "os: linux", [], "durable first-request"],
  ["a given system", "os: win32", ["--os", "win32"], "durable first-request"],
  ["in CI", "ci: true", ["--ci"], "durable first-request"],
  ["not in CI", "ci: true", ["--no-ci"], "not delivered"],
  ["an agent", "agent: plan", ["--agent", "plan"], "transient first-request"],
  ["the agent that a session begins with", "agent: build", [], "transient first-request"],
  ["another agent", "agent: plan", [], "not delivered"],
  ["a built-in tool, by either major's name", "tools: shell", [], "transient first-request"],
  ["no built-in tool", "tools: lsp", [], "not delivered"],
  ["a model by its id", "model: gpt-5", ["--model", "openai/gpt-5"], "transient first-request"],
  ["a model by both", "model: openai/gpt-5", ["--model", "openai/gpt-5"], "transient first-request"],
  ["a model of no provider", "model: gpt-5", ["--model", "gpt-5"], "transient first-request"],
  ["a model of another provider", "model: openai/gpt-5", ["--model", "gpt-5"], "not delivered"],
  [
    "a model whose id has a slash",
    "model: router/openai/gpt-5",
    ["--model", "router/openai/gpt-5"],
    "transient first-request",
  ],
  [
    "a model by an id with a slash",
    "model: openai/gpt-5",
    ["--model", "router/openai/gpt-5"],
    "transient first-request",
  ],
  ["a branch with an empty name", "branch: '*'", ["--branch", ""], "not delivered"],
  [
    "a call without arguments",
    "hooks: { type: PreToolUse, tool: bash, match: '^[{][}]$' }",
    ["--call", "bash"],
    "durable after-call",
  ],
  ["a branch", "branch: release/*", ["--branch", "release/1"], "transient first-request"],
  ["no branch", "branch: '*'", ["--no-branch"], "not delivered"],
  ["an MCP server", "tools: mcp_github", ["--tool", "bash", "--tool", "mcp_github"], "transient first-request"],
  [
    "all with a transient one",
    "match: all\nglobs: '*.rs'\nagent: build",
    ["--file", "src/a.rs"],
    "transient after-file",
  ],
  ["all, one missing", "match: all\nglobs: '*.rs'\nagent: plan", ["--file", "src/a.rs"], "not delivered"],
  [
    "a call that writes a file",
    "globs: '*.rs'\nfileContains: alpha",
    ["--call", "write", "--args", '{"filePath":"x.rs","content":"alpha"}'],
    "durable after-call",
  ],
  [
    "hooks and tools by the other major's names",
    "hooks: { type: PreToolUse, tool: shell }\ntools: subagent",
    ["--call", "bash"],
    "transient first-request",
  ],
  [
    "a hook by the other major's name",
    "hooks: { type: PreToolUse, tool: shell }",
    ["--call", "bash"],
    "durable after-call",
  ],
  [
    "transient first, durable once the file was read",
    "globs: '*.rs'\nagent: build",
    ["--file", "src/a.rs", "--agent", "build"],
    "transient first-request, durable after-file",
  ],
  [
    "a prompt comes before a file",
    "globs: '*.rs'\nkeywords: [deploy]",
    ["--file", "src/a.rs", "--prompt", "deploy"],
    "durable first-request",
  ],
]

for (const [name, frontmatter, args, expected] of rows) {
  test(name, async () => expect(await outcome(rule(frontmatter), args)).toBe(expected))
}

test("hooks: fired by a call, blocking, or not", async () => {
  const text = rule("hooks:\n  - type: PreToolUse\n    tool: bash\n    match: git push.*--force\n    block: true")
  const call = (command: string) => ["--call", "bash", "--args", JSON.stringify({ command })]
  expect(await outcome(text, call("git push --force"))).toBe("durable after-call, blocks bash")
  expect(await outcome(text, call("git push"))).toBe("not delivered")
  expect(await outcome(text, [])).toBe("not delivered")
})

test("reading a file is a tool call too: hooks on it fire, and one that blocks leaves nothing to see", async () => {
  const file = ["--file", "src/a.rs"]
  expect(await outcome(rule("hooks: { type: PostToolUse, tool: read }"), file)).toBe("durable after-call")
  const block = "hooks: { type: PreToolUse, tool: read, match: 'a[.]rs', block: true }"
  expect(await outcome(rule(`globs: '*.rs'\n${block}`), file)).toBe("durable after-call, blocks read")
  expect(await outcome(rule(`globs: '*.rs'\n${block}`), ["--file", "src/b.rs"])).toBe("durable after-file")
})

test("a call that is blocked doesn't happen: nothing comes after it", async () => {
  const hooks = "hooks: [{ type: PreToolUse, tool: bash, block: true }, { type: PostToolUse, tool: bash }]"
  await using project = await testProject({
    "rules/block.md": rule(hooks),
    "rules/after.md": rule("hooks: { type: PostToolUse, tool: bash }"),
  })
  const { out } = await project.run(["explain", "--call", "bash"])
  expect(out).toContain("blocks: the bash call, with this rule as the reason")
  expect(out).toEndWith("1 of 2 rules would be delivered.\n")
})

test("--writes: a write is held, unless the rule came with the prompt or by reading what the file had", async () => {
  const unsafe = rule('globs: "**/*.rs"\nfileContains: "unsafe {"\nkeywords: [deploy]\nhold: true')
  const write = (file: string, text: string, ...more: string[]) =>
    outcome(unsafe, ["--file", file, "--writes", text, ...more])
  expect(await write("src/new.rs", "unsafe { y() }")).toBe("durable after-call, holds write")
  expect(await write("src/new.rs", "safe()")).toBe("not delivered")
  expect(await write("src/new.ts", "unsafe { y() }")).toBe("not delivered")
  expect(await write("src/new.rs", "unsafe { y() }", "--prompt", "deploy")).toBe("durable first-request")
  expect(await write("src/a.rs", "unsafe { y() }")).toBe("durable after-file")
  expect(await outcome(unsafe, ["--file", "src/new.rs", "--writes", "-"], "unsafe {")).toBe(
    "durable after-call, holds write",
  )
  expect(await outcome(unsafe.replace("hold: true", ""), ["--file", "src/new.rs", "--writes", "unsafe {"])).toBe(
    "durable after-call",
  )
})

test("the text says that a write is held, and what the repeated one came to", async () => {
  await using project = await testProject({
    "rules/unsafe.md": rule('globs: "**/*.rs"\nhold: true'),
    "rules/after.md": rule("hooks: { type: PostToolUse, tool: write }"),
  })
  const { out } = await project.run(["explain", "--file", "src/new.rs", "--writes", "x"])
  expect(out).toBe(`after  .opencode/rules/after.md  about 3 tokens
  durable: in the request after the write call, then kept in the conversation (a hook fires)
    met      hook: PostToolUse write
      the tool is write

unsafe  .opencode/rules/unsafe.md  about 3 tokens
  durable: in the request after the held write call, then kept in the conversation (a call is held)
  holds: the write call, until the model has this rule
    met      file  saw src/new.rs (1 characters): path matches **/*.rs

2 of 2 rules would be delivered.
`)
})

test("forbid: what a write adds, with its line; with hold it is refused", async () => {
  const text = rule('globs: "**/*.ts"\nforbid: ["console.log(", debugger]')
  await using project = await testProject({
    "rules/log.md": text,
    "rules/held.md": rule('globs: "**/*.ts"\nforbid: debugger\nhold: true'),
    "src/old.ts": "console.log(1)\n",
  })
  const run = async (file: string, written: string) => {
    const { out } = await project.run(["explain", "--json", "--file", file, "--writes", written])
    const { rules } = JSON.parse(out) as { rules: Told[] }
    return Object.fromEntries(rules.map(({ name, holds, refuses, forbidden }) => [name, { holds, refuses, forbidden }]))
  }
  const nothing = { holds: [], refuses: [], forbidden: [] }
  const added = { tool: "write", literal: "console.log(", path: "src/new.ts", line: 2 }
  expect(await run("src/new.ts", "a\nconsole.log(2)")).toEqual({
    held: { ...nothing, holds: ["write"] },
    log: { ...nothing, forbidden: [added] },
  })
  const refused = { tool: "write", literal: "debugger", path: "src/new.ts", line: 1 }
  expect(await run("src/new.ts", "debugger")).toEqual({ held: { ...nothing, refuses: [refused] }, log: nothing })
  expect(await run("src/old.ts", "b\nconsole.log(3)")).toEqual({ held: nothing, log: nothing })
  expect(await run("src/new.md", "debugger")).toEqual({ held: nothing, log: nothing })
})

test("the text names literal, file and line", async () => {
  await using project = await testProject({
    "rules/held.md": rule('globs: "**/*.ts"\nforbid: debugger\nhold: true'),
    "rules/log.md": rule('globs: "**/*.js"\nforbid: "console.log("'),
  })
  const text = async (file: string, written: string) =>
    (await project.run(["explain", "--file", file, "--writes", written])).out
  expect(await text("src/a.ts", "x\ndebugger")).toContain(`
  durable: in the request after the refused write call, then kept in the conversation (a call is refused)
  refuses: the write call, for "debugger" in src/a.ts, line 2
    not met  file  saw src/a.ts (10 characters): the call is stopped
`)
  expect(await text("src/a.js", "console.log(")).toContain(`
  durable: in the request after the write call, then kept in the conversation (a condition met)
  forbidden: "console.log(" in src/a.js, line 1, by the write call
`)
})

test("block: once holds a call until the rule is there", async () => {
  const text = rule("hooks:\n  - { type: PreToolUse, tool: bash, match: { command: ^terraform apply }, block: once }")
  const call = (command: string) => ["--call", "bash", "--args", JSON.stringify({ command })]
  expect(await outcome(text, call("terraform apply"))).toBe("durable after-call, holds bash")
  expect(await outcome(text, call("terraform plan"))).toBe("not delivered")
})

test("--content-from: standard input and another file stand for what the agent sees", async () => {
  expect(await outcome(UNSAFE, ["--file", "src/b.rs", "--content-from", "-"], "unsafe { }")).toBe("durable after-file")
  expect(await outcome(UNSAFE, ["--file", "src/a.rs", "--content-from", "-"], "fn x() {}")).toBe("not delivered")
  expect(await outcome(UNSAFE, ["--file", "src/b.rs", "--content-from", "src/a.rs"])).toBe("durable after-file")
  // What is no text is shown by no read, from wherever it comes.
  expect(await outcome(UNSAFE, ["--file", "src/b.rs", "--content-from", "-"], "unsafe { }\0")).toBe("not delivered")
  expect(await outcome(UNSAFE, ["--file", "src/b.rs"])).toBe("not delivered")
})

test("the text for people: verdict, moment, and each family's value and reason", async () => {
  await using project = await testProject({
    "rules/unsafe.md": rule(
      'name: Unsafe Rust\nglobs: "**/*.rs"\nfileContains: "unsafe {"\nkeywords: [deploy]\nbranch: main',
    ),
    "rules/force.md": rule("hooks:\n  - type: PreToolUse\n    tool: bash\n    match: --force\n    block: true"),
    "src/a.rs": "fn x() {}",
    "src/b.rs": "unsafe { x() }",
  })
  const { code, out } = await project.run(["explain", "--file", "src/a.rs", "--file", "src/b.rs", "--prompt", "look"])
  expect(code).toBe(0)
  expect(out).toBe(`force  .opencode/rules/force.md  about 3 tokens
  not delivered: hooks only
    not met  hook: PreToolUse bash · arguments match "--force" · blocks
      the tool is read, not bash

Unsafe Rust  .opencode/rules/unsafe.md  about 3 tokens
  durable: in the request after reading src/b.rs, then kept in the conversation (a condition met)
    met      file      saw src/a.rs (9 characters), src/b.rs (14 characters): path matches **/*.rs, its text has none of "unsafe {" literally; path matches **/*.rs, its text has "unsafe {"
    not met  keywords  saw prompt "look": prompt has none of "deploy" literally
    not met  branch    not a git repository, or no branch is checked out (use --branch)
    match: any

1 of 2 rules would be delivered.
`)
})

test("hooks: what each made of the call, and `run` commands that are off", async () => {
  const hooks = [
    "  - { type: PreToolUse, tool: shell, match: git push, run: notify }",
    "  - { type: PreToolUse, tool: edit }",
    "  - { type: PostToolUse, tool: bash, match: --force }",
  ]
  const text = rule(["hooks:", ...hooks].join("\n"))
  const options = { plugin: [["/opt/rulebook", { projectCommands: true }]] }
  await using project = await testProject({ "rules/push.md": text, "global/mine.md": text })
  const call = ["explain", "--call", "bash", "--args", '{"command":"git push"}']
  const lines = (note: string) => `
    met      hook: PreToolUse shell · arguments match "git push" · runs "notify"${note}
      the tool is bash, and its arguments "{"command":"git push"}" match
    not met  hook: PreToolUse edit
      the tool is bash, not edit
    not met  hook: PostToolUse bash · arguments match "--force"
      the tool is bash, and its arguments "{"command":"git push"}" do not match
`
  const off = (await project.run(call)).out
  expect(off).toContain(lines(""))
  expect(off).toContain(lines(" (off: projectCommands)"))
  await project.write("opencode.jsonc", `// Ours\n${JSON.stringify(options)}`)
  expect((await project.run(call)).out).not.toContain("projectCommands")
  const told = JSON.parse((await project.run([...call, "--json"])).out) as { rules: { hooks: object[] }[] }
  expect(told.rules[0]?.hooks[1]).toEqual({
    type: "PreToolUse",
    tool: "edit",
    match: null,
    block: false,
    run: null,
    met: false,
    why: "the tool is bash, not edit",
  })
})

test("what the flags leave out is as OpenCode's configuration has it, the nearest file first", async () => {
  await using project = await testProject({
    "rules/model.md": rule("model: openai/gpt-5"),
    "rules/own.md": rule("model: x/own"),
    "rules/agent.md": rule("agent: reviewer"),
    "rules/server.md": rule("tools: mcp_github"),
    "rules/off.md": rule("tools: mcp_jira"),
    "opencode.json": JSON.stringify({ model: "x/other", default_agent: "reviewer", mcp: { github: {}, jira: {} } }),
    ".opencode/opencode.jsonc": '{ "model": "openai/gpt-5", "mcp": { "jira": { "enabled": false } }, }',
  })
  const delivered = async (...args: string[]) => {
    const { rules } = JSON.parse((await project.run(["explain", "--json", ...args])).out) as { rules: Told[] }
    return rules.filter((one) => one.delivered).map(({ name }) => name)
  }
  expect(await delivered()).toEqual(["agent", "model", "server"])
  expect(await delivered("--agent", "plan", "--model", "x/own", "--tool", "bash")).toEqual(["own"])
  await project.write(".opencode/opencode.jsonc", '{ "agent": { "reviewer": { "model": "x/own" } } }')
  expect(await delivered()).toEqual(["agent", "off", "own", "server"])
  await project.write("opencode.json", "{ not JSON")
  expect(await delivered()).toEqual([])
})

test("without flags it is the turn that the demo begins: what that delivers at once is delivered", async () => {
  await using project = await testProject({})
  const { out } = await project.run(["explain", "-C", join(import.meta.dir, "../../../examples/service"), "--json"])
  const { rules } = JSON.parse(out) as { rules: Told[] }
  const delivered = rules.filter((one) => one.delivered).map(({ name }) => name)
  expect(delivered.toSorted()).toEqual(["House style", "While building"])
})

test("a rule that can't be understood is named with the reason; exit code 1", async () => {
  await using project = await testProject({ "rules/bad.md": "---\nglobs: 5\n---\nx\n" })
  const { code, out } = await project.run(["explain", "--file", "x.rs"])
  expect(code).toBe(1)
  expect(out).toMatch(
    /^error: .*bad\.md:2:8 globs: 5 is not text, so this rule never matches\. Put it in quotes: `"5"`\./,
  )
})

const usage: readonly [args: string[], message: string][] = [
  [["--content-from", "-"], "--content-from needs exactly one --file"],
  [["--file", "a", "--file", "b", "--content-from", "-"], "--content-from needs exactly one --file"],
  [["--file", "a", "--content-from", "nowhere"], "/app/nowhere: can't be read: ENOENT"],
  [["--args", "{}"], "--args needs --call"],
  [["--writes", "x"], "--writes needs exactly one --file"],
  [["--file", "a", "--file", "b", "--writes", "x"], "--writes needs exactly one --file"],
  [["--file", "a", "--content-from", "-", "--writes", "-"], "--writes and --content-from can't both be -"],
  [["--call", "bash", "--args", "{"], '--args is not valid JSON, for example \'{"command":"ls"}\' (JSON'],
  [
    ["--os", "solaris"],
    "option '--os <name>' argument 'solaris' is invalid. Allowed choices are linux, darwin, win32.",
  ],
  [["--file", "."], "/app: can't be read: EISDIR"],
]

for (const [args, message] of usage) {
  test(`wrong usage is exit code 2: explain ${args.join(" ")}`, async () => {
    await using project = await testProject({})
    const { code, out, err } = await project.run(["explain", ...args])
    const told = err.replaceAll(project.directory, "/app").slice(0, `error: ${message}`.length)
    expect({ code, out, told }).toEqual({ code: 2, out: "", told: `error: ${message}` })
  })
}

test("--content-from and --writes can share a file with standard input for one of them", async () => {
  const args = ["--file", "src/a.rs", "--content-from", "src/a.rs", "--writes", "-"]
  expect(await outcome(UNSAFE, args, "x")).toBe("durable after-file")
  expect(await outcome(UNSAFE, ["--file", "src/a.rs", "--content-from", "-", "--writes", "unsafe {"], "x")).toBe(
    "durable after-call",
  )
})
