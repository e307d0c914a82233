import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { parseText, parseWith } from "../../test/rule.ts"

/** What is read of the keys, or "broken"; then problems as `severity code line:column field`. */
function outcome(frontmatter: string): readonly unknown[] {
  const parsed = parseWith(frontmatter)
  const problems = parsed.kind === "rule" ? parsed.problems : parsed.rule.problems
  const rule = parsed.kind === "rule" ? parsed.rule : undefined
  const read = rule && {
    ...(rule.hold && { hold: true }),
    ...(rule.remind !== undefined && { remind: rule.remind }),
    ...(rule.forbid && { forbid: rule.forbid }),
    ...(rule.reminder !== undefined && { reminder: rule.reminder }),
  }
  const found = problems.map((each) => `${each.severity} ${each.code} ${each.line}:${each.column} ${each.field}`)
  return [read ?? "broken", ...found]
}

describe("a rule without the keys", () => {
  test("holds nothing, is delivered once, forbids nothing", () => {
    expect(parseWith("globs: a")).toMatchObject({
      rule: { hold: false, remind: undefined, forbid: undefined, reminder: undefined },
    })
  })
})

describe("hold", () => {
  for (const [value, ...expected] of [
    ["true", { hold: true }],
    ["'true'", { hold: true }],
    ["TRUE", { hold: true }],
    ["yes", { hold: true }],
    ["false", {}],
    ["no", {}],
    ["once", "broken", "error wrong-type 2:7 hold"],
    ["1", "broken", "error wrong-type 2:7 hold"],
    ["", "broken", "error wrong-type 2:7 hold"],
    ["[true]", "broken", "error wrong-type 2:7 hold"],
    ["{ a: true }", "broken", "error wrong-type 2:7 hold"],
  ] as const) {
    test(value, () => expect(outcome(`hold: ${value}`)).toEqual(expected))
  }
})

describe("remind", () => {
  for (const [value, tokens] of [
    ["2000", 2000],
    ["20000", 20_000],
    ["'20000'", 20_000],
    ["20_000", 20_000],
    ["20,000", 20_000],
    ["20 000", 20_000],
    ["20k", 20_000],
    ["2.5K", 2500],
    ["1M", 1_000_000],
    ["20000 tokens", 20_000],
    ["2e4", 20_000],
    ["20000.0", 20_000],
    ["20'000", 20_000],
    ["20 000 tokens", 20_000],
    ["1,234,567", 1_234_567],
    ["20000token", 20_000],
    ["'20000 TOKENS'", 20_000],
    ["20k tokens", 20_000],
    ["20k  tokens", 20_000],
    ["20000  tokens", 20_000],
    ["20ktokens", 20_000],
    ["2.5 k", 2500],
    ["0.5m token", 500_000],
    ["\u200B20k", 20_000],
    ["no", undefined],
    ["false", undefined],
    ["'off'", undefined],
  ] as const) {
    test(value, () => expect(outcome(`remind: ${value}`)).toEqual([tokens === undefined ? {} : { remind: tokens }]))
  }

  for (const [value, code] of [
    ["1999", "wrong-type"],
    ["0", "wrong-type"],
    ["-20000", "wrong-type"],
    ["2000.5", "wrong-type"],
    // A thousand's point, to YAML a fraction's.
    ["20.000", "wrong-type"],
    ["2.0001k", "wrong-type"],
    ["1k", "wrong-type"],
    ["1e999", "wrong-type"],
    ["1e20", "wrong-type"],
    [".inf", "wrong-type"],
    [".nan", "wrong-type"],
    ["true", "wrong-type"],
    ["often", "wrong-type"],
    ["20kb", "wrong-type"],
    ["2,00", "wrong-type"],
    ["1234,567", "wrong-type"],
    ["20,000,0", "wrong-type"],
    ["20000_", "wrong-type"],
    ["_20000", "wrong-type"],
    ["x20000", "wrong-type"],
    ["20000 x", "wrong-type"],
    [".5m", "wrong-type"],
    ["x20k", "wrong-type"],
    ["20k x", "wrong-type"],
    ["2.k", "wrong-type"],
    ["yes", "wrong-type"],
    ["[20000]", "wrong-type"],
    ["{ tokens: 20000 }", "wrong-type"],
  ] as const) {
    test(value, () => expect(outcome(`remind: ${value}`)).toEqual(["broken", `error ${code} 2:9 remind`]))
  }

  test("nothing", () => {
    expect(outcome("remind:")).toEqual(["broken", "error empty-value 2:8 remind"])
    expect(outcome("remind: []")).toEqual(["broken", "error empty-value 2:9 remind"])
  })

  test.each<[value: string, reason: string]>([
    ["often", "is not a number of tokens"],
    ["[20000]", "is not a number of tokens"],
    ["2000.5", '"2000.5" is not a whole number of tokens'],
    ["' 1999 '", '"1999" is less than 2,000 tokens'],
    ["1_0_0_0_0_0_0_0_0_0_0_0_0_0_0_0_0_0", '"1_0_0_0_0_0_0_0_0_0…" is not a whole number of tokens'],
  ])("%s is an error that says why", (value, reason) => {
    const parsed = parseWith(`remind: ${value}`)
    const remedy = "Write a whole number from 2000 on, for example `remind: 20000`"
    expect(parsed).toMatchObject({ kind: "broken", rule: { problems: [{ reason, remedy }] } })
  })

  test("every whole number from 2000 on is read as itself, however it is written", () => {
    const written = [
      (tokens: number) => String(tokens),
      (tokens: number) => `"${tokens}"`,
      (tokens: number) => String(tokens).replace(/(?<=\d)(?=(?:\d{3})+$)/g, "_"),
      (tokens: number) => `${tokens / 1000}k`,
    ]
    fc.assert(
      fc.property(fc.integer({ min: 2000, max: 100_000_000 }), fc.constantFrom(...written), (tokens, form) => {
        expect(outcome(`remind: ${form(tokens)}`)).toEqual([{ remind: tokens }])
      }),
    )
  })
})

describe("forbid", () => {
  for (const [value, ...expected] of [
    ["console.log(", { forbid: ["console.log("] }],
    ['["console.log(", debugger, debugger]', { forbid: ["console.log(", "debugger"] }],
    ['"!x"', { forbid: ["!x"] }],
    ["!x", { forbid: ["!x"] }],
    ["@ts-ignore", { forbid: ["@ts-ignore"] }],
    ["&mut self", { forbid: ["&mut self"] }],
    ["\n  - #include\n  - !important\n  - -webkit", { forbid: ["#include", "!important", "-webkit"] }],
    ["|\n  a\n  b", { forbid: ["a\nb"] }],
    ["[a, 3]", { forbid: ["a"] }, "warning dropped-entry 2:13 forbid"],
    ["|\r\n  a\r\n  b", { forbid: ["a\nb"] }],
    ["3", "broken", "error wrong-type 2:9 forbid"],
    ["''", "broken", "error empty-value 2:9 forbid"],
    ["[]", "broken", "error empty-value 2:9 forbid"],
    ["{ a: b }", "broken", "error wrong-type 2:9 forbid"],
  ] as const) {
    test(value, () => expect(outcome(`forbid: ${value}`)).toEqual(expected))
  }

  test("an entry is read as one of `fileContains` is, with the same problems", () => {
    const sign = fc.constantFrom(..."!#-&*@|>%`{}[],:'\"ab. \\(\u200B")
    const text = fc.array(sign, { minLength: 1, maxLength: 8 }).map((signs) => signs.join(""))
    const value = fc.oneof(
      text,
      fc.array(text, { minLength: 1, maxLength: 3 }).map((items) => items.map((item) => `\n  - ${item}`).join("")),
      fc.array(text, { maxLength: 3 }).map((items) => `[${items.join(", ")}]`),
    )
    fc.assert(
      fc.property(value, (written) => {
        const [forbid, contains] = [parseWith(`forbid: ${written}`), parseWith(`fileContains: ${written}`)]
        const literals = contains.kind === "rule" ? contains.rule.conditions[0]?.file?.literals : "broken"
        expect(forbid.kind === "rule" ? forbid.rule.forbid : "broken").toEqual(literals)
        const codes = (parsed: typeof forbid) =>
          (parsed.kind === "rule" ? parsed.problems : parsed.rule.problems).map(({ code, line }) => `${code} ${line}`)
        expect(codes(forbid)).toEqual(codes(contains))
      }),
    )
  })
})

describe("reminder", () => {
  for (const [value, ...expected] of [
    ["Keep it short.", { reminder: "Keep it short." }],
    ["'  Never: push  '", { reminder: "Never: push" }],
    ["Never: push", { reminder: "Never: push" }],
    ["|\n  One.\n  Two.", { reminder: "One.\nTwo." }],
    ["3", { reminder: "3" }],
    ["One\n  two.", { reminder: "One two." }],
    ["'One\n  two.'", { reminder: "One two." }],
    [" \u200BOne.\u200B ", { reminder: "One." }],
    ["1.10", { reminder: "1.10" }],
    ["' '", "broken", "error empty-value 2:11 reminder"],
    ["[]", "broken", "error empty-value 2:11 reminder"],
    ["", "broken", "error empty-value 2:11 reminder"],
    ["[One.]", "broken", "error wrong-type 2:11 reminder"],
    ["{ a: b }", "broken", "error wrong-type 2:11 reminder"],
  ] as const) {
    test(value, () => expect(outcome(`reminder: ${value}`)).toEqual(expected))
  }

  test("one of more than 1,024 characters is not used, with a warning", () => {
    const longest = "\u{1F4D6}".repeat(1024)
    expect(outcome(`reminder: "  ${longest}  "`)).toEqual([{ reminder: longest }])
    expect(outcome(`reminder: ${longest}x`)).toEqual([{}, "warning long-reminder 2:11 reminder"])
  })
})

test("a rule on request asks for nothing, with a warning for each key that would", () => {
  const keys = "alwaysApply: false\ndescription: d\nhold: true\nremind: 2000\nforbid: a\nreminder: b"
  expect(outcome(keys)).toEqual([
    {},
    "warning ignored-condition 4:1 hold",
    "warning ignored-condition 5:1 remind",
    "warning ignored-condition 6:1 forbid",
  ])
  expect(outcome("alwaysApply: false\ndescription: d\nhold: false\nremind: off\nreminder: b")).toEqual([{}])
  expect(outcome("alwaysApply: false\ndescription: d\nHold: true")).toEqual([
    {},
    "warning key-form 4:1 Hold",
    "warning ignored-condition 4:1 Hold",
  ])
})

test("beside `forbid`, patterns that a rule without conditions has are not ignored without a word", () => {
  const parsed = parseWith("alwaysApply: true\npaths: a\nforbid: b")
  expect(parsed.kind === "rule" && parsed.problems.map(({ reason }) => reason)).toEqual([
    "makes the rule always apply, so `paths` has no effect, and `forbid` counts in every file",
  ])
})

describe("what is not read is found", () => {
  test("keys without fences, and in a second block", () => {
    const codes = (text: string) => {
      const parsed = parseText(text)
      return parsed.kind === "broken" ? parsed.rule.problems.map(({ code }) => code) : parsed.kind
    }
    expect(codes("forbid: console.log(\n\nText.")).toEqual(["hidden-frontmatter"])
    expect(codes("---\nglobs: a\n---\n---\nhold: true\n---\nText.")).toEqual(["hidden-frontmatter"])
    expect(codes("Reminder: run the tests.\n\nText.")).toBe("rule")
    expect(codes("----\nReminder: run the tests.\n\nText.")).toBe("rule")
  })
})
