import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { judge } from "../src/judge.ts"
import { readScript } from "../src/shell/read.ts"
import evasions from "./evasions.json"
import { canJail, openJail } from "./jail.ts"
import { denials, isDenied, place } from "./oracle.ts"

// bash is started for every command; how long that takes is the machine's affair.
setDefaultTimeout(300_000)

/** Commands each of which makes real bash run `rm` or `git push`, and the verdict where both are denied. */
describe("ways around a denial", () => {
  for (const [command = "", verdict = ""] of evasions) {
    test(`${JSON.stringify(command)}: ${verdict}`, () => {
      expect(judge(readScript(command), denials, place).kind).toBe(verdict as never)
    })
  }
})

const jail = canJail() ? openJail() : undefined
afterAll(() => jail?.dispose())

test.if(jail !== undefined)(
  "are ways: real bash takes them (every eighth is tried; all of them in `bun run fuzz`)",
  () => {
    const all = evasions.map(([command = ""]) => command)
    const commands = all.filter((_, index) => process.env["FUZZ"] !== undefined || index % 8 === 0)
    const ran = jail?.ran(commands) ?? []
    const missed = commands.filter((_, index) => !ran[index]?.some(isDenied))
    // Some need what a machine may lack.
    expect(missed.length).toBeLessThan(commands.length * 0.05)
  },
)
