import { type Line, positionAt, splitLines } from "./frontmatter/lines.ts"
import type { ProblemCode } from "./problem-codes.ts"
import { visible } from "./text.ts"

/** One thing wrong. "error": the rule never matches. "warning": it works, but probably not as meant. */
export interface RuleProblem {
  readonly severity: "error" | "warning"
  /** A `ProblemCode`, or a lint's own: stable and kebab-case. */
  readonly code: string
  /** Absolute path. */
  readonly file: string
  /** 1-based, like `column`; 1:1 when there is no better place. */
  readonly line: number
  readonly column: number
  /** The frontmatter key, or a path such as "hooks[0].match". */
  readonly field: string | undefined
  readonly reason: string
  readonly remedy: string
}

/** A place in a rule file. An entry of the frontmatter is one: its `field` is its key. */
export interface ProblemPlace {
  /** Offset in the file's text. */
  readonly offset: number
  /** The frontmatter key, or a path such as "hooks[0].match". */
  readonly field?: string | undefined
}

/** What is said about one place of a rule file. */
export interface ProblemInput extends ProblemPlace {
  readonly code: string
  readonly reason: string
  readonly remedy: string
}

/** Adds a problem: what is wrong in `reason`, what to do in `remedy`, each a clause that begins in lower case or a sentence. */
export type Report<Code = ProblemCode> = (at: ProblemPlace, code: Code, reason: string, remedy: string) => void

/** Collects the problems of one rule file. */
export interface Problems<Code = ProblemCode> {
  readonly all: readonly RuleProblem[]
  readonly error: Report<Code>
  readonly warning: Report<Code>
}

export function collectProblems<Code extends string = ProblemCode>(file: string, text: string): Problems<Code> {
  const all: RuleProblem[] = []
  let lines: readonly Line[] | undefined
  const reporter = (severity: RuleProblem["severity"]): Report<Code> => {
    return ({ offset, field }, code, reason, remedy) => {
      lines ??= splitLines(text)
      all.push({ severity, code, file, ...positionAt(text, lines, offset), field, reason, remedy })
    }
  }
  return { all, error: reporter("error"), warning: reporter("warning") }
}

/** A problem without a better place than the file (or folder) itself. */
export function fileProblem(
  file: string,
  severity: RuleProblem["severity"],
  code: ProblemCode,
  reason: string,
  remedy: string,
): RuleProblem {
  return { severity, code, file, line: 1, column: 1, field: undefined, reason, remedy }
}

/** What is wrong and what follows from it: an error in a rule file keeps the rule from ever matching. */
export function reasonAndEffect({ severity, file, reason }: RuleProblem): string {
  return severity === "error" && /\.mdc?$/i.test(file) ? `${reason}, so this rule never matches` : reason
}

/** One line: `file:line:column field: reason and effect. remedy`. Control characters are made visible. */
export function formatProblem(problem: RuleProblem): string {
  const place = `${problem.file}:${problem.line}:${problem.column}`
  const field = problem.field === undefined ? "" : ` ${problem.field}`
  return visible(`${place}${field}: ${sentence(reasonAndEffect(problem))} ${sentence(problem.remedy)}`.trimEnd())
}

function sentence(text: string): string {
  return text === "" || /[.!?]$/.test(text) ? text : `${text}.`
}
