import { expect, test } from "bun:test"
import { join } from "node:path"
import { rule, testProject } from "./project.ts"

const NOTHING = { blocks: [], holds: [], refuses: [], forbidden: [], hooks: [], families: [], deliveries: [] }

test("a turn for programs: each rule with its deliveries, conditions, hooks and effects, and the rules with an error", async () => {
  const hooks = [
    "  - { type: PreToolUse, tool: bash, match: { command: '^git push', timeout: '^5' }, block: true }",
    "  - { type: PostToolUse, tool: edit, match: x, run: notify }",
    "  - { type: PreToolUse, tool: bash, block: once }",
  ]
  const conditions = "match: all\nglobs: '*.ts'\nfileContains: [alpha]\nkeywords: [deploy]\nagent: [build]"
  const manifest = { name: "@acme/rules", version: "1.2.0", "opencode-rulebook": { rules: "rules" } }
  await using project = await testProject({
    "rules/all.md": rule(`name: All of it\n${conditions}`),
    "rules/hooks.md": rule(["hooks:", ...hooks].join("\n")),
    "rules/log.md": rule("globs: '*.ts'\nforbid: [debugger, 'console.log(']"),
    "rules/refusing.md": rule("globs: '*.tsx'\nforbid: debugger\nhold: true"),
    "rules/bad.md": rule("ci: maybe"),
    "opencode.json": JSON.stringify({ plugin: [["opencode-rulebook", { packs: ["@acme/rules"] }]] }),
    "node_modules/@acme/rules/package.json": JSON.stringify(manifest),
    "node_modules/@acme/rules/rules/packed.md": rule("branch: main"),
    "src/a.ts": "alpha",
  })
  const args = ["--file", "src/a.ts", "--writes", "b\nconsole.log(1)", "--prompt", "deploy it", "--call", "bash"]
  const call = ["--args", '{"command":"git push","timeout":5}']
  const { out, code, err } = await project.run(["explain", "--json", ...args, ...call])
  expect({ code, err }).toEqual({ code: 1, err: "" })
  const [a, inRules] = [join(project.directory, "src/a.ts"), join(project.directory, ".opencode/rules")]
  const seen = [
    { path: "src/a.ts", characters: 5 },
    { path: "src/a.ts", characters: 16 },
  ]
  const file = { family: "file", met: true, saw: "src/a.ts (5 characters), src/a.ts (16 characters)", value: seen }
  const called = 'the tool is bash, and its arguments "{"command":"git push","timeout":5}" match'
  const isWrong = { reason: "is neither true nor false", remedy: "Write `ci: true` or `ci: false`" }
  const bad = join(inRules, "bad.md")
  expect(JSON.parse(out)).toEqual({
    version: 1,
    rules: [
      {
        ...{
          ...NOTHING,
          id: "project:all.md",
          name: "All of it",
          file: join(inRules, "all.md"),
          tokens: 3,
          match: "all",
        },
        ...{ delivered: true, why: "all conditions met" },
        deliveries: [
          {
            ...{ lifetime: "transient", moment: "after-file", after: a, why: "all conditions met" },
            when: "in the request after reading src/a.ts, and each later one while it holds",
          },
        ],
        families: [
          {
            ...file,
            why: 'path matches *.ts, its text has "alpha"; path matches *.ts, its text has none of "alpha" literally',
          },
          { family: "keywords", met: true, saw: 'prompt "deploy it"', value: "deploy it", why: 'prompt has "deploy"' },
          { family: "agent", met: true, saw: 'agent "build"', value: "build", why: "agent is build" },
        ],
      },
      {
        ...{
          ...NOTHING,
          id: "project:hooks.md",
          name: "hooks",
          file: join(inRules, "hooks.md"),
          tokens: 3,
          match: "any",
        },
        ...{ delivered: true, why: "a hook fires", blocks: ["bash"] },
        deliveries: [
          {
            ...{ lifetime: "durable", moment: "after-call", after: "bash", why: "a hook fires" },
            when: "in the request after the bash call, then kept in the conversation",
          },
        ],
        hooks: [
          {
            ...{
              type: "PreToolUse",
              tool: "bash",
              match: { command: "^git push", timeout: "^5" },
              block: true,
              run: null,
            },
            ...{ met: true, why: called },
          },
          {
            ...{ type: "PostToolUse", tool: "edit", match: "x", block: false, run: "notify" },
            ...{ met: false, why: "the tool is bash, not edit" },
          },
          {
            type: "PreToolUse",
            tool: "bash",
            match: null,
            block: "once",
            run: null,
            met: true,
            why: "the tool is bash",
          },
        ],
      },
      {
        ...{ ...NOTHING, id: "project:log.md", name: "log", file: join(inRules, "log.md"), tokens: 3, match: "any" },
        ...{ delivered: true, why: "a condition met" },
        deliveries: [
          {
            ...{ lifetime: "durable", moment: "after-file", after: a, why: "a condition met" },
            when: "in the request after reading src/a.ts, then kept in the conversation",
          },
        ],
        families: [{ ...file, why: "path matches *.ts; path matches *.ts" }],
        forbidden: [{ tool: "write", literal: "console.log(", path: "src/a.ts", line: 2 }],
      },
      {
        ...{ ...NOTHING, id: "project:refusing.md", name: "refusing", file: join(inRules, "refusing.md"), tokens: 3 },
        ...{ match: "any", delivered: false, why: "no condition met" },
        families: [{ ...file, met: false, why: "path does not match *.tsx; path does not match *.tsx" }],
      },
      {
        ...{ ...NOTHING, id: "pack:@acme/rules:packed.md", name: "packed", source: "@acme/rules 1.2.0", tokens: 3 },
        ...{ file: join(project.directory, "node_modules/@acme/rules/rules/packed.md"), match: "any" },
        ...{ delivered: false, why: "no condition met" },
        families: [
          {
            ...{ family: "branch", met: false, value: null },
            saw: "not a git repository, or no branch is checked out (use --branch)",
            why: "no git branch: not a git repository, or no branch is checked out",
          },
        ],
      },
    ],
    broken: [
      {
        ...{ id: "project:bad.md", name: "bad", scope: "project", file: bad, digest: expect.any(String) },
        problems: [{ severity: "error", code: "wrong-type", file: bad, line: 2, column: 5, field: "ci", ...isWrong }],
      },
    ],
  })
})
