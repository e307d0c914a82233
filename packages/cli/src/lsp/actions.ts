import { type CodeAction, CodeActionKind, type Diagnostic, type TextEdit } from "vscode-languageserver-types"

/** The mechanical remedy of a problem, by its code: what replaces the text at the problem's place. */
const REPAIRS: Readonly<Record<string, (diagnostic: Diagnostic, found: string) => string | undefined>> = {
  "key-form": meantWord,
  "unknown-key": meantWord,
  // `src/**.ts` stays in one folder.
  "odd-pattern": (_, found) => found.replace(/\*\*\.(?=[\w{])/, "**/*."),
}

/** The code actions for problems with a mechanical remedy. */
export function actionsFor(uri: string, text: string, diagnostics: readonly Diagnostic[]): readonly CodeAction[] {
  return diagnostics.flatMap((diagnostic): CodeAction[] => {
    const found = textIn(text, diagnostic)
    const replacement = REPAIRS[String(diagnostic.code)]?.(diagnostic, found)
    if (replacement === undefined || replacement === found) return []
    const edit: TextEdit = { range: diagnostic.range, newText: replacement }
    return [
      {
        title: `Write \`${replacement}\``,
        kind: CodeActionKind.QuickFix,
        diagnostics: [diagnostic],
        isPreferred: true,
        edit: { changes: { [uri]: [edit] } },
      },
    ]
  })
}

/** The message names the key that was meant, in backticks behind the remedy's verb. */
function meantWord({ message }: Diagnostic): string | undefined {
  return /Write `(\w+)`/.exec(message)?.[1]
}

function textIn(text: string, { range: { start, end } }: Diagnostic): string {
  const line = text.split(/\r\n|\n|\r/)[start.line] ?? ""
  return line.slice(start.character, end.character)
}
