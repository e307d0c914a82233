import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import fc from "fast-check"
import { readScript } from "../src/shell/read.ts"
import { backtickPositions, positions } from "./positions.ts"
import { hasBash, openRealBash } from "./real-bash.ts"

const marked = "marked -x"
const real = openRealBash()
afterAll(() => real.dispose())
// bash is started many times; how long that takes is the machine's affair.
setDefaultTimeout(120_000)

function found(script: string): boolean {
  const reading = readScript(script)
  return reading.kind === "read" && reading.commands.some((command) => command.words[0]?.value === "marked")
}

describe("a marked command is found in every position", () => {
  for (const [name, fill] of Object.entries({ ...positions, ...backtickPositions })) {
    test(name, () => {
      if (hasBash) expect(real.accepts(fill(marked))).toBe(true)
      expect(found(fill(marked))).toBe(true)
    })
  }
})

const position = fc.constantFrom(...Object.keys(positions))
const innermost = fc.constantFrom(...Object.keys({ ...positions, ...backtickPositions }))
const nested = fc.tuple(fc.array(position, { maxLength: 3 }), innermost).map(([outer, inner]) => {
  const fills = { ...positions, ...backtickPositions }
  return [inner, ...outer].reduce((script, name) => fills[name]?.(script) ?? script, marked)
})

test("a marked command is found in positions within positions, or the script is never simply allowed", () => {
  fc.assert(
    fc.property(nested, (script) => {
      const reading = readScript(script)
      if (reading.kind === "unreadable") return true
      return found(script) || reading.doubts.length > 0
    }),
    { numRuns: 3000 },
  )
})
