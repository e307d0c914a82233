import { join } from "node:path"
import { installDependencies, root } from "./install.ts"
import type { Mutant } from "./mutate/mutants.ts"
import { mutatePackage } from "./mutate/package.ts"
import { sample } from "./mutate/sample.ts"
import { acceptedSurvivors, isAccepted, plain, scoreOf, type Verdict } from "./mutate/score.ts"

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
  const found = await mutatePackage(name, (mutants) => {
    const here = mutants.filter(({ file }) => `${file}/`.startsWith(`packages/${target}/`))
    const chosen = options.all ? here : sample(here, options.mutants, options.seed)
    console.log(`\n== ${target}: ${chosen.length} of ${here.length} mutants, seed ${options.seed}`)
    return chosen
  })
  const verdicts = found.map(({ mutant, verdict, isRun }): Verdict => {
    if (verdict !== "survived") return verdict
    if (isAccepted(mutant, accepted)) return "accepted"
    console.log(`survived  ${describe(mutant)}${isRun ? "" : "  (no test runs it)"}`)
    return verdict
  })
  console.log(`${target}: ${summary(verdicts)}`)
  return scoreOf(verdicts)
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
