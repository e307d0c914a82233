import { expect, test } from "bun:test"
import fc from "fast-check"
import { readOptions } from "./options.ts"
import { optionsSchema } from "./options-schema.ts"

const defaults = { projectCommands: false, projectLinks: false, maxSessions: 200, receipts: true }

test.each([
  [undefined, defaults],
  [{}, defaults],
  [{ projectCommands: true }, { ...defaults, projectCommands: true }],
  [{ projectLinks: true }, { ...defaults, projectLinks: true }],
  [{ maxSessions: 5 }, { ...defaults, maxSessions: 5 }],
  [
    { receipts: false, maxTokens: 4000 },
    { ...defaults, receipts: false, maxTokens: 4000 },
  ],
])("%j is taken as it is", (given, options) => {
  expect(readOptions(given)).toEqual({ options, warnings: [] })
})

test.each([
  [{ projectCommands: "yes" }, defaults, ['"projectCommands" must be true or false, not "yes"; the default applies']],
  [{ maxSessions: 0 }, defaults, ['"maxSessions" must be a whole number from 1 to 10000, not 0; the default applies']],
  [
    { maxSessions: 2.5, projectCommands: true },
    { ...defaults, projectCommands: true },
    ['"maxSessions" must be a whole number from 1 to 10000, not 2.5'],
  ],
  [
    { debug: true },
    defaults,
    [
      '"debug" is not known and has no effect. The options are projectCommands, projectLinks, maxSessions, receipts, maxTokens',
    ],
  ],
  [[1], defaults, ["must be an object, not [1]; the defaults apply"]],
  ["x", defaults, ['must be an object, not "x"']],
])("%j falls back with a warning that names it", (given, options, warnings) => {
  const read = readOptions(given)
  expect(read.options).toEqual(options)
  expect(read.warnings).toHaveLength(warnings.length)
  for (const [index, text] of warnings.entries()) expect(read.warnings[index]).toContain(text)
})

test("an option named like a property of every object is unknown, not taken", () => {
  expect(readOptions(JSON.parse('{"__proto__": {"projectCommands": true}, "constructor": 1}')).options).toEqual(
    defaults,
  )
})

test("the checks by hand take what the schema takes", () => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.double(),
    fc.integer({ min: -1, max: 10_002 }),
    fc.constantFrom(1, 10_000, 1e4 + 1, 1e7, 1e7 + 1),
  )
  for (const key of ["projectCommands", "maxSessions", "receipts", "maxTokens"] as const) {
    const isSame = (given: unknown) =>
      expect(readOptions({ [key]: given }).warnings.length === 0).toBe(optionsSchema.get(key).allows(given))
    fc.assert(fc.property(value, isSame), { numRuns: 1000 })
  }
})
