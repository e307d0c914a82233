import { join } from "node:path"
import { type Lab, startLab } from "../../packages/host-lab/src/index.ts"
import { duration, ratio, type Table } from "../measure.ts"

const PLUGIN = join(import.meta.dir, "../../packages/opencode-rulebook")
const WITHOUT = "without the plugin"
const WITH = "with it, the first of the process"
const AGAIN = "with it, a later one"

/** Real OpenCode loads a project: from its seeding to the answer that needs it loaded, the fastest of some servers. */
export async function projectLoad(): Promise<Table> {
  const best = new Map<string, number>()
  for (let round = 0; round < 4; round += 1) {
    await using lab = await startLab()
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
  const rows = Array.from(best, ([name, took]) => ({ name, value: duration(took), ratio: ratio(took, base) }))
  return { title: "Loading a project in real OpenCode, time on the clock", rows }
}

async function load(lab: Lab, plugins: readonly string[]): Promise<number> {
  const start = Bun.nanoseconds()
  const project = await lab.project({ plugins })
  const { error } = await project.client().session.create()
  if (error) throw new Error(`the project could not be loaded: ${JSON.stringify(error)}`)
  return Bun.nanoseconds() - start
}
