import { readdir, readFile, stat } from "node:fs/promises"
import { join, resolve } from "node:path"
import type { Io } from "../io.ts"
import type { Project } from "../project.ts"
import { UsageError } from "../usage-error.ts"
import { type CasesFile, readCases } from "./read.ts"

const ENDING = /\.cases\.ya?ml$/i

/** Whether a path names a file of cases. */
export function isCasesPath(path: string): boolean {
  return ENDING.test(path)
}

/**
 * The files of cases beside the rules of a session here, or the given ones.
 *
 * @param paths files and folders; none stands for the places of rules.
 * @throws UsageError for a path that is not there, or is not a file of cases.
 */
export async function findCases(paths: readonly string[], project: Project, io: Io): Promise<readonly CasesFile[]> {
  const given = await Promise.all(paths.map((path) => filesAt(resolve(io.cwd, path))))
  const standard = paths.length > 0 ? [] : project.ruleDirectories.map(({ path }) => filesBelow(path))
  const files = [...given.flat(), ...(await Promise.all(standard)).flat()]
  return await Promise.all(
    [...new Set(files)].toSorted().map(async (path) => readCases(path, await readFile(path, "utf8"))),
  )
}

async function filesAt(path: string): Promise<readonly string[]> {
  const stats = await stat(path).catch(() => undefined)
  if (stats === undefined) throw new UsageError(`${path}: no such file or folder`)
  if (stats.isDirectory()) return await filesBelow(path)
  if (!ENDING.test(path)) throw new UsageError(`${path}: not a file of cases; their names end in .cases.yaml`)
  return [path]
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  return names.filter((name) => ENDING.test(name)).map((name) => join(folder, name))
}
