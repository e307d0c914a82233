import { existsSync } from "node:fs"
import { rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { Mutant } from "./mutants.ts"

/**
 * The ids of the mutants that the compiler refuses. They can't come about, so they are no measure of the tests.
 *
 * Each mutant is compiled as a file of its own beside the file that it changes, all of them in one run. What a mutant would break in other
 * files is not seen.
 *
 * @param sandbox a copy of the repository with the sources as they are.
 */
export async function refusedMutants(sandbox: string, mutants: readonly Mutant[]): Promise<ReadonlySet<string>> {
  const refused = new Set<string>()
  for (const [config, some] of Map.groupBy(mutants, ({ file }) => configOf(sandbox, file))) {
    const ids = new Map(some.map((mutant) => [variantPath(mutant), mutant.id]))
    for (const mutant of some) await Bun.write(join(sandbox, variantPath(mutant)), mutant.text)
    for (const path of await failingFiles(sandbox, config, [...ids.keys()])) refused.add(ids.get(path) ?? "")
    for (const path of ids.keys()) await rm(join(sandbox, path))
  }
  return refused
}

/** The nearest configuration above a file: code for browsers has one of its own. */
function configOf(sandbox: string, file: string): string {
  const folder = dirname(file)
  const config = join(folder, "tsconfig.json").replaceAll("\\", "/")
  return folder === "." || existsSync(join(sandbox, config)) ? config : configOf(sandbox, folder)
}

function variantPath({ id, file }: Mutant): string {
  return file.replace(/(\.tsx?)$/, `.mutant${id}$1`)
}

/** Those of some files that the compiler has errors in. */
async function failingFiles(sandbox: string, config: string, files: readonly string[]): Promise<readonly string[]> {
  // A mutant may leave a name unused or a line unreachable: that is style, and no reason to refuse it.
  const compilerOptions = { noUnusedLocals: false, noUnusedParameters: false, allowUnreachableCode: true }
  const own = { extends: `./${config}`, compilerOptions, include: [], files }
  await Bun.write(join(sandbox, "tsconfig.mutate.json"), JSON.stringify(own))
  const tsc = [process.execPath, "x", "tsc", "--noEmit", "--pretty", "false", "-p", "tsconfig.mutate.json"]
  const child = Bun.spawn(tsc, { cwd: sandbox, stdio: ["ignore", "pipe", "inherit"] })
  const output = await new Response(child.stdout).text()
  const failing = Array.from(output.matchAll(/^([^\s(][^(]*)\(\d+,\d+\): error /gm), ([, path]) =>
    (path ?? "").replaceAll("\\", "/"),
  )
  if ((await child.exited) !== 0 && failing.length === 0) throw new Error(`tsc failed without an error: ${output}`)
  return [...new Set(failing)].filter((path) => files.includes(path))
}
