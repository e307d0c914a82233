import { join } from "node:path"

const COMMAND = join(import.meta.dir, "../packages/opencode-rulebook/dist/cli.js")
const ROUNDS = 3

/**
 * Runs the built command under Node, in the folder `app` of a scratch folder that is its home too.
 *
 * @returns how much memory it took, in bytes.
 */
export async function runCommand(scratch: string, args: readonly string[]): Promise<number> {
  const child = Bun.spawn(["node", COMMAND, ...args], {
    cwd: join(scratch, "app"),
    env: { PATH: process.env["PATH"] ?? "", HOME: scratch, XDG_STATE_HOME: join(scratch, "state") },
    stdio: ["ignore", "ignore", "inherit"],
  })
  if ((await child.exited) !== 0) throw new Error(`${args.join(" ")} failed; its message stands above`)
  return child.resourceUsage()?.maxRSS ?? 0
}

/** The fastest of some runs, in nanoseconds. */
export async function fastest(work: () => Promise<void>): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = Bun.nanoseconds()
    await work()
    best = Math.min(Bun.nanoseconds() - start, best)
  }
  return best
}
