import { type RuleProblem, reasonAndEffect } from "@opencode-rulebook/rule-schema"
import { type Diagnostic, DiagnosticSeverity, type Range } from "vscode-languageserver-types"

/** A problem as an editor shows it: at the word where it begins, with its remedy. */
export function diagnosticOf(problem: RuleProblem, text: string): Diagnostic {
  const { severity, code, field, remedy } = problem
  const reason = reasonAndEffect(problem)
  const said = field === undefined ? reason : `\`${field}\`: ${reason}`
  return {
    range: rangeOf(problem, text),
    severity: severity === "error" ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    source: "opencode-rulebook",
    code,
    message: `${said}. ${remedy}.`,
    ...(field === undefined ? {} : { data: { field } }),
  }
}

/** From the problem's place to the end of the word, or of the quoted text, that begins there. */
function rangeOf({ line, column }: RuleProblem, text: string): Range {
  const source = text.split(/\r\n|\n|\r/)[line - 1] ?? ""
  const start = Math.min(column - 1, source.length)
  const word = /^(?:"[^"]*"|'[^']*'|[^\s,\]}"']+)/.exec(source.slice(start))?.[0] ?? ""
  return {
    start: { line: line - 1, character: start },
    end: {
      line: line - 1,
      character: Math.max(start + word.replace(/:$/, "").length, Math.min(start + 1, source.length)),
    },
  }
}
