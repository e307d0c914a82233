import { join } from "node:path"
import { Glob } from "bun"
import { installDependencies, root } from "./install.ts"
import { countedSources } from "./mutate/coverage.ts"
import { listMutants, type Mutant, type SourceFile } from "./mutate/mutants.ts"
import { sample } from "./mutate/sample.ts"
import { createSandbox, removeSandbox } from "./mutate/sandbox.ts"
import { acceptedSurvivors, isAccepted, plain, scoreOf, type Verdict } from "./mutate/score.ts"
import { isNoticed, measureTests } from "./mutate/tests.ts"
import { refusedMutants } from "./mutate/types.ts"

const PACKAGES = ["rule-schema", "server", "tui", "cli", "bash-guard"]
const DEFAULT_MUTANTS = 100
const NEEDED_SCORE = 90

const USAGE = `Mutation testing: changes the code in small ways and reports the changes that no unit test notices.

  bun run mutate [package[/src/path] …] [--mutants N | --all] [--seed N]

  package     ${PACKAGES.join(", ")}; all of them without one. With a path behind it: that file or folder only
  --mutants   how many changes of each package to try; ${DEFAULT_MUTANTS} without it, which takes about ten minutes
  --all       every change, which takes hours
  --seed      the same seed takes the same sample
`

await installDependencies()
const options = readArguments(process.argv.slice(2))
const accepted = acceptedSurvivors(await Bun.file(join(root, "docs/reliability.md")).text())
let isLow = false
for (const target of options.targets) isLow = (await mutate(target)) < NEEDED_SCORE || isLow
process.exit(isLow ? 1 : 0)

/** Tests the mutants of a package, or of a part of it, and reports them. Returns the score. */
async function mutate(target: string): Promise<number> {
  const name = target.split("/")[0] ?? ""
  const sandbox = await createSandbox(name)
  try {
    const files = await sources(sandbox, name)
    const { mutants, instrumented } = await listMutants(files)
    const here = mutants.filter(({ file }) => `${file}/`.startsWith(`packages/${target}/`))
    const chosen = options.all ? here : sample(here, options.mutants, options.seed)
    console.log(`\n== ${target}: ${chosen.length} of ${here.length} mutants, seed ${options.seed}`)
    await write(sandbox, countedSources(sandbox, instrumented, new Set(chosen.map(({ id }) => id))))
    const tests = await measureTests(sandbox, name)
    await write(sandbox, files)
    const refused = await refusedMutants(sandbox, name, chosen, files)
    const verdicts: Verdict[] = []
    for (const mutant of chosen) {
      const swap = (isMutated: boolean) =>
        write(sandbox, isMutated ? [{ path: mutant.file, text: mutant.text }] : sourcesOf(mutant, files))
      const isKilled = !refused.has(mutant.id) && (await isNoticed(sandbox, tests, mutant.id, swap))
      await swap(false)
      const verdict = refused.has(mutant.id) ? "refused" : isKilled ? "killed" : survivor(mutant)
      verdicts.push(verdict)
      if (verdict === "survived") console.log(`survived  ${describe(mutant)}`)
    }
    console.log(`${target}: ${summary(verdicts)}`)
    return scoreOf(verdicts)
  } finally {
    await removeSandbox(sandbox)
  }
}

function survivor(mutant: Mutant): Verdict {
  return isAccepted(mutant, accepted) ? "accepted" : "survived"
}

function sourcesOf(mutant: Mutant, files: readonly SourceFile[]): readonly SourceFile[] {
  return files.filter(({ path }) => path === mutant.file)
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

function summary(verdicts: readonly Verdict[]): string {
  const count = (verdict: Verdict) => verdicts.filter((one) => one === verdict).length
  const counts = `${count("killed")} killed, ${count("survived")} survived, ${count("accepted")} accepted`
  return `${counts}, ${count("refused")} refused by the compiler; score ${scoreOf(verdicts).toFixed(0)} %`
}

function describe({ file, line, original, replacement }: Mutant): string {
  return `${file}:${line}  ${shortened(original)}  ->  ${shortened(replacement)}`
}

function shortened(code: string): string {
  const line = plain(code)
  return line.length > 120 ? `${line.slice(0, 119)}…` : line
}

function readArguments(args: readonly string[]) {
  const found = { targets: [] as string[], mutants: DEFAULT_MUTANTS, seed: Date.now() % 1_000_000, all: false }
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? ""
    if (arg === "--help" || arg === "-h") stop(USAGE, 0)
    else if (arg === "--all") found.all = true
    else if (arg === "--mutants") found.mutants = positive(arg, args[++index])
    else if (arg === "--seed") found.seed = positive(arg, args[++index])
    else if (PACKAGES.includes(arg.split("/")[0] ?? "")) found.targets.push(arg.replace(/\/$/, ""))
    else stop(`${arg} is not a package or an option.\n\n${USAGE}`, 2)
  }
  return { ...found, targets: found.targets.length > 0 ? found.targets : PACKAGES }
}

function positive(option: string, text: string | undefined): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value <= 0)
    stop(`${option} takes a whole number above 0, not ${text ?? "nothing"}.`, 2)
  return value
}

function stop(message: string, code: number): never {
  console[code === 0 ? "log" : "error"](message)
  process.exit(code)
}
