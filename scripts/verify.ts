import { availableParallelism } from "node:os"
import { build } from "./build.ts"
import { installDependencies, installProgram, root, run } from "./install.ts"

/** What `bun test` counted, summed over the runs. */
const totals = { pass: 0, fail: 0, skip: 0 }
const failures: string[] = []
/** Test files run side by side: much of the time goes to waiting for hosts. More would only take memory. */
const WORKERS = Math.min(availableParallelism(), 4)
/** For a test without a limit of its own, in milliseconds: what runs beside it takes its share of the machine. */
const TEST_LIMIT_MS = 30_000
/** What runs in browsers knows another library. */
const PAGE = "packages/cli/src/report/page/client"

await installDependencies()
await step("lint and format", () => run(["node_modules/.bin/biome", "check", "."]))
await step("types", () => run(["node_modules/.bin/tsc", "--noEmit"]))
await step("types of the report's page", () => run(["node_modules/.bin/tsc", "--noEmit", "-p", PAGE]))
await step("build", async () => {
  await build()
  return 0
})
await step("unit tests", () =>
  test("packages/rule-schema", "packages/server", "packages/tui", "packages/bash-guard", "packages/cli", "scripts"),
)
await step("demo", () => run([process.execPath, "scripts/demo.ts"]))
await step("tmux and Chromium", async () => {
  const isThere = [await installProgram("tmux"), await installProgram("chromium")]
  return isThere.every(Boolean) ? 0 : 1
})
await step("tests on real OpenCode", () => test("packages/host-lab"))

for (const failure of failures) console.error(`failed: ${failure}`)
console.log(`${totals.pass} passed, ${totals.fail} failed, ${totals.skip} skipped`)
process.exit(failures.length > 0 || totals.fail > 0 || totals.pass === 0 ? 1 : 0)

async function step(name: string, work: () => Promise<number>): Promise<void> {
  console.log(`\n== ${name}`)
  try {
    const code = await work()
    if (code !== 0) failures.push(`${name} (exit code ${code})`)
  } catch (error) {
    failures.push(`${name} (${error instanceof Error ? error.message : String(error)})`)
  }
}

/** Runs `bun test`, shows its output as it comes and adds up the counts of its summary. */
async function test(...paths: readonly string[]): Promise<number> {
  const files = paths.map((path) => `./${path}`)
  const options = [`--parallel=${WORKERS}`, "--no-isolate", `--timeout=${TEST_LIMIT_MS}`]
  const child = Bun.spawn([process.execPath, "test", ...options, ...files], {
    cwd: root,
    env: { ...process.env, FORCE_COLOR: "0" },
    stdio: ["ignore", "pipe", "pipe"],
  })
  await Promise.all([child.stdout, child.stderr].map((stream) => relay(stream)))
  return await child.exited
}

async function relay(stream: ReadableStream<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ""
  for await (const chunk of stream) {
    process.stdout.write(chunk)
    rest += decoder.decode(chunk, { stream: true })
    const lines = rest.split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) countLine(line)
  }
  countLine(rest)
}

function countLine(line: string): void {
  const [, count, kind] = line.match(/^\s*(\d+) (pass|fail|skip|todo)$/) ?? []
  if (count === undefined) return
  totals[kind === "pass" || kind === "fail" ? kind : "skip"] += Number(count)
}
