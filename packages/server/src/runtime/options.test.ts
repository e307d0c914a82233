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

const wrong = (key: string, wanted: string, given: string) =>
  `opencode.json: the plugin's option "${key}" must be ${wanted}, not ${given}; the default applies.`
const sessions = "a whole number from 1 to 10000"
const unknown = (key: string) =>
  `opencode.json: the plugin's option ${key} is not known and has no effect. The options are projectCommands, projectLinks, maxSessions, receipts, maxTokens, rulesOf, packs.`

test.each<[unknown, object, string[]]>([
  [{ projectCommands: "yes" }, defaults, [wrong("projectCommands", "true or false", '"yes"')]],
  [
    { projectLinks: 1, receipts: null },
    defaults,
    [wrong("projectLinks", "true or false", "1"), wrong("receipts", "true or false", "null")],
  ],
  [{ maxSessions: 0 }, defaults, [wrong("maxSessions", sessions, "0")]],
  [
    { maxSessions: 2.5, projectCommands: true },
    { ...defaults, projectCommands: true },
    [wrong("maxSessions", sessions, "2.5")],
  ],
  [{ maxTokens: 10_000_001 }, defaults, [wrong("maxTokens", "a whole number from 1 to 10000000", "10000001")]],
  [{ maxSessions: "x".repeat(58) }, defaults, [wrong("maxSessions", sessions, `"${"x".repeat(58)}"`)]],
  [{ maxSessions: "x".repeat(59) }, defaults, [wrong("maxSessions", sessions, `"${"x".repeat(59)}…`)]],
  [{ debug: true, 'a"b': 1 }, defaults, [unknown('"debug"'), unknown('"a\\"b"')]],
  [{ rulesOf: ["cursor"], packs: ["@acme/rules"] }, { ...defaults, rulesOf: ["cursor"], packs: ["@acme/rules"] }, []],
  [
    { rulesOf: ["vim"], maxSessions: 7 },
    { ...defaults, maxSessions: 7, rulesOf: [] },
    [
      'opencode.json: the plugin\'s option "rulesOf" takes one of cursor, claude, copilot, windsurf, kiro, cline, continue, not "vim"; it is left out.',
    ],
  ],
  [[1], defaults, ["opencode.json: the plugin's options must be an object, not [1]; the defaults apply."]],
  ["x", defaults, ['opencode.json: the plugin\'s options must be an object, not "x"; the defaults apply.']],
  [() => 1, defaults, ["opencode.json: the plugin's options must be an object, not function; the defaults apply."]],
  [null, defaults, []],
])("%j falls back to the defaults, with a warning that names what is wrong", (given, options, warnings) => {
  expect(readOptions(given)).toEqual({ options: options as typeof defaults, warnings })
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
  for (const key of ["projectCommands", "projectLinks", "maxSessions", "receipts", "maxTokens"] as const) {
    const isSame = (given: unknown) =>
      expect(readOptions({ [key]: given }).warnings.length === 0).toBe(optionsSchema.get(key).allows(given))
    fc.assert(fc.property(value, isSame), { numRuns: 1000 })
  }
})
