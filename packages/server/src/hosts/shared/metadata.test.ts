import { expect, test } from "bun:test"
import fc from "fast-check"
import { runs } from "../../../test/support/runs.ts"
import { deliveryMetadata, deliveryOfMetadata } from "./metadata.ts"

test("what a delivery says of itself comes back whole, and no other metadata passes for it", () => {
  const text = fc.string({ unit: "binary", maxLength: 20 })
  const kind = fc.constantFrom("message" as const, "call" as const)
  const place = fc.record({ place: fc.record({ kind, id: text }) }, { requiredKeys: [] })
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 5 }), place, fc.jsonValue(), (id, rules, placed, other) => {
      const delivery = { id, rules: rules as never[], ...placed }
      expect(deliveryOfMetadata(deliveryMetadata(delivery))).toEqual(delivery)
      expect(deliveryOfMetadata({ other })).toBeUndefined()
    }),
    { numRuns: runs(200) },
  )
})

test("a delivery's metadata comes back as it was written; anything else is none", () => {
  const delivery = { id: "1", rules: ["project:a.md"] as never[] }
  expect(deliveryOfMetadata(JSON.parse(JSON.stringify(deliveryMetadata(delivery))))).toEqual(delivery)
  for (const other of [
    undefined,
    null,
    "x",
    {},
    { "opencode-rulebook": null },
    { "opencode-rulebook": { rules: "x" } },
  ]) {
    expect(deliveryOfMetadata(other)).toBeUndefined()
  }
})

test("what an earlier version has stored is read: the format stays", () => {
  const rules = ["project:a.md", "global:b.md"] as never[]
  const formats = [
    [
      { id: "1", rules },
      { delivery: "1", rules },
    ],
    [
      { id: "1", rules, place: { kind: "message", id: "msg_1" } },
      { delivery: "1", rules, after: "msg_1" },
    ],
    [
      { id: "1", rules, place: { kind: "call", id: "call_1" } },
      { delivery: "1", rules, call: "call_1" },
    ],
  ] as const
  for (const [delivery, stored] of formats) {
    expect(deliveryMetadata(delivery)).toEqual({ "opencode-rulebook": stored })
    expect(deliveryOfMetadata({ other: 1, "opencode-rulebook": stored })).toEqual(delivery)
  }
  const odd = { delivery: 5, rules: [7, "project:a.md", null], after: 8, call: "call_1" }
  expect(deliveryOfMetadata({ "opencode-rulebook": odd })).toEqual({
    ...{ id: undefined, rules: ["project:a.md"] as never[] },
    place: { kind: "call", id: "call_1" },
  })
})
