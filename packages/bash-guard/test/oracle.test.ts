import { afterAll, expect, setDefaultTimeout, test } from "bun:test"
import fc from "fast-check"
import branches from "./branches.json"
import { commands } from "./generate.ts"
import { canJail, openJail } from "./jail.ts"
import { looseVerdicts } from "./oracle.ts"

// bash is started for every command; how long that takes is the machine's affair.
setDefaultTimeout(24 * 3_600_000)

/** `bun run fuzz` sets FUZZ: 2,000 commands for each, with a seed of their own. */
const fuzz = Number(process.env["FUZZ"] ?? 0)
const count = fuzz > 0 ? fuzz * 2000 : 150
const seed = fuzz > 0 ? Number(process.env["FUZZ_SEED"] ?? Date.now() % 2 ** 31) : 1
const batch = 500

const jail = canJail() ? openJail() : undefined
afterAll(() => jail?.dispose())

/** The commands of which real bash runs what the guard lets through. */
function looseIn(all: readonly string[]) {
  const found = []
  for (let from = 0; from < all.length; from += batch) {
    const some = all.slice(from, from + batch)
    const ran = jail?.ran(some) ?? []
    found.push(...some.flatMap((command, index) => looseVerdicts(command, ran[index] ?? [])))
  }
  return found
}

test.if(jail !== undefined)(
  `nothing that real bash runs was let through: ${count} generated commands, seed ${seed}`,
  () => {
    expect(looseIn(fc.sample(commands(), { numRuns: count, seed }))).toEqual([])
  },
)

test.if(jail !== undefined)(
  "nor of commands that are nearly something else (every sixteenth, all of them in `bun run fuzz`)",
  () => {
    expect(looseIn(branches.filter((_, index) => fuzz > 0 || index % 16 === 0))).toEqual([])
  },
)
