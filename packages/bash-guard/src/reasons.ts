import type { Action } from "./permissions/rules.ts"
import type { Role } from "./shell/reading.ts"

/** Why a shell call is asked about or denied: one list for the refusal, the log and every report. */
export type Reason =
  /** The command is no valid bash, or no bash that the parser knows. */
  | { readonly kind: "unreadable"; readonly why: string; readonly line: number; readonly column: number }
  /** A bash pattern decided about a command. */
  | {
      readonly kind: "pattern"
      readonly action: "ask" | "deny"
      /** The command as written. */
      readonly text: string
      readonly pattern: string
      /** The form of the command that the pattern matches: as written, or in one of its other forms. */
      readonly form: string
      /** `possible`: only the shell knows a part of the command, and the pattern may match what it becomes. */
      readonly certainty: "certain" | "possible"
    }
  /** A pattern of the `edit` or `external_directory` permission decided about a file. */
  | {
      readonly kind: "file"
      readonly action: "ask" | "deny"
      readonly permission: "edit" | "external_directory"
      readonly text: string
      readonly pattern: string
    }
  /** What a part of the command does cannot be known before it runs. */
  | { readonly kind: "doubt"; readonly text: string; readonly why: string }

/** How one command was read, and what the bash patterns say about it. */
export interface JudgedCommand {
  /** The command as written. */
  readonly text: string
  readonly role: Role
  /** 1 at the top; each substitution and each script in a string adds one. */
  readonly depth: number
  /** Every form in which patterns were compared with it, the written one first. */
  readonly forms: readonly string[]
  readonly action: Action
  /** The pattern that decided; `(no pattern)` when none matches, and in parentheses why none is compared. */
  readonly pattern: string
}

/** The reason in one line, as the model, the dialog and the log have it. */
export function describeReason(reason: Reason): string {
  switch (reason.kind) {
    case "unreadable":
      return `The command cannot be parsed (line ${reason.line}, column ${reason.column}: ${reason.why}), so it cannot be checked. Rewrite it as valid bash.`
    case "pattern":
      return describePattern(reason)
    case "file":
      return reason.action === "deny"
        ? `${quote(reason.text)} is forbidden by the ${reason.permission} permission pattern ${quote(reason.pattern)}. Nothing was run.`
        : `${quote(reason.text)}: the ${reason.permission} pattern ${quote(reason.pattern)}`
    case "doubt":
      return `${quote(reason.text)}: ${reason.why}`
    default:
      return reason satisfies never
  }
}

function describePattern(reason: Extract<Reason, { kind: "pattern" }>): string {
  const read = reason.form === reason.text ? "" : ` (read as ${quote(reason.form)})`
  if (reason.action === "deny") {
    return `${quote(reason.text)}${read} is forbidden by the bash permission pattern ${quote(reason.pattern)}. Nothing was run.`
  }
  return reason.certainty === "certain"
    ? `${quote(reason.text)}${read}: the bash pattern ${quote(reason.pattern)}`
    : `${quote(reason.text)}: it may match the bash pattern ${quote(reason.pattern)}`
}

const longestQuote = 300

const escapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }

/** Command text in a message: characters that a terminal obeys or hides are escaped, long text is cut. */
export function quote(text: string): string {
  const cut = text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text
  return `\`${cut.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped)}\``
}

function escaped(character: string): string {
  return escapes[character] ?? `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`
}
