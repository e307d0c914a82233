import { ACTIVE_VARIABLE } from "./switched.ts"

/** A test file as it ran by itself without a mutant. */
interface FileRun {
  readonly isGreen: boolean
  readonly ms: number
}

/** The time limit of one test: long, because the machine may be busy. */
const TEST_MS = 60_000
/** How many files one process runs. */
const GROUP = 6

/**
 * Makes a function that runs test files with a mutant, in processes of their own, and says whether one of them notices it: for what a process
 * that plays many mutants can't tell, such as code that runs while a file loads, or results that are kept.
 *
 * A file that is red without the mutant is not used. A failure counts if the same files pass without the mutant right after it.
 */
export function freshRuns(sandbox: string): (files: readonly string[], mutant: string) => Promise<boolean> {
  const known = new Map<string, Promise<FileRun>>()
  return async (files, mutant) => {
    const runs: (FileRun & { readonly file: string })[] = []
    for (const file of files) {
      const alone = known.get(file) ?? run(sandbox, [file], undefined, 600)
      known.set(file, alone)
      runs.push({ file, ...(await alone) })
    }
    const sorted = runs.filter(({ isGreen }) => isGreen).toSorted((a, b) => a.ms - b.ms)
    for (let index = 0; index < sorted.length; index += GROUP) {
      const group = sorted.slice(index, index + GROUP)
      const paths = group.map(({ file }) => file)
      const seconds = 30 + (5 * group.reduce((sum, { ms }) => sum + ms, 0)) / 1000
      const isRed = !(await run(sandbox, paths, mutant, seconds)).isGreen
      if (isRed && (await run(sandbox, paths, undefined, seconds)).isGreen) return true
    }
    return false
  }
}

async function run(sandbox: string, files: readonly string[], mutant: string | undefined, seconds: number) {
  const started = performance.now()
  const child = Bun.spawn([process.execPath, "test", "--bail", "--timeout", String(TEST_MS), ...files], {
    cwd: sandbox,
    env: { ...process.env, ...(mutant === undefined ? {} : { [ACTIVE_VARIABLE]: mutant }) },
    stdio: ["ignore", "ignore", "ignore"],
    timeout: Math.ceil(seconds * 1000),
    killSignal: "SIGKILL",
  })
  await child.exited
  return { isGreen: child.exitCode === 0, ms: performance.now() - started }
}
