import { expect, test } from "bun:test"
import type { Diagnostic } from "vscode-languageserver-types"
import { actionsFor } from "./actions.ts"

const URI = "file:///w/.opencode/rules/a.md"

function diagnostic(code: string, message: string, line: number, from: number, to: number): Diagnostic {
  return { code, message, range: { start: { line, character: from }, end: { line, character: to } } }
}

test("each problem with a mechanical remedy has one action, the others have none", () => {
  const text = "---\r\nglob: x\rkeywrods: y\nglobs: [src/**.ts, a**.{b,c}, 'x**.']\n---\n"
  const form = diagnostic("key-form", "`glob`: is read as `globs`. Write `globs`.", 1, 0, 4)
  const typo = diagnostic("unknown-key", "unknown key. Write `keywords` or leave it out.", 2, 0, 8)
  const folder = diagnostic("odd-pattern", "stays in one folder.", 3, 8, 17)
  const braces = diagnostic("odd-pattern", "stays in one folder.", 3, 19, 28)
  const none = [
    diagnostic("odd-pattern", "ends in a dot.", 3, 30, 36),
    diagnostic("unknown-key", "unknown key. Did you mean something else?", 2, 0, 8),
    diagnostic("unknown-key", "unknown key. Write `keywrods`.", 2, 0, 8),
    diagnostic("broad-keyword", "is in nearly every prompt. Write `globs`.", 2, 10, 11),
    diagnostic("odd-pattern", "is behind the end.", 9, 0, 5),
  ]
  const action = (problem: Diagnostic, newText: string) => ({
    title: `Write \`${newText}\``,
    kind: "quickfix",
    diagnostics: [problem],
    isPreferred: true,
    edit: { changes: { [URI]: [{ range: problem.range, newText }] } },
  })
  expect(actionsFor(URI, text, [form, ...none, typo, folder, braces])).toEqual([
    action(form, "globs"),
    action(typo, "keywords"),
    action(folder, "src/**/*.ts"),
    action(braces, "a**/*.{b,c}"),
  ])
})
