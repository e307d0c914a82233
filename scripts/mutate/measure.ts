import { join } from "node:path"
import { Glob } from "bun"
import { runJob } from "./job.ts"

/** A test as it ran without a mutant. */
export interface MeasuredTest {
  readonly name: string
  /** The absolute path of its file. */
  readonly file: string
  readonly ms: number
  /** How often the code of each mutant ran in it, by the mutants' ids. */
  readonly hits: ReadonlyMap<string, number>
}

export interface Measurement {
  readonly testFiles: readonly string[]
  readonly tests: readonly MeasuredTest[]
  /** Mutants whose code runs while test files load or prepare: a process that has loaded them can't tell what they change. */
  readonly loading: ReadonlySet<string>
}

/** The absolute paths of a package's test files. */
export function testFilesOf(sandbox: string, name: string): readonly string[] {
  return filesOf(sandbox, name)
    .filter((path) => /\.test\.tsx?$/.test(path))
    .map((path) => join(sandbox, path))
}

/** Makes the tests of a package keep what they register instead of running it: see `collect.ts`. Returns how to undo that. */
export async function collectTests(sandbox: string, name: string): Promise<() => Promise<void>> {
  const collect = JSON.stringify(join(sandbox, "scripts/mutate/collect.ts"))
  const before: [path: string, text: string][] = []
  for (const path of filesOf(sandbox, name)) {
    const file = join(sandbox, path)
    const text = await Bun.file(file).text()
    if (!text.includes('from "bun:test"')) continue
    before.push([file, text])
    await Bun.write(file, text.replaceAll('from "bun:test"', `from ${collect}`))
  }
  return async () => {
    for (const [file, text] of before) await Bun.write(file, text)
  }
}

/**
 * Runs each test once without a mutant. A test that is red then is not used, and is reported: it may count on a process of its own.
 *
 * @param sandbox holds the sources of `switchedSources`, and tests that `collectTests` has changed.
 */
export async function measure(sandbox: string, testFiles: readonly string[]): Promise<Measurement> {
  const lines = await runJob(sandbox, "measure", { testFiles })
  for (const line of lines) {
    if (line.kind === "red") console.log(`not used: ${line.test}: ${line.error}`)
    if (line.kind === "loaded") for (const error of line.failed) console.log(`not used: ${error}`)
  }
  const tests = lines.flatMap((line) =>
    line.kind === "measured"
      ? [{ name: line.test, file: line.file, ms: line.ms, hits: new Map(Object.entries(line.hits)) }]
      : [],
  )
  const loading = new Set(lines.flatMap((line) => (line.kind === "loaded" ? Object.keys(line.hits) : [])))
  return { testFiles, tests, loading }
}

function filesOf(sandbox: string, name: string): readonly string[] {
  const paths = [...new Glob(`packages/${name}/{src,test}/**/*.{ts,tsx}`).scanSync(sandbox)]
  return paths.map((path) => path.replaceAll("\\", "/")).toSorted()
}
