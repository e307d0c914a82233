import type { Readable, Writable } from "node:stream"
import {
  createConnection,
  StreamMessageReader,
  StreamMessageWriter,
  TextDocumentSyncKind,
  TextDocuments,
} from "vscode-languageserver/node.js"
import { TextDocument } from "vscode-languageserver-textdocument"
import { pathOfFileUrl } from "../file-url.ts"
import type { Io } from "../io.ts"
import { actionsFor } from "./actions.ts"
import { completionsAt } from "./completion.ts"
import { diagnosticOf } from "./diagnostics.ts"
import { hoverText } from "./hover.ts"
import { documentLinks } from "./links.ts"
import { isRuleFile, openWorkspace, problemsOf, type Workspace } from "./workspace.ts"

/**
 * `lsp`: a language server for rule files. Other documents get nothing from it. The library ends the process when
 * the client asks for it; this resolves when the client has closed the connection.
 *
 * @param io its `cwd` is the project where the client names no folder.
 */
export async function serve(input: Readable, output: Writable, io: Io): Promise<void> {
  const connection = createConnection(new StreamMessageReader(input), new StreamMessageWriter(output))
  const documents = new TextDocuments(TextDocument)
  let folder = io.cwd
  /** Read anew after a file was opened or saved, so that it holds what is on disk. */
  let workspace: Promise<Workspace> | undefined
  const current = () => {
    workspace ??= openWorkspace(folder, io)
    return workspace
  }

  /** A rule's document with what surrounds it; undefined for any other document. */
  async function ruleAt(uri: string) {
    const document = documents.get(uri)
    const path = pathOfFileUrl(uri)
    if (document === undefined || path === undefined) return undefined
    const around = await current()
    return isRuleFile(path, around) ? { path, text: document.getText(), around } : undefined
  }

  async function publish(uri: string): Promise<void> {
    const version = documents.get(uri)?.version
    const rule = await ruleAt(uri)
    if (rule === undefined || documents.get(uri)?.version !== version) return
    const problems = problemsOf(rule.path, rule.text, rule.around, io.platform)
    const diagnostics = problems.map((problem) => diagnosticOf(problem, rule.text))
    try {
      await connection.sendDiagnostics({ uri, diagnostics })
    } catch {
      // The editor has gone in the meantime.
    }
  }

  connection.onInitialize(({ workspaceFolders, rootUri }) => {
    const root = workspaceFolders?.[0]?.uri ?? rootUri
    folder = (root && pathOfFileUrl(root)) || folder
    return {
      serverInfo: { name: "opencode-rulebook" },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        hoverProvider: true,
        completionProvider: { triggerCharacters: [":", " ", "[", ",", "-"] },
        codeActionProvider: { codeActionKinds: ["quickfix"] },
        documentLinkProvider: {},
      },
    }
  })
  documents.onDidOpen(() => {
    workspace = undefined
  })
  documents.onDidSave(({ document }) => {
    workspace = undefined
    void publish(document.uri)
  })
  documents.onDidChangeContent(({ document }) => void publish(document.uri))
  documents.onDidClose(({ document }) => void connection.sendDiagnostics({ uri: document.uri, diagnostics: [] }))

  connection.onHover(async ({ textDocument, position: { line, character } }) => {
    const rule = await ruleAt(textDocument.uri)
    const value = rule && hoverText(rule.text, line, character, rule.around)
    return value === undefined ? null : { contents: { kind: "markdown", value } }
  })
  connection.onCompletion(async ({ textDocument, position: { line, character } }) => {
    const rule = await ruleAt(textDocument.uri)
    return rule ? [...(await completionsAt(rule.text, line, character, rule.around))] : []
  })
  connection.onCodeAction(async ({ textDocument, context }) => {
    const rule = await ruleAt(textDocument.uri)
    return rule ? [...actionsFor(textDocument.uri, rule.text, context.diagnostics)] : []
  })
  connection.onDocumentLinks(async ({ textDocument }) => {
    const rule = await ruleAt(textDocument.uri)
    return rule ? [...documentLinks(rule.path, rule.text, rule.around.project.directory)] : []
  })
  documents.listen(connection)
  connection.listen()
  await new Promise<void>((end) => {
    input.once("close", end)
    input.once("end", end)
  })
  connection.dispose()
}
