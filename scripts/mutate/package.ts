import { dirname, join } from "node:path"
import { Glob } from "bun"
import { freshRuns } from "./fresh.ts"
import { collectTests, type Measurement, measure, testFilesOf } from "./measure.ts"
import { listMutants, type Mutant, type SourceFile } from "./mutants.ts"
import { playMutants } from "./play-mutants.ts"
import { createSandbox, removeSandbox } from "./sandbox.ts"
import type { Verdict } from "./score.ts"
import { switchedSources } from "./switched.ts"
import { refusedMutants } from "./types.ts"

/** How many processes play at once. */
const WORKERS = Math.max(1, Math.min(4, navigator.hardwareConcurrency))

export interface MutantVerdict {
  readonly mutant: Mutant
  readonly verdict: Exclude<Verdict, "accepted">
  /** Whether any test runs the mutant's code. */
  readonly isRun: boolean
}

/**
 * Tests mutants of one package, and says of each whether its unit tests notice it.
 *
 * @param name the package's folder in `packages`.
 * @param choose which of the package's mutants to test.
 */
export async function mutatePackage(
  name: string,
  choose: (mutants: readonly Mutant[]) => readonly Mutant[],
): Promise<readonly MutantVerdict[]> {
  const sandbox = await createSandbox(name)
  try {
    const files = await sources(sandbox, name)
    const { mutants, instrumented } = await listMutants(files)
    const chosen = choose(mutants)
    const refused = await refusedMutants(sandbox, chosen)
    const real = chosen.filter(({ id }) => !refused.has(id))
    // The other files stay as they are: instrumented code is slow.
    const changed = new Set(real.map(({ file }) => file))
    await write(
      sandbox,
      switchedSources(instrumented).filter(({ path }) => changed.has(path)),
    )
    const undo = await collectTests(sandbox, name)
    const measurement = await measure(sandbox, testFilesOf(sandbox, name))
    const covered = coveredBy(measurement)
    const shares = Array.from({ length: WORKERS }, (_, worker) => real.filter((_, index) => index % WORKERS === worker))
    const played = await Promise.all(
      shares.map((share, worker) => {
        const some = share.filter(({ id }) => covered.has(id))
        return playMutants(sandbox, measurement, some, `worker-${worker}`)
      }),
    )
    await undo()
    const noticed = new Set(played.flatMap((ids) => [...ids]))
    const filesFor = testFilesFor(sandbox, mutants, measurement)
    const noticesFresh = freshRuns(sandbox)
    const fresh = shares.map(async (share) => {
      for (const mutant of share.filter(({ id }) => !noticed.has(id)))
        if (await noticesFresh(filesFor(mutant), mutant.id)) noticed.add(mutant.id)
    })
    await Promise.all(fresh)
    return chosen.map((mutant) => {
      const isRun = covered.has(mutant.id) || measurement.loading.has(mutant.id)
      const verdict = refused.has(mutant.id) ? "refused" : noticed.has(mutant.id) ? "killed" : "survived"
      return { mutant, verdict, isRun }
    })
  } finally {
    await removeSandbox(sandbox)
  }
}

/**
 * The test files that may notice a mutant in a process of their own: those that run its code; of code that runs while files load, those that
 * run any of its file, and those of its folder; and the file's own tests.
 */
function testFilesFor(sandbox: string, mutants: readonly Mutant[], { tests, testFiles, loading }: Measurement) {
  const filesWith = (ids: readonly string[]) =>
    tests.filter(({ hits }) => ids.some((id) => hits.has(id))).map(({ file }) => file)
  return ({ id, file }: Mutant): readonly string[] => {
    const isLoading = loading.has(id)
    const beside = join(sandbox, isLoading ? `${dirname(file)}/` : `${file.replace(/\.tsx?$/, "")}.test.`)
    const own = isLoading ? mutants.filter((other) => other.file === file).map((other) => other.id) : [id]
    return [...new Set([...filesWith(own), ...testFiles.filter((path) => path.startsWith(beside))])]
  }
}

function coveredBy({ tests }: Measurement): ReadonlySet<string> {
  return new Set(tests.flatMap(({ hits }) => [...hits.keys()]))
}

async function write(sandbox: string, files: readonly SourceFile[]): Promise<void> {
  for (const { path, text } of files) await Bun.write(join(sandbox, path), text)
}

async function sources(sandbox: string, name: string): Promise<readonly SourceFile[]> {
  const paths = [...new Glob(`packages/${name}/src/**/*.{ts,tsx}`).scanSync(sandbox)]
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !/\.test\.tsx?$/.test(path))
  return await Promise.all(
    paths.toSorted().map(async (path) => ({ path, text: await Bun.file(join(sandbox, path)).text() })),
  )
}
