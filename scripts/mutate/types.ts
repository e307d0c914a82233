import { join } from "node:path"
import type { Mutant, SourceFile } from "./mutants.ts"

/**
 * The ids of the mutants that the compiler refuses. They can't come about, so they are no measure of the tests.
 *
 * One run of the compiler checks many mutants, at most one for each file. An error in a file that holds none of them has an unknown cause:
 * then each mutant of that run is checked by itself.
 *
 * @param sandbox a copy of the repository. Its sources are unchanged again afterwards.
 */
export async function refusedMutants(
  sandbox: string,
  name: string,
  mutants: readonly Mutant[],
  files: readonly SourceFile[],
): Promise<ReadonlySet<string>> {
  await writeConfig(sandbox, name)
  const refused = new Set<string>()
  // Code for browsers has a configuration of its own, and errors here without a mutant: what it says of a mutant is not counted.
  const before = await failingFiles(sandbox, [], files)
  const newlyFailing = async (some: readonly Mutant[]) =>
    (await failingFiles(sandbox, some, files)).filter((path) => !before.includes(path))
  for (const batch of batches(mutants)) {
    const failing = await newlyFailing(batch)
    if (failing.every((path) => batch.some(({ file }) => file === path))) {
      for (const { id, file } of batch) if (failing.includes(file)) refused.add(id)
      continue
    }
    for (const mutant of batch) {
      if ((await newlyFailing([mutant])).length > 0) refused.add(mutant.id)
    }
  }
  return refused
}

/** Groups in which each file has one mutant at most. */
function batches(mutants: readonly Mutant[]): readonly (readonly Mutant[])[] {
  const byFile = Map.groupBy(mutants, ({ file }) => file)
  const most = Math.max(0, ...[...byFile.values()].map((group) => group.length))
  return Array.from({ length: most }, (_, index) =>
    [...byFile.values()].flatMap((group) => {
      const mutant = group[index]
      return mutant === undefined ? [] : [mutant]
    }),
  )
}

/** The files that the compiler has errors in, relative to the sandbox. */
async function failingFiles(sandbox: string, batch: readonly Mutant[], files: readonly SourceFile[]) {
  for (const { file, text } of batch) await Bun.write(join(sandbox, file), text)
  const tsc = [process.execPath, "x", "tsc", "--noEmit", "--pretty", "false", "-p", "tsconfig.mutate.json"]
  const child = Bun.spawn(tsc, { cwd: sandbox, stdio: ["ignore", "pipe", "inherit"] })
  const output = await new Response(child.stdout).text()
  for (const { path, text } of files) await Bun.write(join(sandbox, path), text)
  const failing = Array.from(output.matchAll(/^([^\s(][^(]*)\(\d+,\d+\): error /gm), ([, path]) => path ?? "")
  if ((await child.exited) !== 0 && failing.length === 0) throw new Error(`tsc failed without an error: ${output}`)
  return [...new Set(failing.map((path) => path.replaceAll("\\", "/")))]
}

/** A mutant may leave a name unused or a line unreachable: that is style, and no reason to refuse it. */
async function writeConfig(sandbox: string, name: string): Promise<void> {
  const compilerOptions = { noUnusedLocals: false, noUnusedParameters: false, allowUnreachableCode: true }
  const config = {
    extends: "./tsconfig.json",
    compilerOptions,
    include: [`packages/${name}/src`],
    exclude: ["**/*.test.ts", "**/*.test.tsx"],
  }
  await Bun.write(join(sandbox, "tsconfig.mutate.json"), JSON.stringify(config))
}
