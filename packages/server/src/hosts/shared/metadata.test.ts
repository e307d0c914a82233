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
