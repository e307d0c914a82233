import { type Line, type MutantJob, runJob } from "./job.ts"
import type { MeasuredTest, Measurement } from "./measure.ts"
import type { Mutant } from "./mutants.ts"

/** How many mutants one process plays: a fresh one knows nothing of what the mutants before have left behind. */
const MOST_MUTANTS = 150
/** Tests of the file beside the changed one are tried before others that take so much less time. */
const BESIDE_MS = 50
/** A test that has noticed a mutant is tried before others that take so much less time, for each mutant, up to the most. */
const NOTICED_MS = 10
const MOST_NOTICED_MS = 40

/**
 * Plays the tests with each mutant, many mutants in one process, and returns the ids of those that a test noticed. The process is replaced when
 * a mutant has left it unfit. What a disturbed process says of a mutant does not count: a fresh one looks at that mutant first.
 *
 * @param worker a name for the files of the work, different for work at the same time.
 */
export async function playMutants(
  sandbox: string,
  { tests, testFiles }: Measurement,
  mutants: readonly Mutant[],
  worker: string,
): Promise<ReadonlySet<string>> {
  const noticed = new Set<string>()
  const noticing = new Map<string, number>()
  const doubtful = new Set<string>()
  let left = mutants
  while (left.length > 0) {
    const jobs = left.slice(0, MOST_MUTANTS).map((mutant) => jobOf(mutant, tests, noticing))
    const needed = new Set(jobs.flatMap(({ id }) => tests.filter(({ hits }) => hits.has(id)).map(({ file }) => file)))
    const lines = await runJob(sandbox, worker, {
      testFiles: testFiles.filter((file) => needed.has(file)),
      mutants: jobs,
    })
    if (lines.every(({ kind }) => kind !== "begun")) throw new Error("The tests did not load.")
    const ended = new Set<string>()
    for (const { id, isNoticed, isCertain, by } of verdicts(lines)) {
      if (!isCertain && !doubtful.has(id)) {
        doubtful.add(id)
        continue
      }
      ended.add(id)
      if (isNoticed) noticed.add(id)
      if (by !== undefined) noticing.set(by, (noticing.get(by) ?? 0) + 1)
    }
    const rest = left.filter(({ id }) => !ended.has(id))
    left = [...rest.filter(({ id }) => doubtful.has(id)), ...rest.filter(({ id }) => !doubtful.has(id))]
  }
  return noticed
}

interface PlayedMutant {
  readonly id: string
  readonly isNoticed: boolean
  readonly isCertain: boolean
  readonly by?: string
}

/** What a process says of its mutants. The last one has no end where the process hung or died. */
function verdicts(lines: readonly Line[]): readonly PlayedMutant[] {
  const begun = lines.filter((line) => line.kind === "begun")
  return begun.map(({ id }, index) => {
    const end = lines.find((line) => line.kind === "ended" && line.id === id)
    if (end?.kind !== "ended") return { id, isNoticed: true, isCertain: false }
    const isCertain = end.outcome !== "late" && (end.outcome !== "dirty" || index === 0)
    return { id, isNoticed: end.outcome !== "survived", isCertain, ...(end.by === undefined ? {} : { by: end.by }) }
  })
}

function jobOf({ id, file }: Mutant, tests: readonly MeasuredTest[], noticing: ReadonlyMap<string, number>): MutantJob {
  const beside = `${file.replace(/\.tsx?$/, "")}.test.`
  const rank = (test: MeasuredTest) =>
    test.ms +
    (test.file.includes(beside) ? 0 : BESIDE_MS) -
    Math.min(MOST_NOTICED_MS, NOTICED_MS * (noticing.get(test.name) ?? 0))
  const covering = tests.filter(({ hits }) => hits.has(id)).toSorted((a, b) => rank(a) - rank(b))
  return { id, tests: covering.map(({ name, ms, hits }) => [name, ms, hits.get(id) ?? 0]) }
}
