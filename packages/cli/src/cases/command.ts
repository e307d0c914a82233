import { writeFile } from "node:fs/promises"
import { resolve } from "node:path"
import { loadRulebook } from "@opencode-rulebook/rule-schema"
import { shownPath } from "../check/format.ts"
import { createPaint, type Io } from "../io.ts"
import { openProject, type Project } from "../project.ts"
import { UsageError } from "../usage-error.ts"
import { findCases } from "./find.ts"
import { formatJUnit, formatResults } from "./format.ts"
import { type CaseResult, runCase } from "./run.ts"

export interface TestOptions {
  readonly json: boolean
  /** A file for JUnit XML. */
  readonly junit: string | undefined
}

/**
 * `test`: plays the cases beside the rules and says which of them end as expected.
 *
 * @param paths files of cases, or folders; none stands for the places of rules.
 * @returns the exit code: 0 when all passed, 1 otherwise, and when there is none.
 * @throws UsageError for a path that can't be used, and a session that can't be read.
 */
export async function test(paths: readonly string[], { json, junit }: TestOptions, io: Io): Promise<number> {
  const project = await openProject(io.cwd, io)
  const files = await findCases(paths, project, io)
  const rulebook = await loadRulebook(project.ruleDirectories)
  const results: CaseResult[] = []
  for (const { path, cases } of files)
    for (const one of cases) results.push(await runCase(one, path, rulebook, project, io))
  if (junit !== undefined) await write(resolve(io.cwd, junit), formatJUnit(files, results, io.cwd))
  if (json) io.write(`${JSON.stringify(jsonOf(files, results, io.cwd), undefined, 2)}\n`)
  else if (files.length === 0) io.write(`no *.cases.yaml in ${placesOf(paths, project, io).join(", ")}.\n`)
  else io.write(formatResults(files, results, io.cwd, createPaint(io.hasColors)))
  const isGood =
    files.every(({ problems }) => problems.length === 0) && results.every(({ failures }) => failures.length === 0)
  return isGood && results.length > 0 ? 0 : 1
}

function placesOf(paths: readonly string[], { ruleDirectories }: Project, { cwd }: Io): readonly string[] {
  return paths.length > 0 ? paths.map((path) => resolve(cwd, path)) : ruleDirectories.map(({ path }) => path)
}

function jsonOf(files: Awaited<ReturnType<typeof findCases>>, results: readonly CaseResult[], cwd: string): object {
  return {
    version: 1,
    cases: results.map(({ file, case: { name, line }, failures }) => {
      return { file: shownPath(file, cwd), line, name, passed: failures.length === 0, failures }
    }),
    problems: files.flatMap(({ problems }) => problems),
  }
}

async function write(path: string, text: string): Promise<void> {
  await writeFile(path, text).catch((error: Error) => {
    throw new UsageError(`${path}: can't be written (${error.message})`)
  })
}
