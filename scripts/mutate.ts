import { rm } from "node:fs/promises"
import { join } from "node:path"
import { Glob } from "bun"
import { installDependencies, root } from "./install.ts"
import { acceptedSurvivors, type Mutant, readReport, scoreOf } from "./mutate/report.ts"
import { sampleLines } from "./mutate/sample.ts"

const PACKAGES = ["rule-schema", "server", "tui", "cli", "bash-guard"]
const DEFAULT_MINUTES = 10
/** How many mutants a line of code gives on average, measured over all packages. */
const MUTANTS_PER_LINE = 2

const USAGE = `Mutation testing: changes the code in small ways and reports the changes that no unit test notices.

  bun run mutate [package …] [--minutes N] [--seed N] [--all]

  package     ${PACKAGES.join(", ")}; all of them without one
  --minutes   how long the sample of one package may take, about; ${DEFAULT_MINUTES} without it
  --seed      the same seed takes the same sample
  --all       every line in place of a sample, which takes hours
`

await installDependencies()
const options = readArguments(process.argv.slice(2))
const accepted = acceptedSurvivors(await Bun.file(join(root, "docs/reliability.md")).text())
let isLow = false
for (const name of options.packages) isLow = !(await mutate(name)) || isLow
process.exit(isLow ? 1 : 0)

/** Tests one package's mutants and reports them. Returns whether the score is high enough. */
async function mutate(name: string): Promise<boolean> {
  const seconds = await secondsOfTests(name)
  const files = await sources(name)
  const most = Math.max(Math.floor((options.minutes * 60 * concurrency()) / (seconds * MUTANTS_PER_LINE)), 5)
  const ranges = options.all ? files.map(({ path }) => path) : sampleLines(files, most, options.seed)
  console.log(`\n== ${name}: ${options.all ? "all" : ranges.length} lines, one test run takes ${seconds.toFixed(1)} s`)
  const mutants = await runStryker(name, ranges, seconds)
  const { killed, survived, score } = scoreOf(mutants, accepted)
  for (const { file, line, original, replacement } of survived) {
    console.log(`survived  ${file}:${line}  ${oneLine(original)}  ->  ${oneLine(replacement)}`)
  }
  console.log(
    `${name}: ${killed} killed, ${survived.length} survived, score ${score.toFixed(0)} % (seed ${options.seed})`,
  )
  return score >= 90
}

async function runStryker(name: string, ranges: readonly string[], seconds: number): Promise<readonly Mutant[]> {
  const folder = join(root, ".stryker-tmp")
  const report = join(folder, `${name}.json`)
  const config = {
    testRunner: "command",
    commandRunner: { command: `${JSON.stringify(process.execPath)} ${testArguments(name).join(" ")} --bail` },
    mutate: ranges,
    // The wording of messages is not behaviour: the tests name codes, and docs tests read the words.
    mutator: { excludedMutations: ["StringLiteral"] },
    ignorePatterns: ["dist", "*.tgz", ".stryker-tmp"],
    tempDirName: join(folder, "sandbox"),
    checkers: [],
    // It would rewrite the paths of tsconfig.json with an API that TypeScript 7 does not have; ours has no paths.
    tsconfigFile: "no-tsconfig.json",
    coverageAnalysis: "off",
    concurrency: concurrency(),
    timeoutMS: Math.ceil(seconds * 2000) + 10_000,
    reporters: ["json", "progress-append-only"],
    jsonReporter: { fileName: report },
    allowConsoleColors: false,
    logLevel: "error",
  }
  const file = join(folder, `${name}.config.json`)
  await Bun.write(file, JSON.stringify(config))
  const stryker = join(root, "node_modules/@stryker-mutator/core/bin/stryker.js")
  const child = Bun.spawn(["node", stryker, "run", file], { cwd: root, stdio: ["ignore", "inherit", "inherit"] })
  if ((await child.exited) !== 0) throw new Error(`stryker failed for ${name}; its message stands above`)
  const mutants = readReport(await Bun.file(report).json())
  await rm(folder, { recursive: true, force: true })
  return mutants
}

/** How long the package's unit tests take, in seconds. They must be green: a red run kills every mutant. */
async function secondsOfTests(name: string): Promise<number> {
  const started = performance.now()
  const child = Bun.spawn([process.execPath, ...testArguments(name)], {
    cwd: root,
    stdio: ["ignore", "ignore", "pipe"],
  })
  const output = await new Response(child.stderr).text()
  if ((await child.exited) !== 0)
    throw new Error(`the tests of ${name} are red without a mutation:\n${output.slice(-2000)}`)
  return (performance.now() - started) / 1000
}

function testArguments(name: string): readonly string[] {
  return ["test", `./packages/${name}`]
}

async function sources(name: string): Promise<{ readonly path: string; readonly text: string }[]> {
  const paths = [...new Glob(`packages/${name}/src/**/*.{ts,tsx}`).scanSync(root)].filter(
    (path) => !/\.test\.tsx?$/.test(path),
  )
  return await Promise.all(
    paths.toSorted().map(async (path) => ({ path, text: await Bun.file(join(root, path)).text() })),
  )
}

function concurrency(): number {
  return Math.max(navigator.hardwareConcurrency - 1, 1)
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ")
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}

function readArguments(args: readonly string[]) {
  const found = { packages: [] as string[], minutes: DEFAULT_MINUTES, seed: Date.now() % 1_000_000, all: false }
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? ""
    if (arg === "--help" || arg === "-h") stop(USAGE, 0)
    else if (arg === "--all") found.all = true
    else if (arg === "--minutes") found.minutes = positive(arg, args[++index])
    else if (arg === "--seed") found.seed = positive(arg, args[++index])
    else if (PACKAGES.includes(arg)) found.packages.push(arg)
    else stop(`${arg} is not a package or an option.\n\n${USAGE}`, 2)
  }
  return { ...found, packages: found.packages.length > 0 ? found.packages : PACKAGES }
}

function positive(option: string, text: string | undefined): number {
  const value = Number(text)
  if (text === undefined || !(value > 0)) stop(`${option} takes a number above 0, not ${text ?? "nothing"}.`, 2)
  return value
}

function stop(message: string, code: number): never {
  console[code === 0 ? "log" : "error"](message)
  process.exit(code)
}
