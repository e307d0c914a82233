import { mkdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { FOLDER_VARIABLE } from "./switched.ts"

/** Files in a job's folder: the job, and its results as lines of JSON. */
export const JOB_FILE = "job.json"
export const RESULTS_FILE = "results.jsonl"

/** What one process that plays tests has to do; `play.ts` does it. */
export interface Job {
  /** Absolute paths of the test files to load. */
  readonly testFiles: readonly string[]
  /** The mutants to play the tests with. Without them, each test is measured. */
  readonly mutants?: readonly MutantJob[]
}

export interface MutantJob {
  readonly id: string
  /** The tests to try, in this order: each with its milliseconds, and how often it ran the mutant's code, when it was measured. */
  readonly tests: readonly (readonly [name: string, ms: number, hits: number])[]
}

/** How often the code of each mutant ran, by the mutants' ids. */
export type Hits = Readonly<Record<string, number>>

/**
 * What became of a mutant in one process. `dirty`: a test failed with it, and goes on failing without it. `late`: a test did not
 * end in time. After these two the process can't go on.
 */
export type Outcome = "killed" | "survived" | "dirty" | "late"

export type Line =
  | { readonly kind: "loaded"; readonly hits: Hits; readonly failed: readonly string[] }
  | {
      readonly kind: "measured"
      readonly test: string
      readonly file: string
      readonly ms: number
      readonly hits: Hits
    }
  | { readonly kind: "red"; readonly test: string; readonly error: string }
  | { readonly kind: "begun"; readonly id: string }
  | { readonly kind: "ended"; readonly id: string; readonly outcome: Outcome; readonly by?: string }

/** A process that writes nothing for so long hangs: no test may take as long. */
const SILENCE_MS = 150_000
const FOREVER_MS = 2 ** 31 - 1

/**
 * Runs a job in a process of its own.
 *
 * @param worker a name for the job's files, different for jobs at the same time.
 * @returns what the process wrote; less than the whole if it hung or died.
 */
export async function runJob(sandbox: string, worker: string, job: Job): Promise<readonly Line[]> {
  const folder = join(sandbox, "jobs", worker)
  const results = join(folder, RESULTS_FILE)
  await mkdir(join(folder, "tmp"), { recursive: true })
  await Bun.write(results, "")
  await Bun.write(join(folder, JOB_FILE), JSON.stringify(job))
  const child = Bun.spawn([process.execPath, "test", "--timeout", String(FOREVER_MS), "./scripts/mutate/play.ts"], {
    cwd: sandbox,
    env: { ...process.env, [FOLDER_VARIABLE]: folder, TMPDIR: join(folder, "tmp") },
    stdio: ["ignore", "ignore", "pipe"],
  })
  const errors = new Response(child.stderr).text()
  let size = 0
  let changed = performance.now()
  const watch = setInterval(() => {
    const now = Bun.file(results).size
    if (now !== size) [size, changed] = [now, performance.now()]
    else if (performance.now() - changed > SILENCE_MS) child.kill("SIGKILL")
  }, 1000)
  await child.exited
  clearInterval(watch)
  const lines = (await readFile(results, "utf8")).split("\n").filter((line) => line !== "")
  if (lines.length === 0) throw new Error(`The tests did not load:\n${(await errors).slice(-3000)}`)
  return lines.map((line): Line => JSON.parse(line))
}
