import { afterEach, expect, test } from "bun:test"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { pathToFileURL } from "node:url"
import {
  type CompletionItem,
  createProtocolConnection,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node.js"
import { serve } from "../src/lsp/server.ts"
import { rule, type TestProject, testProject } from "./project.ts"

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

const refuse = () => {
  throw new Error("a language server writes through its connection")
}

/** A client of a server that was started in a folder and is told of others. */
async function connect(cwd: string, home: string, folders: { rootUri: string | null; workspaceFolders?: object }) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const served = serve(input, output, {
    ...{ cwd, home, env: {}, platform: "linux", hasColors: false, isInteractive: false },
    ...{ write: refuse, writeError: refuse, readStdin: refuse },
  })
  const client = createProtocolConnection(new StreamMessageReader(output), new StreamMessageWriter(input))
  const published: (readonly [uri: string, ...codes: unknown[]])[] = []
  const waiting: { readonly isDone: () => boolean; readonly done: () => void }[] = []
  client.onNotification("textDocument/publishDiagnostics", ({ uri, diagnostics }: PublishDiagnosticsParams) => {
    published.push([uri, ...diagnostics.map(({ code }) => code)])
    for (const { isDone, done } of waiting) if (isDone()) done()
  })
  client.listen()
  const answer = await client.sendRequest("initialize", { processId: null, capabilities: {}, ...folders })
  await client.sendNotification("initialized", {})
  open.push(async () => {
    input.end()
    await served
    client.dispose()
  })
  return {
    answer,
    client,
    published,
    /** Resolves when so many lists of problems have come, or when one of a document is the last that came of it. */
    async until(wanted: number | readonly [uri: string, ...codes: string[]]) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const isDone = () =>
        typeof wanted === "number"
          ? published.length >= wanted
          : Bun.deepEquals(
              published.findLast(([uri]) => uri === wanted[0]),
              wanted,
            )
      waiting.push({ isDone, done: resolve })
      if (isDone()) resolve()
      await promise
      return published
    },
    opens: (uri: string, text: string) =>
      client.sendNotification("textDocument/didOpen", {
        textDocument: { uri, languageId: "markdown", version: 1, text },
      }),
    closes: (uri: string) => client.sendNotification("textDocument/didClose", { textDocument: { uri } }),
  }
}

function urlOf(project: TestProject, path = "."): string {
  return pathToFileURL(join(project.directory, path)).href
}

test("what it offers to an editor", async () => {
  await using project = await testProject({})
  const { answer } = await connect(project.directory, project.directory, { rootUri: null })
  expect(answer).toEqual({
    serverInfo: { name: "opencode-rulebook" },
    capabilities: {
      textDocumentSync: { openClose: true, change: 2, save: true },
      hoverProvider: true,
      completionProvider: { triggerCharacters: [":", " ", "[", ",", "-"] },
      codeActionProvider: { codeActionKinds: ["quickfix"] },
      documentLinkProvider: {},
    },
  })
})

test("the project is the first folder of the workspace, else the root that the editor names, else where it was started", async () => {
  const agent = (name: string) => testProject({ [`.opencode/agent/${name}.md`]: "You help." })
  await using first = await agent("first")
  await using root = await agent("root")
  await using own = await agent("own")
  const agentsOf = async (folders: { rootUri: string | null; workspaceFolders?: object }) => {
    const editor = await connect(own.directory, own.directory, folders)
    const uri = urlOf(own, ".opencode/rules/a.md")
    await editor.opens(uri, rule("agent: "))
    const items = await editor.client.sendRequest<CompletionItem[]>("textDocument/completion", {
      textDocument: { uri },
      position: { line: 1, character: 7 },
    })
    return items.map(({ label }) => label).filter((label) => ["first", "root", "own"].includes(label))
  }
  const folder = (project: TestProject) => ({ uri: urlOf(project), name: "x" })
  expect(await agentsOf({ rootUri: urlOf(root), workspaceFolders: [folder(first), folder(root)] })).toEqual(["first"])
  expect(await agentsOf({ rootUri: urlOf(root), workspaceFolders: [] })).toEqual(["root"])
  expect(await agentsOf({ rootUri: urlOf(root) })).toEqual(["root"])
  expect(await agentsOf({ rootUri: null })).toEqual(["own"])
  expect(await agentsOf({ rootUri: "untitled:x" })).toEqual(["own"])
})

test("a closed document has no marks, also when it is closed before it was looked at", async () => {
  await using project = await testProject({})
  const editor = await connect(project.directory, project.directory, { rootUri: null })
  const [quick, slow] = [urlOf(project, ".opencode/rules/quick.md"), urlOf(project, ".opencode/rules/slow.md")]
  await editor.opens(quick, rule("ci: maybe"))
  await editor.closes(quick)
  await editor.opens(slow, rule("ci: maybe"))
  await editor.until([slow, "wrong-type"])
  await editor.until([quick])
  await editor.closes(slow)
  const published = await editor.until([slow])
  // On a busy machine the first one may have been looked at before it was closed.
  expect(published.filter(([, code]) => code === undefined)).toEqual([[quick], [slow]])
})

test("what is on disk is read anew when a document is opened", async () => {
  await using project = await testProject({})
  const editor = await connect(project.directory, project.directory, { rootUri: null })
  const [b, c] = [urlOf(project, ".opencode/rules/b.md"), urlOf(project, ".opencode/rules/c.md")]
  await editor.opens(b, rule("name: Same"))
  expect(await editor.until(1)).toEqual([[b]])
  await project.write("rules/a.md", rule("name: Same"))
  await editor.opens(c, rule("name: Same"))
  expect(await editor.until(2)).toEqual([[b], [c, "duplicate-name"]])
})

test("of no document, and of one that is not a rule, nothing is known", async () => {
  await using project = await testProject({})
  const { client, opens } = await connect(project.directory, project.directory, { rootUri: null })
  await opens(urlOf(project, "README.md"), rule("globs: x", "See [a](a.md)."))
  for (const uri of [urlOf(project, "README.md"), urlOf(project, ".opencode/rules/a.md"), "untitled:a.md"]) {
    const at = { textDocument: { uri }, position: { line: 1, character: 1 } }
    const range = { start: at.position, end: at.position }
    expect([
      await client.sendRequest("textDocument/hover", at),
      await client.sendRequest("textDocument/completion", at),
      await client.sendRequest("textDocument/documentLink", at),
      await client.sendRequest("textDocument/codeAction", { ...at, range, context: { diagnostics: [] } }),
    ]).toEqual([null, [], [], []])
  }
})
