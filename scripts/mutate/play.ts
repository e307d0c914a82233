/**
 * Does a job (`job.ts`): plays the tests of a package once for each mutant, all in this process. `bun test` runs this file in the sandbox,
 * because `expect` works under it only.
 */
import { test } from "bun:test"
import { appendFileSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type CollectedTest, collected, collectFile, type Scope } from "./collect.ts"
import { JOB_FILE, type Job, type Line, type MutantJob, RESULTS_FILE } from "./job.ts"
import { ACTIVE_FILE, COVERED_FILE, FOLDER_VARIABLE, IS_PLAYING } from "./switched.ts"

type Counts = Record<string, number>

/** What instrumented code reads and writes, under a name of Stryker's. */
interface Stryker {
  activeMutant: string | undefined
  /** Code of the active mutant that runs more often than the limit throws: a loop that a mutant made endless ends. */
  hitCount: number | undefined
  hitLimit: number | undefined
  currentTestId: string | undefined
  mutantCoverage: { static: Counts; perTest: Record<string, Counts> }
}

/** How long a test may take when it is measured, and how much longer than usual with a mutant. */
const MEASURED_MS = 60_000
const LATE_MS = 10_000
/** How often a mutant's code may run: so much, and so many times as often as without it. */
const HITS = 10_000
const HITS_FACTOR = 100
/** A process that a test starts does not say how often code ran in it. */
const HITS_ELSEWHERE = 1000

const folder = process.env[FOLDER_VARIABLE] ?? ""
const covered = join(folder, COVERED_FILE)
const job: Job = JSON.parse(readFileSync(join(folder, JOB_FILE), "utf8"))
const stryker: Stryker = {
  activeMutant: undefined,
  hitCount: undefined,
  hitLimit: undefined,
  currentTestId: undefined,
  mutantCoverage: { static: {}, perTest: {} },
}
Object.assign(globalThis, { __stryker__: stryker, [IS_PLAYING]: true })
activate(undefined, undefined)
// What a mutant leaves behind must not end the process.
for (const event of ["unhandledRejection", "uncaughtException"]) process.on(event, () => undefined)

const failed: string[] = []
for (const file of job.testFiles) {
  try {
    await collectFile(file)
  } catch (error) {
    failed.push(`${file}: ${error}`)
  }
}
const loaded = () => write({ kind: "loaded", hits: stryker.mutantCoverage.static, failed })
loaded()

test("plays", async () => {
  if (job.mutants === undefined) for (const one of collected) await measureTest(one)
  else await playAll(job.mutants)
  process.exit(0)
})

async function measureTest(one: CollectedTest): Promise<void> {
  const before = Object.keys(stryker.mutantCoverage.static).length
  await prepare(one.scope)
  // What is prepared stays for every mutant, as what is loaded does.
  if (Object.keys(stryker.mutantCoverage.static).length > before) loaded()
  writeFileSync(covered, "")
  stryker.currentTestId = one.name
  const started = performance.now()
  const error = await failureOf(one, MEASURED_MS)
  const ms = performance.now() - started
  stryker.currentTestId = undefined
  const hits: Counts = stryker.mutantCoverage.perTest[one.name] ?? {}
  delete stryker.mutantCoverage.perTest[one.name]
  const elsewhere = readFileSync(covered, "utf8").split("\n")
  for (const id of elsewhere) if (id !== "") hits[id] = (hits[id] ?? 0) + HITS_ELSEWHERE
  if (error === undefined) write({ kind: "measured", test: one.name, file: one.file, ms, hits })
  else write({ kind: "red", test: one.name, error: error.slice(0, 300) })
}

async function playAll(mutants: readonly MutantJob[]): Promise<void> {
  const byName = new Map(collected.map((one) => [one.name, one]))
  for (const mutant of mutants) {
    write({ kind: "begun", id: mutant.id })
    const end = await playMutant(mutant, byName)
    write({ kind: "ended", id: mutant.id, ...end })
    if (end.outcome === "dirty" || end.outcome === "late") return
  }
}

async function playMutant({ id, tests }: MutantJob, byName: ReadonlyMap<string, CollectedTest>) {
  for (const [name, ms, hits] of tests) {
    const one = byName.get(name)
    if (one === undefined) continue
    await prepare(one.scope)
    const mostMs = LATE_MS + 5 * ms
    activate(id, HITS + HITS_FACTOR * hits)
    const error = await failureOf(one, mostMs)
    activate(undefined, undefined)
    if (error === undefined) continue
    if (error === LATE) return { outcome: "late", by: name } as const
    const isClean = (await failureOf(one, mostMs)) === undefined
    return { outcome: isClean ? "killed" : "dirty", by: name } as const
  }
  return { outcome: "survived" } as const
}

function activate(id: string | undefined, hitLimit: number | undefined): void {
  stryker.activeMutant = id
  stryker.hitCount = id === undefined ? undefined : 0
  stryker.hitLimit = hitLimit
  writeFileSync(join(folder, ACTIVE_FILE), id ?? "")
}

/** Runs `beforeAll` once. If it throws, the tests that need it are red. */
async function prepare(scope: Scope): Promise<void> {
  if (scope.parent !== undefined) await prepare(scope.parent)
  if (scope.isReady) return
  scope.isReady = true
  try {
    for (const body of scope.beforeAll) await body()
  } catch {
    return
  }
}

const LATE = "late"

/** Runs a test. Returns why it failed, `LATE` if it did not end in time, or nothing if it passed. */
async function failureOf({ scope, run }: CollectedTest, mostMs: number): Promise<string | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<string>()
  const timer = setTimeout(() => resolve(LATE), mostMs)
  const playing = async () => {
    try {
      for (const body of bodies(scope, "beforeEach")) await body()
      await run()
    } finally {
      for (const body of bodies(scope, "afterEach")) await body()
    }
    return undefined
  }
  try {
    return await Promise.race([playing(), late])
  } catch (error) {
    return String(error)
  } finally {
    clearTimeout(timer)
  }
}

function bodies(scope: Scope, kind: "beforeEach" | "afterEach"): readonly (() => unknown)[] {
  return [...(scope.parent === undefined ? [] : bodies(scope.parent, kind)), ...scope[kind]]
}

function write(line: Line): void {
  appendFileSync(join(folder, RESULTS_FILE), `${JSON.stringify(line)}\n`)
}
