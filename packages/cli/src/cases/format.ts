import { visible } from "@opencode-rulebook/rule-schema"
import { formatHeadline, shownPath } from "../check/format.ts"
import type { Paint } from "../io.ts"
import type { CasesFile } from "./read.ts"
import type { CaseResult } from "./run.ts"

/** The results as a test runner shows them: a file, its cases, and what was otherwise than expected. */
export function formatResults(
  files: readonly CasesFile[],
  results: readonly CaseResult[],
  cwd: string,
  paint: Paint,
): string {
  const blocks = files.map(({ path, problems }) => {
    const own = results.filter(({ file }) => file === path)
    return [
      paint("bold", visible(shownPath(path, cwd))),
      ...problems.map((problem) => `  ${formatHeadline(problem, cwd, paint)}\n    ${visible(problem.remedy)}`),
      ...own.map((result) => formatResult(result, paint)),
    ].join("\n")
  })
  return `${[...blocks, totalsOf(files, results)].join("\n\n")}\n`
}

function formatResult({ case: { name }, failures }: CaseResult, paint: Paint): string {
  const mark = failures.length === 0 ? paint("green", "✓") : paint("red", "✗")
  return [`  ${mark} ${visible(name)}`, ...failures.map((failure) => `      ${visible(failure)}`)].join("\n")
}

function totalsOf(files: readonly CasesFile[], results: readonly CaseResult[]): string {
  const unread = files.reduce((sum, { problems }) => sum + problems.length, 0)
  const failed = results.filter(({ failures }) => failures.length > 0).length
  const parts = [
    `${results.length - failed} passed`,
    `${failed} failed`,
    ...(unread > 0 ? [`${unread} can't be read`] : []),
  ]
  return parts.join(", ")
}

/** The results in the form that CI services read as JUnit's. Times are in seconds. */
export function formatJUnit(files: readonly CasesFile[], results: readonly CaseResult[], cwd: string): string {
  const suites = files.map(({ path, problems }) => {
    const own = results.filter(({ file }) => file === path)
    const failed = own.filter(({ failures }) => failures.length > 0).length
    const name = escaped(shownPath(path, cwd))
    const cases = own.map(({ case: one, failures, milliseconds }) => {
      const open = `    <testcase classname="${name}" name="${escaped(one.name)}" time="${(milliseconds / 1000).toFixed(3)}"`
      if (failures.length === 0) return `${open}/>`
      return `${open}>\n      <failure message="${escaped(failures[0] ?? "")}">${failures.map(escaped).join("\n")}</failure>\n    </testcase>`
    })
    const unread = problems.map(({ line, reason, remedy }) => {
      const message = escaped(`${reason}. ${remedy}.`)
      return `    <testcase classname="${name}" name="line ${line}">\n      <error message="${message}"/>\n    </testcase>`
    })
    const counts = `tests="${own.length + problems.length}" failures="${failed}" errors="${problems.length}"`
    return [`  <testsuite name="${name}" ${counts}>`, ...cases, ...unread, "  </testsuite>"].join("\n")
  })
  return ['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>", ...suites, "</testsuites>", ""].join("\n")
}

function escaped(text: string): string {
  return visible(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
}
