import { expect, test } from "bun:test"
import fc from "fast-check"
import { isState } from "./format.ts"
import { stateSchema } from "./schema.ts"

const STATE = {
  version: 2,
  sessionID: "ses_1",
  directory: "/home/app",
  updatedAt: 0,
  projectCommands: false,
  notices: ["a notice"],
  snapshot: "abcd",
  rulesOf: ["cursor"],
  packs: ["@acme/rules"],
  nested: ["packages/api"],
  partlyMet: [{ id: "project:b.md", met: ["file"] }],
  rules: [
    {
      ...{ id: "project:a.md", digest: "0", status: "pending", by: "src/a.ts", at: 5, blocked: 1 },
      ...{ tokens: 5, request: 2, count: 1 },
    },
  ],
}
const KEYS = [
  ...Object.keys(STATE),
  "rules.0",
  "notices.0",
  "rules.0.id",
  "rules.0.digest",
  "rules.0.status",
  "rules.0.by",
  "rules.0.at",
  "rules.0.blocked",
  "rules.0.tokens",
  "rules.0.request",
  "rules.0.count",
  "partlyMet.0",
  "partlyMet.0.id",
  "partlyMet.0.met",
  "partlyMet.0.met.0",
  "more",
  "rules.0.more",
]
const value = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(1, 2, "", "transient", "delivered", "unmatched", "done", true, [], {}, STATE.rules),
)
/** A state with some of it replaced or left out. */
const nearState = fc.array(fc.tuple(fc.constantFrom(...KEYS), fc.option(value)), { maxLength: 3 }).map((changes) => {
  const state: unknown = structuredClone(STATE)
  for (const [path, replacement] of changes) set(state, path.split("."), replacement ?? undefined)
  return JSON.parse(JSON.stringify(state)) as unknown
})

function set(target: unknown, [key = "", ...rest]: readonly string[], value: unknown): void {
  if (typeof target !== "object" || target === null) return
  if (rest.length > 0) set(Reflect.get(target, key), rest, value)
  else Reflect.set(target, key, structuredClone(value))
}

test("the check by hand takes what the schema takes", () => {
  expect(isState(STATE)).toBe(true)
  const isSame = (state: unknown) => expect(isState(state)).toBe(stateSchema.allows(state))
  fc.assert(
    fc.property(fc.oneof({ weight: 5, arbitrary: nearState }, { weight: 1, arbitrary: fc.jsonValue() }), isSame),
    {
      numRuns: 2000,
    },
  )
})

test("each field takes what the schema takes there, and may be absent where the schema has it so", () => {
  const values = [undefined, null, true, false, 0, 1, 2, 3, 1.5, "", "x", [], [1], ["x"], [null], {}, [{}], STATE.rules]
  const words = ["unmatched", "pending", "delivered", "transient", "done", ["pending"], STATE.partlyMet]
  for (const path of KEYS) {
    for (const value of [...values, ...words]) {
      const changed: unknown = structuredClone(STATE)
      set(changed, path.split("."), value)
      const state: unknown = JSON.parse(JSON.stringify(changed))
      expect([path, value, isState(state)]).toEqual([path, value, stateSchema.allows(state)])
    }
  }
})
