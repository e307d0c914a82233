import { type Line, positionAt, splitLines } from "./frontmatter/lines.ts"
import { visible } from "./text.ts"

/** One thing wrong. "error": the rule never matches. "warning": it works, but probably not as meant. */
export interface RuleProblem {
  readonly severity: "error" | "warning"
  /** Stable and kebab-case: "yaml-syntax", "unclosed-fence", "wrong-type", "empty-value", "bad-glob", … */
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

/** What is said about one place of a rule file. */
export interface ProblemInput {
  readonly code: string
  /** Offset in the file's text. */
  readonly offset: number
  readonly field?: string | undefined
  readonly reason: string
  readonly remedy: string
}

/** Collects the problems of one rule file. */
export interface Problems {
  readonly all: readonly RuleProblem[]
  error(finding: ProblemInput): void
  warning(finding: ProblemInput): void
}

export function collectProblems(file: string, text: string): Problems {
  const all: RuleProblem[] = []
  let lines: readonly Line[] | undefined
  const add = (severity: RuleProblem["severity"], finding: ProblemInput) => {
    lines ??= splitLines(text)
    const { code, field, reason, remedy } = finding
    all.push({ severity, code, file, ...positionAt(text, lines, finding.offset), field, reason, remedy })
  }
  return {
    all,
    error: (finding) => add("error", finding),
    warning: (finding) => add("warning", finding),
  }
}

/** A problem without a better place than the file (or folder) itself. */
export function fileProblem(
  file: string,
  severity: RuleProblem["severity"],
  code: string,
  reason: string,
  remedy: string,
): RuleProblem {
  return { severity, code, file, line: 1, column: 1, field: undefined, reason, remedy }
}

/** One line: `file:line:column field: reason. remedy`. Control characters are made visible. */
export function formatProblem(problem: RuleProblem): string {
  const place = `${problem.file}:${problem.line}:${problem.column}`
  const field = problem.field === undefined ? "" : ` ${problem.field}`
  return visible(`${place}${field}: ${sentence(problem.reason)} ${sentence(problem.remedy)}`.trimEnd())
}

function sentence(text: string): string {
  return text === "" || /[.!?]$/.test(text) ? text : `${text}.`
}
