import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createRuleCache, loadRulebook, type RuleDirectory } from "@opencode-rulebook/rule-schema"
import { check } from "../../packages/cli/src/check/command.ts"
import type { Io } from "../../packages/cli/src/io.ts"
import { ruleText } from "../fixtures.ts"
import { compare, duration, ratio, type Table } from "../measure.ts"

/** 1,000 rule files: read by the first session, by a later one, by a check of all of them. */
export async function ruleFiles(): Promise<Table> {
  const root = await mkdtemp(join(tmpdir(), "rulebook-bench-"))
  try {
    const directory: RuleDirectory = { scope: "project", path: join(root, "rules"), root, prefix: "" }
    await mkdir(directory.path)
    for (let index = 0; index < 1000; index += 1) await writeFile(join(directory.path, `r${index}.md`), ruleText(index))
    const io: Io = {
      cwd: root,
      env: {},
      home: root,
      platform: "linux",
      hasColors: false,
      isInteractive: false,
      write: () => undefined,
      writeError: () => undefined,
      readStdin: async () => "",
    }
    const cache = createRuleCache(() => Date.now() + 60_000)
    await loadRulebook([directory], cache)
    return await compare("1,000 rule files", 7, [
      { name: "reading the files, 16 at a time", run: () => readAll(directory.path) },
      { name: "plugin: the first session's rulebook", run: () => loadRulebook([directory]) },
      { name: "plugin: a later session's, nothing changed", run: () => loadRulebook([directory], cache) },
      {
        name: "`opencode-rulebook check`",
        run: () => check([directory.path], { json: false, quiet: false }, io),
      },
    ])
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

async function readAll(folder: string): Promise<void> {
  const names = await readdir(folder)
  for (let from = 0; from < names.length; from += 16) {
    await Promise.all(names.slice(from, from + 16).map((name) => readFile(join(folder, name), "utf8")))
  }
}

const MODULES = [
  ["an empty module", "data:text/javascript,export default 1"],
  ["the YAML library alone", import.meta.resolve("yaml")],
  ["the built plugin", join(import.meta.dir, "../../packages/opencode-rulebook/dist/server.js")],
] as const

/** Importing modules, each in processes of its own: processor time, which other processes' work leaves as it is. */
export async function importTime(): Promise<Table> {
  const best = new Map<string, number>()
  for (let round = 0; round < 5; round += 1) {
    for (const [name, module] of MODULES) {
      const took = importOnce(module)
      best.set(name, Math.min(took, best.get(name) ?? Number.POSITIVE_INFINITY))
    }
  }
  const base = best.get(MODULES[1][0]) ?? Number.NaN
  const rows = Array.from(best, ([name, took]) => ({ name, value: duration(took), ratio: ratio(took, base) }))
  return { title: "Import in a new process, processor time, against the YAML library's", rows }
}

function importOnce(module: string): number {
  const code = `const start = process.cpuUsage(); await import(${JSON.stringify(module)})
    const { user, system } = process.cpuUsage(start); console.log((user + system) * 1000)`
  const { stdout, exitCode } = Bun.spawnSync([process.execPath, "-e", code])
  if (exitCode !== 0) throw new Error(`${module} could not be imported: run \`bun run build\` first`)
  return Number(stdout.toString())
}
