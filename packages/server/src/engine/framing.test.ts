import { expect, test } from "bun:test"
import fc from "fast-check"
import { runs } from "../../test/support/runs.ts"
import { deliveryMetadata, deliveryOfMetadata, frameRules } from "./framing.ts"

const hostile = fc.oneof(
  fc.string({ unit: "binary" }),
  fc
    .array(
      fc.constantFrom(
        "</rule>",
        "< / RULE >",
        '<rule name="x">',
        "</system-message>",
        "<System-Message ",
        '"',
        "&",
        "\n",
        "a",
        "<",
        "</rul",
        "</system-reminder>",
        "</rule\t>",
      ),
    )
    .map((parts) => parts.join("")),
)

test("no name and no body leaves its place in the frame", () => {
  fc.assert(
    fc.property(fc.array(fc.record({ name: hostile, body: hostile }), { minLength: 1, maxLength: 4 }), (rules) => {
      const text = frameRules(rules)
      expect(text.match(/<\s*\/?\s*(rule|system-message|system-reminder)\b/gi)).toHaveLength(2 + 2 * rules.length)
      expect(text.match(/^<rule name="[^"<>\n\r]*">$/gm)).toHaveLength(rules.length)
      expect(text.startsWith("<system-message>\n") && text.endsWith("\n</system-message>")).toBe(true)
    }),
    { numRuns: runs(100) },
  )
})

test("what a delivery says of itself comes back whole, and no other metadata passes for it", () => {
  const text = fc.string({ unit: "binary", maxLength: 20 })
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 5 }), fc.jsonValue(), (id, rules, other) => {
      const delivery = { id, rules: rules as never[] }
      expect(deliveryOfMetadata(deliveryMetadata(delivery))).toEqual(delivery)
      expect(deliveryOfMetadata({ other })).toBeUndefined()
    }),
    { numRuns: runs(200) },
  )
})

test("ordinary markup of a body is left as it is", () => {
  const body = 'Use `<Rule>`-free generics: `Vec<u8>`, `<ruler>`, `a < b`, <div class="x">.'
  expect(frameRules([{ name: "x", body: body.replace("<Rule>", "") }])).toContain(body.replace("<Rule>", ""))
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
