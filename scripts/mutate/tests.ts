import { join } from "node:path"
import { Glob } from "bun"
import { COVERED } from "./coverage.ts"
import { type TestFile, testGroups } from "./groups.ts"

/** The time limit of one test: long, because the machine may be busy. */
const TEST_MS = 60_000
/** Tests that wait for something give up after some seconds. A run that fails this much later than it usually ends has waited. */
const LATE_SECONDS = 2
/** How often a late failure is looked at again while the same tests don't pass without the mutant either. */
const MOST_TRIES = 10

/**
 * Runs each test file of a package by itself, to see how long it takes and which mutants' code it runs.
 *
 * @param sandbox a copy of the repository whose sources are those of `countedSources`.
 * @throws {Error} if a test is red: it would kill every mutant.
 */
export async function measureTests(sandbox: string, name: string): Promise<readonly TestFile[]> {
  const files: TestFile[] = []
  const covered = join(sandbox, COVERED)
  for (const file of [...new Glob(`packages/${name}/**/*.test.{ts,tsx}`).scanSync(sandbox)].toSorted()) {
    const path = `./${file.replaceAll("\\", "/")}`
    const started = performance.now()
    await Bun.write(covered, "")
    const { exitCode, output } = await bunTest(sandbox, [path], 600)
    if (exitCode !== 0) throw new Error(`${path} is red without a mutation:\n${output.slice(-3000)}`)
    const mutants = new Set((await Bun.file(covered).text()).split("\n"))
    files.push({ path, seconds: (performance.now() - started) / 1000, mutants })
  }
  return files
}

/**
 * Whether a test notices the mutant.
 *
 * @param swap changes the sandbox's source to the mutant's text, or back.
 */
export async function isNoticed(
  sandbox: string,
  files: readonly TestFile[],
  mutant: string,
  swap: (isMutated: boolean) => Promise<unknown>,
): Promise<boolean> {
  for (const group of testGroups(files, mutant)) if (await isNoticedBy(sandbox, group, swap)) return true
  return false
}

/**
 * A test that fails late does not show that it notices the mutant: it may have given up because the machine is busy. Such a failure counts
 * if it happens twice, and the same tests pass without the mutant in between.
 */
async function isNoticedBy(
  sandbox: string,
  group: readonly TestFile[],
  swap: (isMutated: boolean) => Promise<unknown>,
): Promise<boolean> {
  const run = async (isMutated: boolean) => {
    await swap(isMutated)
    return await outcome(sandbox, group)
  }
  const first = await run(true)
  if (first !== "failed late") return first === "failed"
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    if ((await run(false)) === "passed") return (await run(true)) !== "passed"
  }
  return false
}

async function outcome(sandbox: string, files: readonly TestFile[]): Promise<"passed" | "failed" | "failed late"> {
  const usual = files.reduce((sum, file) => sum + file.seconds, 0)
  const started = performance.now()
  const { exitCode } = await bunTest(sandbox, ["--bail", ...files.map(({ path }) => path)], 4 * usual + 60)
  if (exitCode === 0) return "passed"
  return (performance.now() - started) / 1000 > usual + LATE_SECONDS ? "failed late" : "failed"
}

/** Returns the exit code, `null` if the time was up, and what it wrote. */
async function bunTest(sandbox: string, args: readonly string[], seconds: number) {
  const child = Bun.spawn([process.execPath, "test", "--timeout", String(TEST_MS), ...args], {
    cwd: sandbox,
    stdio: ["ignore", "ignore", "pipe"],
    timeout: Math.ceil(seconds * 1000),
    killSignal: "SIGKILL",
  })
  const output = await new Response(child.stderr).text()
  await child.exited
  return { exitCode: child.exitCode, output }
}
