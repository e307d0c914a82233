import { afterAll, expect, setDefaultTimeout, test } from "bun:test"
import fc from "fast-check"
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

test.if(jail !== undefined)(
  `nothing that real bash runs was let through: ${count} generated commands, seed ${seed}`,
  () => {
    const generated = fc.sample(commands(), { numRuns: count, seed })
    const found = []
    for (let from = 0; from < generated.length; from += batch) {
      const some = generated.slice(from, from + batch)
      const ran = jail?.ran(some) ?? []
      found.push(...some.flatMap((command, index) => looseVerdicts(command, ran[index] ?? [])))
    }
    expect(found).toEqual([])
  },
)
