import { expect, test } from "bun:test"
import fc from "fast-check"
import { runs } from "../../test/support/runs.ts"
import { frameRules } from "./framing.ts"

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

test("ordinary markup of a body is left as it is", () => {
  const body = 'Use `<Rule>`-free generics: `Vec<u8>`, `<ruler>`, `a < b`, <div class="x">.'
  expect(frameRules([{ name: "x", body: body.replace("<Rule>", "") }])).toContain(body.replace("<Rule>", ""))
})
