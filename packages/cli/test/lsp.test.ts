import { afterEach, expect, setDefaultTimeout, test } from "bun:test"
import { spawn } from "node:child_process"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import {
  type CodeAction,
  type CompletionItem,
  createProtocolConnection,
  type Diagnostic,
  type DocumentLink,
  type Hover,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node.js"
import { rule, testProject } from "./project.ts"

setDefaultTimeout(20_000)

const BIN = join(import.meta.dir, "../src/bin.ts")
const open: AsyncDisposable[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one[Symbol.asyncDispose]()
})

/** An editor on a project, and the server that it has started. */
async function editor(files: Record<string, string>, git = false) {
  const project = await testProject(files, git)
  const env = { PATH: process.env["PATH"] ?? "", HOME: join(project.directory, "../home") }
  const server = spawn(process.execPath, [BIN, "lsp", "--stdio"], { cwd: project.directory, env })
  const ended = new Promise<number | null>((resolve) => server.once("exit", resolve))
  const client = createProtocolConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin))
  const published = new Map<string, (diagnostics: readonly Diagnostic[]) => void>()
  client.onNotification("textDocument/publishDiagnostics", ({ uri, diagnostics }: PublishDiagnosticsParams) => {
    published.get(uri)?.(diagnostics)
  })
  client.listen()
  const rootUri = pathToFileURL(project.directory).href
  await client.sendRequest("initialize", { processId: null, rootUri, capabilities: {} })
  await client.sendNotification("initialized", {})
  open.push({
    async [Symbol.asyncDispose]() {
      await client.sendRequest("shutdown")
      await client.sendNotification("exit")
      expect(await ended).toBe(0)
      client.dispose()
      await project[Symbol.asyncDispose]()
    },
  })

  const uriOf = (path: string) => pathToFileURL(join(project.directory, path)).href
  /** The next diagnostics of a document, once `act` has changed it. */
  async function diagnosticsAfter(path: string, act: () => Promise<void>): Promise<readonly Diagnostic[]> {
    const next = Promise.withResolvers<readonly Diagnostic[]>()
    published.set(uriOf(path), next.resolve)
    await act()
    return await next.promise
  }
  return {
    project,
    uriOf,
    client,
    opened: (path: string, text: string) => {
      const textDocument = { uri: uriOf(path), languageId: "markdown", version: 1, text }
      return client.sendNotification("textDocument/didOpen", { textDocument })
    },
    diagnosticsAfter,
    at: (path: string, line: number, character: number) => ({
      textDocument: { uri: uriOf(path) },
      position: { line, character },
    }),
  }
}

const PATH = ".opencode/rules/a.md"

test("a broken rule is marked at its place while it is typed, and the mark goes when it is mended", async () => {
  const lab = await editor({})
  const broken = await lab.diagnosticsAfter(PATH, () => lab.opened(PATH, rule("globs: '*.rs'\nci: maybe")))
  expect(broken).toEqual([
    expect.objectContaining({
      severity: 1,
      code: "wrong-type",
      source: "opencode-rulebook",
      range: { start: { line: 2, character: 4 }, end: { line: 2, character: 9 } },
    }),
  ])
  expect(broken[0]?.message).toContain("`ci`")
  const mended = await lab.diagnosticsAfter(PATH, () =>
    lab.client.sendNotification("textDocument/didChange", {
      textDocument: { uri: lab.uriOf(PATH), version: 2 },
      contentChanges: [{ range: broken[0]?.range, text: "true" }],
    }),
  )
  expect(mended).toEqual([])
})

test("what check reports of a rule in its project, the editor shows too: lints, and other rules with the same name", async () => {
  const lab = await editor({ "rules/0.md": rule("name: Same\nglobs: '*.rs'") })
  const found = await lab.diagnosticsAfter(PATH, () => lab.opened(PATH, rule("name: Same\nkeywords: [code]")))
  await lab.project.write("rules/a.md", rule("name: Same\nkeywords: [code]"))
  const { out } = await lab.project.run(["check", "--json"])
  const checked = JSON.parse(out).findings.filter(({ file }: { file: string }) => file.endsWith("/a.md"))
  expect(checked.length).toBeGreaterThan(1)
  expect(found.map(({ code }) => code).toSorted()).toEqual(checked.map(({ code }: { code: string }) => code).toSorted())
})

test("other documents get nothing: Markdown elsewhere, and other files in a rules folder", async () => {
  const lab = await editor({ "rules/b.md": rule("ci: maybe") })
  const seen: string[] = []
  lab.client.onNotification("textDocument/publishDiagnostics", ({ uri }: PublishDiagnosticsParams) => seen.push(uri))
  for (const path of ["README.md", "docs/rules/x.md", ".opencode/rules/notes.txt", ".opencode/agent/build.md"]) {
    await lab.opened(path, rule("ci: maybe"))
    const hover = await lab.client.sendRequest("textDocument/hover", lab.at(path, 1, 1))
    expect(hover).toBeNull()
  }
  await lab.opened(".opencode/rules/last.md", rule("ci: maybe"))
  while (seen.length === 0) await Bun.sleep(1)
  expect(seen).toEqual([lab.uriOf(".opencode/rules/last.md")])
})

test("hover tells a key's meaning, a hook's key, and what a pattern matches in this project", async () => {
  const text = rule('globs: ["src/*.ts", "!**/b.ts", "nothing/**"]\nhooks:\n  - type: PreToolUse\n    match: x')
  const lab = await editor({ "src/a.ts": "", "src/b.ts": "", "c.ts": "" }, true)
  await lab.opened(PATH, text)
  const hover = async (line: number, character: number) => {
    const found = await lab.client.sendRequest<Hover | null>("textDocument/hover", lab.at(PATH, line, character))
    return found && typeof found.contents === "object" && "value" in found.contents ? found.contents.value : ""
  }
  expect(await hover(1, 2)).toStartWith("**globs**\n\nActive when the path of a file")
  expect(await hover(1, 10)).toBe("`src/*.ts` matches 2 files of this project:\n\n- `src/a.ts`\n- `src/b.ts`")
  expect(await hover(1, 23)).toBe("`!**/b.ts` excludes 1 file of this project:\n\n- `src/b.ts`")
  expect(await hover(1, 35)).toBe("`nothing/**` matches no file of this project.")
  expect(await hover(4, 6)).toStartWith("**match**\n\nA regular expression")
  expect(await hover(6, 2)).toBe("")
})

test("completion offers keys, values that a key takes, and the project's own agents and servers", async () => {
  const files = {
    ".opencode/agent/reviewer.md": "You review.",
    ".opencode/command/ship.md": "Ship it.",
    "opencode.json": JSON.stringify({ mcp: { github: { type: "local", command: ["x"] } } }),
  }
  const lab = await editor(files)
  await lab.opened(PATH, rule("glo\nos: \nagent: [bu\ntools:\n  - \ncommand: s\nhooks:\n  - type: \n    to\nmatch: a"))
  const offered = async (line: number, character: number) => {
    const items = await lab.client.sendRequest<CompletionItem[]>(
      "textDocument/completion",
      lab.at(PATH, line, character),
    )
    return items.map(({ label }) => label)
  }
  expect(await offered(1, 3)).toEqual(
    expect.arrayContaining(["globs", "fileContains", "hooks", "hold", "remind", "forbid", "reminder"]),
  )
  expect((await offered(2, 4)).toSorted()).toEqual(["darwin", "linux", "win32"])
  expect(await offered(3, 10)).toEqual(expect.arrayContaining(["build", "plan", "reviewer"]))
  expect(await offered(5, 4)).toEqual(expect.arrayContaining(["bash", "mcp_github"]))
  expect(await offered(6, 10)).toEqual(["ship"])
  expect(await offered(8, 10)).toEqual(["PreToolUse", "PostToolUse"])
  expect((await offered(9, 6)).toSorted()).toEqual(["block", "match", "run", "tool", "type"])
  expect((await offered(10, 8)).toSorted()).toEqual(["all", "any"])
  expect(await offered(12, 1)).toEqual([])
})

test.each([
  ["glob: '*.rs'", "globs: '*.rs'"],
  ["file_contains: x", "fileContains: x"],
  ["keywrods: [zebra]", "keywords: [zebra]"],
  ["globs: src/**.ts", "globs: src/**/*.ts"],
])("a mechanical remedy is one action: %p becomes %p", async (before, after) => {
  const lab = await editor({})
  const text = rule(before)
  const diagnostics = await lab.diagnosticsAfter(PATH, () => lab.opened(PATH, text))
  const range = diagnostics[0]?.range
  const actions = await lab.client.sendRequest<CodeAction[]>("textDocument/codeAction", {
    textDocument: { uri: lab.uriOf(PATH) },
    range,
    context: { diagnostics },
  })
  const [edit] = actions[0]?.edit?.changes?.[lab.uriOf(PATH)] ?? []
  const lines = text.split("\n")
  const line = lines[edit?.range.start.line ?? -1] ?? ""
  const changed = line.slice(0, edit?.range.start.character) + edit?.newText + line.slice(edit?.range.end.character)
  expect({ changed, count: actions.length }).toEqual({ changed: after, count: 1 })
})

test("links of a rule lead to files that exist", async () => {
  const lab = await editor({ "docs/style.md": "", ".opencode/rules/other.md": "" })
  const body =
    "See [style](docs/style.md#names), [other](other.md), [gone](gone.md), [web](https://e.example) and @docs/style.md."
  await lab.opened(PATH, rule("globs: '*.rs'", body))
  const links = await lab.client.sendRequest<DocumentLink[]>("textDocument/documentLink", {
    textDocument: { uri: lab.uriOf(PATH) },
  })
  expect(links.map(({ target }) => target)).toEqual([
    lab.uriOf("docs/style.md"),
    lab.uriOf(".opencode/rules/other.md"),
    lab.uriOf("docs/style.md"),
  ])
})

test("an edit on disk of another rule counts after a save", async () => {
  const lab = await editor({ "rules/0.md": rule("name: Other\nglobs: '*.rs'") })
  const text = rule("name: Same\nglobs: '*.rs'")
  expect(await lab.diagnosticsAfter(PATH, () => lab.opened(PATH, text))).toEqual([])
  await lab.project.write("rules/0.md", rule("name: Same\nglobs: '*.rs'"))
  const saved = await lab.diagnosticsAfter(PATH, () =>
    lab.client.sendNotification("textDocument/didSave", { textDocument: { uri: lab.uriOf(PATH) } }),
  )
  expect(saved.map(({ code }) => code)).toEqual(["duplicate-name"])
})
