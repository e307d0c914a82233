import { describe, expect, setDefaultTimeout, test } from "bun:test"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Io } from "../src/io.ts"
import { completionsAt } from "../src/lsp/completion.ts"
import { documentLinks } from "../src/lsp/links.ts"
import { isRuleFile, openWorkspace, problemsOf } from "../src/lsp/workspace.ts"
import { rule, type TestProject, testProject } from "./project.ts"

setDefaultTimeout(60_000)

function ioOf({ directory }: TestProject): Io {
  const nothing = () => {
    throw new Error("a language server writes through its connection")
  }
  return {
    cwd: "/nowhere",
    env: {},
    home: join(directory, "../home"),
    platform: "linux",
    hasColors: false,
    isInteractive: false,
    write: nothing,
    writeError: nothing,
    readStdin: nothing,
  }
}

describe("completion", () => {
  const BUILT_IN = "bash edit glob grep question read skill task todowrite webfetch write".split(" ")
  const files = {
    ".opencode/agent/reviewer.md": "You review.",
    ".opencode/agents/build.md": "You build.",
    ".opencode/agents/notes.txt": "Not an agent.",
    ".opencode/command/ship.md": "Ship it.",
    ".opencode/commands/tidy.md": "Tidy up.",
    "../home/.config/opencode/agent/mine.md": "You are mine.",
    "opencode.json": JSON.stringify({ mcp: { github: {}, off: { enabled: false } } }),
  }

  test.each<[lines: string, labels: readonly string[]]>([
    ["match: ¦", ["any", "all"]],
    ["os: [¦", ["linux", "darwin", "win32"]],
    ["ci: ¦", ["true", "false"]],
    ["project:\n  - ¦", ["node", "python", "go", "rust", "monorepo", "browser-extension"]],
    ["trigger: ¦", ["always_on", "glob", "model_decision", "manual"]],
    ["agent: ¦", ["build", "plan", "general", "explore", "mine", "reviewer"]],
    ["command: ¦", ["ship", "tidy"]],
    ["tools: ¦", [...BUILT_IN, "mcp_github"]],
    ["name: ¦", []],
    ["other: ¦", []],
    ["hooks: ¦", []],
    ["hooks:\n  - type: ¦", ["PreToolUse", "PostToolUse"]],
    ["hooks:\n  - tool: ¦", [...BUILT_IN, "*"]],
    ["hooks:\n  - block: ¦", ["true", "once"]],
    ["hooks:\n  - match: ¦", []],
    ["hooks:\n  - run: ¦", []],
    ["hooks:\n  - ¦", ["type", "tool", "match", "block", "run"]],
    ["---\n¦", []],
  ])("%j", async (lines, labels) => {
    await using project = await testProject(files)
    const workspace = await openWorkspace(project.directory, ioOf(project))
    const text = `---\n${lines.replace("¦", "")}\n---\n`
    const before = `---\n${lines}`.split("¦")[0]?.split("\n") ?? []
    const items = await completionsAt(text, before.length - 1, before.at(-1)?.length ?? 0, workspace)
    expect(items.map(({ label }) => label)).toEqual([...labels])
  })

  test("what is offered of a key is what it means, with an example; of a value its name", async () => {
    await using project = await testProject({})
    const workspace = await openWorkspace(project.directory, ioOf(project))
    const keys = await completionsAt("---\n\n---\n", 1, 0, workspace)
    expect(keys.find(({ label }) => label === "ci")).toEqual({
      label: "ci",
      kind: 10,
      insertText: "ci: ",
      detail: "true",
      documentation: expect.stringMatching(/^Active when/),
    })
    expect(keys.find(({ label }) => label === "os")?.detail).toBe('["linux","darwin"]')
    expect(keys.map(({ label }) => label).slice(0, 5)).toEqual([
      "globs",
      "paths",
      "applyTo",
      "fileMatchPattern",
      "fileContains",
    ])
    expect(await completionsAt("---\nci: \n---\n", 1, 4, workspace)).toEqual([
      { label: "true", kind: 12 },
      { label: "false", kind: 12 },
    ])
  })
})

test("links lead to files that exist, beside the rule or from the project's root", async () => {
  await using project = await testProject({
    "docs/style.md": "",
    ".opencode/rules/web/other.md": "",
    ".opencode/rules/web/both.md": "",
    "both.md": "",
  })
  const root = project.directory
  const text = [
    "See [style](docs/style.md#names), [other](other.md) and",
    "\t[both](both.md) [gone](gone.md) [web](https://e.example/both.md) [part](#part) [spaced](docs style.md)",
    "@docs/style.md, x@both.md @both @gone.md [mail](mailto:both.md) [style.md](style.md)",
    "[docs/style.md](docs/style.md)",
  ]
  const urlOf = (path: string) => pathToFileURL(join(root, path)).href
  const link = (line: number, from: number, written: string, path: string) => {
    const range = { start: { line, character: from }, end: { line, character: from + written.length } }
    return { range, target: urlOf(path) }
  }
  for (const terminator of ["\n", "\r\n", "\r"]) {
    expect(documentLinks(join(root, ".opencode/rules/web/a.md"), text.join(terminator), root)).toEqual([
      link(0, 12, "docs/style.md", "docs/style.md"),
      link(0, 42, "other.md", ".opencode/rules/web/other.md"),
      link(1, 8, "both.md", ".opencode/rules/web/both.md"),
      link(2, 1, "docs/style.md", "docs/style.md"),
      link(3, 16, "docs/style.md", "docs/style.md"),
    ])
  }
})

test("rule files are those in the rules folders of the project, of another one, and of the user", async () => {
  await using project = await testProject({
    "opencode.json": JSON.stringify({ plugin: [["opencode-rulebook", { rulesOf: ["cursor"] }]] }),
  })
  const workspace = await openWorkspace(project.directory, ioOf(project))
  const paths = {
    ".opencode/rules/a.md": true,
    ".opencode/rules/deep/a.MDC": true,
    "web/.opencode/rules/a.md": true,
    "../other/.opencode/rules/a.md": true,
    "../home/.config/opencode/rules/a.md": true,
    ".cursor/rules/a.mdc": true,
    ".clinerules/a.md": false,
    ".opencode/rules/a.txt": false,
    ".opencode/rules/a.md.txt": false,
    ".opencode/rulesx/a.md": false,
    "opencode/rules/a.md": false,
    "docs/rules/a.md": false,
    "a.md": false,
  }
  const found = Object.keys(paths).map((path) => [path, isRuleFile(join(project.directory, path), workspace)] as const)
  expect(Object.fromEntries(found)).toEqual(paths)
})

describe("the problems of a text in an editor", () => {
  const files = {
    "package.json": "{}",
    "src/a.ts": "",
    "rules/b.md": rule("name: Same\nglobs: '*.ts'"),
    "rules/d.md": rule("name: Same\nglobs: '*.ts'"),
    "rules/gone.md": rule("ci: maybe"),
    "rules/zoo/x.md": rule("name: Deep"),
    "rules/y.md": rule("name: Old"),
    "global/b.md": rule("name: Mine"),
  }
  async function problems(path: string, frontmatter: string, platform = "linux", git = true) {
    await using project = await testProject(files, git)
    const workspace = await openWorkspace(project.directory, ioOf(project))
    return problemsOf(join(project.directory, path), rule(frontmatter), workspace, platform).map(
      ({ severity, code, line, column }) => `${severity} ${code} ${line}:${column}`,
    )
  }

  test("are those of a broken rule alone, else what the plugin and the lints say", async () => {
    expect(await problems(".opencode/rules/a.md", "ci: maybe\nkeywords: the")).toEqual(["error wrong-type 2:5"])
    expect(await problems(".opencode/rules/a.md", "glob: '*.rs'\nkeywords: the")).toEqual([
      "warning key-form 2:1",
      "warning broad-keyword 3:11",
      "warning glob-without-file 2:7",
    ])
    expect(await problems("README.md", "ci: maybe")).toEqual([])
  })

  test("know the project's files, tags, names and system", async () => {
    expect(await problems(".opencode/rules/a.md", "globs: '*.rs'", "linux", false)).toEqual([])
    expect(await problems(".opencode/rules/a.md", "project: node\nagent: nobody")).toEqual([
      "warning always-on 2:10",
      "warning unknown-name 3:8",
    ])
    expect(await problems(".opencode/rules/a.md", "os: win32\nkeywords: deploy")).toEqual([])
    expect(await problems(".opencode/rules/a.md", "os: win32\nkeywords: deploy", "win32")).toEqual([
      "warning always-on 2:5",
    ])
  })

  test("of two rules that clash the later one is reported, as check does, wherever the new one comes", async () => {
    const same = ["warning duplicate-name 2:7"]
    expect(await problems(".opencode/rules/a.md", "name: Same")).toEqual([])
    expect(await problems(".opencode/rules/b.md", "name: Same")).toEqual([])
    expect(await problems(".opencode/rules/b.md", "name: Other")).toEqual([])
    expect(await problems(".opencode/rules/y.md", "name: Deep")).toEqual([])
    expect(await problems(".opencode/rules/c.md", "name: Same")).toEqual(same)
    expect(await problems(".opencode/rules/d.md", "name: Same")).toEqual(same)
    expect(await problems(".opencode/rules/e.md", "name: Same")).toEqual(same)
    expect(await problems(".opencode/rules/z.md", "name: Mine")).toEqual(same)
  })
})
