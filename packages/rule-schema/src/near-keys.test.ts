import { expect, test } from "bun:test"
import fc from "fast-check"
import { isTypoOf, simpleForm } from "./near-keys.ts"

test.each<[key: string, form: string]>([
  ["applyTo", "applyto"],
  ["apply-to", "applyto"],
  ["Always Apply", "alwaysapply"],
  ["file_contains", "filecontain"],
  ["globs", "glob"],
  ["branches", "branch"],
  ["branches\u200b", "branch"],
  ["os", "os"],
  ["has", "ha"],
  ["s", "s"],
  ["1s", "1s"],
  ["matches", "match"],
  ["ches", "ch"],
  ["rules", "rule"],
])("%j is %j without what does not tell keys apart", (key, form) => {
  expect(simpleForm(key)).toBe(form)
})

test.each<[key: string, known: string, isTypo: boolean]>([
  // Two edits of a long key, one of a short one, none of one with three letters.
  ["keyword", "keywords", true],
  ["kewords", "keywords", true],
  ["kewodrs", "keywords", true],
  ["kwodrs", "keywords", false],
  ["comand", "command", true],
  ["comnad", "command", false],
  ["commadn", "command", true],
  ["cmmand", "command", true],
  ["xcommand", "command", true],
  ["xcommandx", "command", false],
  ["ab", "run", false],
  ["rnu", "run", false],
  ["RUN", "run", true],
  ["tol", "tool", true],
  ["tl", "tool", false],
  ["", "ci", false],
  ["alwaysApply".padEnd(41, "-"), "alwaysApply", false],
  ["alwaysApply".padEnd(40, "-"), "alwaysApply", true],
])("%j is a typo of %j: %p", (key, known, isTypo) => {
  expect(isTypoOf(key, known)).toBe(isTypo)
})

/** Edits from one text to the other, straight from the definition: insert, delete, replace, or swap neighbours. */
function edits(a: string, b: string): number {
  if (a === "" || b === "") return a.length + b.length
  const cost = a.at(-1) === b.at(-1) ? 0 : 1
  const each = [
    edits(a.slice(0, -1), b) + 1,
    edits(a, b.slice(0, -1)) + 1,
    edits(a.slice(0, -1), b.slice(0, -1)) + cost,
  ]
  const isSwap = a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1)
  return Math.min(...each, ...(isSwap ? [edits(a.slice(0, -2), b.slice(0, -2)) + 1] : []))
}

test("what is a typo is counted in edits", () => {
  const text = fc
    .array(fc.constantFrom("a", "b", "c"), { minLength: 4, maxLength: 6 })
    .map((letters) => letters.join(""))
  fc.assert(
    fc.property(text, text, (key, known) => {
      expect([key, known, isTypoOf(key, known)]).toEqual([key, known, edits(key, known) <= 1])
    }),
    { numRuns: 300 },
  )
})
