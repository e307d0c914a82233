import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { rule, testProject } from "./project.ts"

/** What `explain` prints in a project with these files. */
async function explained(files: Record<string, string>, args: readonly string[], hasColors = false): Promise<string> {
  await using project = await testProject(files)
  const { out, err } = await project.run(["explain", ...args], { hasColors })
  return (out + err).replaceAll(project.directory, "/app").replaceAll(join(project.directory, "../home"), "/home")
}

const styled = (code: number) => (text: string) => `\u001b[${code}m${text}\u001b[0m`
const [bold, dim, red, green] = [1, 2, 31, 32].map(styled) as [Style, Style, Style, Style]
type Style = (text: string) => string

const call = (tool: string, input: object) => ["--call", tool, "--args", JSON.stringify(input)]

test("colours: what is delivered and met is green, what is not is dim, what stops a call and what is wrong is red", async () => {
  const manifest = { name: "@acme/rules", version: "1.2.0", "opencode-rulebook": { rules: "rules" } }
  const files = {
    "opencode.json": JSON.stringify({ plugin: [["opencode-rulebook", { packs: ["@acme/rules"] }]] }),
    "node_modules/@acme/rules/package.json": JSON.stringify(manifest),
    "node_modules/@acme/rules/rules/packed.md": rule("keywords: [deploy]\ncommand: ship"),
    "rules/push.md": rule("hooks: [{ type: PreToolUse, tool: bash, block: true }, { type: PreToolUse, tool: edit }]"),
    "rules/bad.md": rule("ci: maybe\nos: beos"),
    "rules/quiet.md": rule("agent: plan"),
    "rules/worse.md": rule("ci: maybe"),
  }
  expect(
    await explained(files, ["--prompt", "look", "--command", "/ship", ...call("bash", {})], true),
  ).toBe(`${bold("push")}  .opencode/rules/push.md${dim("  about 3 tokens")}
  ${green("durable")}: in the request after the bash call, then kept in the conversation (a hook fires)
  ${red("blocks")}: the bash call, with this rule as the reason
    ${green("met    ")}  hook: PreToolUse bash · blocks
      the tool is bash
    ${dim("not met")}  hook: PreToolUse edit
      the tool is bash, not edit

${bold("quiet")}  .opencode/rules/quiet.md${dim("  about 3 tokens")}
  ${dim("not delivered")}: no condition met
    ${dim("not met")}  agent  saw agent "build": agent is not one of plan

${bold("packed")}  node_modules/@acme/rules/rules/packed.md  ${dim("(@acme/rules 1.2.0)")}${dim("  about 3 tokens")}
  ${green("durable")}: in the turn's first request, then kept in the conversation (a condition met)
    ${dim("not met")}  keywords  saw prompt "look": prompt has none of "deploy" literally
    ${green("met    ")}  command   saw command "/ship": command is ship
    match: any

${red("error")}: /app/.opencode/rules/bad.md:3:5 os: "beos" is not one of linux, darwin, win32, so this rule never matches. Write for example \`os: [linux, darwin]\`.
${red("error")}: /app/.opencode/rules/bad.md:2:5 ci: is neither true nor false, so this rule never matches. Write \`ci: true\` or \`ci: false\`.

${red("error")}: /app/.opencode/rules/worse.md:2:5 ci: is neither true nor false, so this rule never matches. Write \`ci: true\` or \`ci: false\`.

2 of 5 rules would be delivered.
`)
})

test("a rule of another lifetime: each time it comes, and how long it stays", async () => {
  const files = {
    "rules/both.md": rule("globs: '*.rs'\nagent: build"),
    "rules/once.md": rule("agent: plan\nhooks: { type: PostToolUse, tool: bash }"),
  }
  expect(
    await explained(files, ["--file", "a.rs", "--call", "bash"]),
  ).toBe(`both  .opencode/rules/both.md  about 3 tokens
  transient: in the turn's first request, and each later one while it holds (a condition met)
  durable: in the request after reading a.rs, then kept in the conversation (a condition met)
    met      file   saw a.rs (its text is not known): path matches *.rs
    met      agent  saw agent "build": agent is build
    match: any

once  .opencode/rules/once.md  about 3 tokens
  transient: in the request after the bash call only (a hook fires)
    not met  agent  saw agent "build": agent is not one of plan
    met      hook: PostToolUse bash
      the tool is bash

2 of 2 rules would be delivered.
`)
})

describe("what stops a call", () => {
  test("each tool is named once, whatever number of its calls", async () => {
    const files = {
      "rules/read.md": rule("hooks: { type: PreToolUse, tool: read, block: true }"),
      "rules/after.md": rule("globs: '*.rs'\nhooks: { type: PostToolUse, tool: read }"),
      "a.rs": "a",
      "b.rs": "bc",
    }
    expect(
      await explained(files, ["--file", "a.rs", "--file", "b.rs"]),
    ).toBe(`after  .opencode/rules/after.md  about 3 tokens
  not delivered: no condition met
    not met  file  saw a.rs (1 characters), b.rs (2 characters): the call is stopped
    not met  hook: PostToolUse read
      the tool is read, but the call is blocked and never runs

read  .opencode/rules/read.md  about 3 tokens
  durable: in the request after the read call, then kept in the conversation (a hook fires)
  blocks: the read call, with this rule as the reason
    met      hook: PreToolUse read · blocks
      the tool is read

1 of 2 rules would be delivered.
`)
  })

  test("a patch of several files is refused for a literal, without the place, and a hook after it does not fire", async () => {
    const files = {
      "rules/no.md": rule("globs: '*.ts'\nforbid: [alert(, debugger]\nhold: true"),
      "rules/after.md": rule("hooks: { type: PostToolUse, tool: apply_patch }"),
    }
    const patchText = "*** Begin Patch\n*** Add File: a.ts\n+debugger\n*** Add File: b.ts\n+x\n*** End Patch"
    expect(
      await explained(files, call("apply_patch", { patchText })),
    ).toBe(`after  .opencode/rules/after.md  about 3 tokens
  not delivered: hooks only
    not met  hook: PostToolUse apply_patch
      the tool is apply_patch, but the call is refused and never runs

no  .opencode/rules/no.md  about 3 tokens
  durable: in the request after the refused apply_patch call, then kept in the conversation (a call is refused)
  refuses: the apply_patch call, for "debugger"
    not met  file  saw a.ts (8 characters), b.ts (1 characters): the call is stopped

1 of 2 rules would be delivered.
`)
  })

  test("a call that is held is named, and a hook after it fires once it is made again", async () => {
    const files = {
      "rules/held.md": rule("hooks: { type: PreToolUse, tool: bash, block: once }"),
      "rules/after.md": rule("hooks: { type: PostToolUse, tool: bash }"),
    }
    expect(await explained(files, ["--call", "bash"])).toBe(`after  .opencode/rules/after.md  about 3 tokens
  durable: in the request after the bash call, then kept in the conversation (a hook fires)
    met      hook: PostToolUse bash
      the tool is bash

held  .opencode/rules/held.md  about 3 tokens
  durable: in the request after the held bash call, then kept in the conversation (a call is held)
  holds: the bash call, until the model has this rule
    met      hook: PreToolUse bash · blocks once
      the tool is bash

2 of 2 rules would be delivered.
`)
  })
})

test("without rules it says where it looked", async () => {
  expect(await explained({}, [])).toBe("no rules in /home/.config/opencode/rules, /app/.opencode/rules.\n")
})

test("tags may be given in one list, and more than once; empty ones do not count", async () => {
  const files = { "rules/go.md": rule("project: go") }
  const out = await explained(files, ["--project", "rust, ,", "--project", " go "])
  expect(out).toContain("\n    met      project  saw project: go, rust: project is go\n")
})

test("without a call, hooks are named without a verdict", async () => {
  const hooks = "hooks: [{ type: PreToolUse, tool: bash, block: true }, { type: PostToolUse, tool: edit }]"
  expect(
    await explained({ "rules/push.md": rule(hooks) }, ["--prompt", "x"]),
  ).toBe(`push  .opencode/rules/push.md  about 3 tokens
  not delivered: hooks only
    hook: PreToolUse bash · blocks
    hook: PostToolUse edit

0 of 1 rules would be delivered.
`)
})

test("an edit names no line of the file: only its own text is known", async () => {
  const files = { "rules/no.md": rule("globs: '*.ts'\nforbid: debugger") }
  const edit = call("edit", { filePath: "a.ts", oldString: "x", newString: "y\ndebugger" })
  expect(await explained(files, edit)).toBe(`no  .opencode/rules/no.md  about 3 tokens
  durable: in the request after the edit call, then kept in the conversation (a condition met)
  forbidden: "debugger" in a.ts, by the edit call
    met      file  saw a.ts (12 characters): path matches *.ts

1 of 1 rules would be delivered.
`)
})
