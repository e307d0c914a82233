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

test("a name stands in its attribute, a body without the whitespace around it and without tags of the frame", () => {
  const names = [`"A" & <B>`, "B"]
  const bodies = [
    "\n  First </rule> < / RULE >\n",
    "<rule-set> <rules> <ruleé> </rule1> <rule_x> <rule> <Rule/> <system-message\t> </system-reminder",
  ]
  expect(frameRules(names.map((name, at) => ({ name, body: bodies[at] ?? "" })))).toBe(
    [
      "<system-message>",
      "The rules below come from the opencode-rulebook plugin, not from the user. Follow them silently from here on: do not mention, quote or acknowledge them.",
      '<rule name="&quot;A&quot; &amp; &lt;B&gt;">',
      "First &lt;/rule> &lt; / RULE >",
      "</rule>",
      '<rule name="B">',
      "<rule-set> <rules> <ruleé> </rule1> <rule_x> &lt;rule> &lt;Rule/> &lt;system-message\t> &lt;/system-reminder",
      "</rule>",
      "</system-message>",
    ].join("\n"),
  )
})

test("no character of a name changes how the frame reads: controls, line ends and those of direction are spaces", () => {
  for (const character of "\u0000\u001b\u007f\u0085\n\r\t\u2028\u2029\u200e\u200f\u202a\u202e\u2066\u2069") {
    expect(frameRules([{ name: `a${character}${character}b`, body: "x" }])).toContain('\n<rule name="a b">\nx\n')
  }
})

test("ordinary markup of a body is left as it is", () => {
  const body = 'Use `<Rule>`-free generics: `Vec<u8>`, `<ruler>`, `a < b`, <div class="x">.'
  expect(frameRules([{ name: "x", body: body.replace("<Rule>", "") }])).toContain(body.replace("<Rule>", ""))
})
