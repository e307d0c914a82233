import { expect, test } from "bun:test"
import { type } from "arktype"
import fc from "fast-check"
import { runs } from "../../test/runs.ts"
import { FAMILIES } from "../families/table.ts"
import { isReceipt, parseReceipts } from "./parse.ts"
import { REASONS } from "./reasons.ts"

const reason = type.enumerated(...Object.keys(REASONS))
const family = type.enumerated(...Object.keys(FAMILIES))
const count = type("number.integer >= 0")

/** The format once more, in the library's words: what the check by hand is compared with. */
const schema = type({ v: "1", at: "number", request: count }).and(
  type
    .or({
      kind: "'session'",
      begins: "boolean",
      sessionID: "string",
      directory: "string",
      host: "string",
      plugin: "string",
      rules: type({
        id: "string",
        name: "string",
        digest: "string",
        lifetime: "'durable' | 'transient'",
        activation: "'always' | 'conditions' | 'hooks' | 'onRequest'",
      }).array(),
      broken: "string[]",
    })
    .or({
      kind: "'request'",
      "agent?": "string",
      "model?": "string",
      prompted: "boolean",
      did: type({ tool: "string", paths: "string[]", "stopped?": "true" }).array(),
      tokens: count,
    })
    .or({
      kind: "'matched'",
      rule: "string",
      by: type({ kind: "'always'" })
        .or({ kind: "'hook'", tool: "string" })
        .or({ kind: "'condition'", family, "seen?": "string" })
        .array(),
    })
    .or({ kind: "'found'", rules: "string[]" })
    .or({ kind: "'delivered'", rule: "string", how: "'stored' | 'request'", reason, count, tokens: count })
    .or({ kind: "'transient'", rule: "string", isOn: "boolean", reason, tokens: count })
    .or({ kind: "'hook'", rule: "string", on: "'PreToolUse' | 'PostToolUse'", tool: "string" })
    .or({
      kind: "'stopped'",
      rule: "string",
      reason: "'blocked' | 'held' | 'refused'",
      tool: "string",
      paths: "string[]",
      "literal?": count,
      "line?": count,
    })
    .or({ kind: "'store'", rules: "string[]", outcome: "'stored' | 'retry'" })
    .or({ kind: "'gone'", rule: "string", reason: "'compacted' | 'reverted'" })
    .or({ kind: "'forbidden'", rule: "string", path: "string", "line?": count, literal: count })
    .or({ kind: "'followed'", rule: "string", path: "string" })
    .or({
      kind: "'verdicts'",
      rules: type({ "[string]": type({ family, met: "boolean", "seen?": "string" }).array() }).narrow(
        (value) => !Array.isArray(value),
      ),
    })
    .or({ kind: "'full'" }),
)

const BASE = { v: 1, at: 5, request: 1 }
const RULE = "project:a.md"
const SAMPLES: readonly object[] = [
  {
    kind: "session",
    begins: true,
    sessionID: "ses_1",
    directory: "/w",
    host: "OpenCode 1",
    plugin: "1.0.0",
    rules: [{ id: RULE, name: "a", digest: "d", lifetime: "durable", activation: "always" }],
    broken: ["project:b.md"],
  },
  {
    kind: "request",
    agent: "build",
    model: "p/m",
    prompted: true,
    did: [{ tool: "read", paths: ["a.ts"] }],
    tokens: 3,
  },
  { kind: "request", prompted: false, did: [{ tool: "bash", paths: [], stopped: true }], tokens: 0 },
  { kind: "matched", rule: RULE, by: [{ kind: "always" }, { kind: "hook", tool: "bash" }] },
  { kind: "matched", rule: RULE, by: [{ kind: "condition", family: "file", seen: "a.ts" }] },
  { kind: "found", rules: [RULE] },
  { kind: "delivered", rule: RULE, how: "stored", reason: "matched", count: 1, tokens: 4 },
  { kind: "transient", rule: RULE, isOn: false, reason: "ended", tokens: 4 },
  { kind: "hook", rule: RULE, on: "PreToolUse", tool: "bash" },
  { kind: "stopped", rule: RULE, reason: "refused", tool: "write", paths: ["a.ts"], literal: 0, line: 3 },
  { kind: "store", rules: [RULE], outcome: "retry" },
  { kind: "gone", rule: RULE, reason: "reverted" },
  { kind: "forbidden", rule: RULE, path: "a.ts", line: 3, literal: 0 },
  { kind: "followed", rule: RULE, path: "a.ts" },
  { kind: "verdicts", rules: { [RULE]: [{ family: "agent", met: false, seen: "build" }] } },
  { kind: "full" },
].map((sample) => ({ ...BASE, ...sample }))

const KEYS = [...new Set(SAMPLES.flatMap((sample) => pathsOf(sample)))]

function pathsOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [key, ...pathsOf(inner).map((path) => `${key}/${path}`)])
}

const value = fc.oneof(fc.jsonValue(), fc.constantFrom(0, -1, 1.5, true, "", "always", "stored", "file", [], [{}], {}))
/** A receipt with some of it replaced or left out. */
const nearReceipt = fc
  .tuple(fc.constantFrom(...SAMPLES), fc.array(fc.tuple(fc.constantFrom(...KEYS), fc.option(value)), { maxLength: 3 }))
  .map(([sample, changes]) => {
    const receipt: unknown = structuredClone(sample)
    for (const [path, replacement] of changes) set(receipt, path.split("/"), replacement ?? undefined)
    return JSON.parse(JSON.stringify(receipt)) as unknown
  })

test("every kind of receipt is read as it was written", () => {
  const text = SAMPLES.map((sample) => `${JSON.stringify(sample)}\n`).join("")
  expect(parseReceipts(text)).toEqual({ receipts: SAMPLES, skipped: 0 } as never)
})

test("the check by hand takes what the schema takes", () => {
  const isSame = (receipt: unknown) => expect([receipt, isReceipt(receipt)]).toEqual([receipt, schema.allows(receipt)])
  fc.assert(
    fc.property(fc.oneof({ weight: 5, arbitrary: nearReceipt }, { weight: 1, arbitrary: fc.jsonValue() }), isSame),
    { numRuns: runs(2000) },
  )
})

/** Every word that some field takes, and values of each type that none, or another, takes. */
const VALUES: readonly unknown[] = [
  ...[undefined, null, true, false, 0, 1, -1, 1.5, "", "x", [], [1], [null], [[]], {}, [{}], ["file"], ["full"], ["x"]],
  ...["always", "hook", "condition", "file", "matched", "forbidden", "toString"],
  ...["durable", "transient", "conditions", "hooks", "onRequest", "stored", "request", "PreToolUse", "PostToolUse"],
  ...["blocked", "held", "refused", "retry", "compacted", "reverted", "full", "later"],
  ...[{ kind: "always" }, { kind: "hook" }, { kind: "other" }].map((by) => [by]),
]

test("each field of each kind takes what the schema takes there, and may be absent where the schema has it so", () => {
  for (const sample of SAMPLES) {
    for (const path of KEYS) {
      for (const value of VALUES) {
        const changed: unknown = structuredClone(sample)
        set(changed, path.split("/"), value)
        const receipt: unknown = JSON.parse(JSON.stringify(changed))
        if (isReceipt(receipt) !== schema.allows(receipt)) {
          expect([receipt, isReceipt(receipt)]).toEqual([receipt, schema.allows(receipt)])
        }
      }
    }
  }
})

function set(target: unknown, [key = "", ...rest]: readonly string[], value: unknown): void {
  if (typeof target !== "object" || target === null) return
  if (rest.length > 0) set(Reflect.get(target, key), rest, value)
  else Reflect.set(target, key, structuredClone(value))
}

test("torn lines, other versions and unknown kinds are skipped and counted; blank lines are nothing", () => {
  const [one] = SAMPLES.slice(-1)
  const whole = JSON.stringify(one)
  const other = JSON.stringify({ ...one, v: 2 })
  const unknown = JSON.stringify({ ...one, kind: "later" })
  const inherited = JSON.stringify({ ...one, kind: "toString" })
  for (let length = 1; length < whole.length; length += 1) {
    const lines = [whole, other, unknown, inherited, "", " \t\r", whole.slice(0, length)]
    const { receipts, skipped } = parseReceipts(lines.join("\n"))
    expect([receipts.length, skipped]).toEqual([1, 4])
  }
})

test("no text is an error", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void parseReceipts(text)))
})
