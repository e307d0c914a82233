import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { type Lab, startLab } from "../../packages/host-lab/src/index.ts"
import { duration, ratio, type Table } from "../measure.ts"

const PLUGIN = join(import.meta.dir, "../../packages/opencode-rulebook")
const WITHOUT = "without the plugin"
const WITH = "with it, the first of the process"
const AGAIN = "with it, a later one"
/** Linux counts a process's time in hundredths of a second, whatever its own clock. */
const TICK_NS = 10_000_000

/**
 * Real OpenCode loads a project, from its seeding to the answer that needs it loaded: the processor time of the server, which other
 * processes' work leaves nearly as it is; the fastest of some servers. On Linux only: elsewhere nothing is measured.
 */
export async function projectLoad(): Promise<Table> {
  const title = "Loading a project in real OpenCode, processor time of the server"
  if (process.platform !== "linux") return { title, rows: [] }
  const best = new Map<string, number>()
  for (let round = 0; round < 6; round += 1) {
    await using lab = await startLab({ unchecked: "the time is measured" })
    // What a server does once is nobody's.
    await load(lab, [])
    for (const [name, plugins] of [
      [WITHOUT, []],
      [WITH, [PLUGIN]],
      [AGAIN, [PLUGIN]],
      [WITHOUT, []],
    ] as const) {
      best.set(name, Math.min(await load(lab, plugins), best.get(name) ?? Number.POSITIVE_INFINITY))
    }
  }
  const base = best.get(WITHOUT) ?? Number.NaN
  return {
    title,
    rows: Array.from(best, ([name, took]) => ({ name, value: duration(took), ratio: ratio(took, base) })),
  }
}

async function load(lab: Lab, plugins: readonly string[]): Promise<number> {
  const start = await processorTime(lab.pid())
  const project = await lab.project({ plugins })
  const { error } = await project.client().session.create()
  if (error) throw new Error(`the project could not be loaded: ${JSON.stringify(error)}`)
  return (await processorTime(lab.pid())) - start
}

/** A process's time so far, of its own and in the kernel for it, in nanoseconds: two fields behind its name (proc_pid_stat(5)). */
async function processorTime(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8")
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
  return (Number(fields[11]) + Number(fields[12])) * TICK_NS
}
