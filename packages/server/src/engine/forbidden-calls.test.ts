import { expect, test } from "bun:test"
import { ROOT, ruleOf } from "../../test/support/rules.ts"
import { brokenNotice } from "./forbidden-calls.ts"

const RULE = ruleOf('---\nforbid: ["log(", debugger]\n---\nText.')
const END = "This rule forbids it: take it out."

test("a notice has a line for each literal in each file, with its line where that is known, and the reminder below", () => {
  const judgements = [
    {
      rule: RULE,
      path: `${ROOT}/src/a.ts`,
      added: [
        { literal: 1, line: 7 },
        { literal: 0, line: undefined },
      ],
    },
    { rule: RULE, path: "b.ts", added: [{ literal: 0, line: 1 }] },
  ]
  const lines = [
    `"debugger" was added to src/a.ts, line 7. ${END}`,
    `"log(" was added to src/a.ts. ${END}`,
    `"log(" was added to b.ts, line 1. ${END}`,
  ]
  expect(brokenNotice(RULE, judgements, undefined, ROOT)).toBe(lines.join("\n"))
  expect(brokenNotice(RULE, judgements, "Use the logger.", ROOT)).toBe([...lines, "Use the logger."].join("\n"))
})

test("a notice names ten places, and how many more there are", () => {
  const judgements = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ rule: RULE, path: `${at}.ts`, added: [{ literal: 0, line: 1 }] }))
  const lines = (count: number) => brokenNotice(RULE, judgements(count), "Reminder.", ROOT).split("\n")
  expect(lines(10).slice(9)).toEqual([`"log(" was added to 9.ts, line 1. ${END}`, "Reminder."])
  expect(lines(12).slice(9)).toEqual([
    `"log(" was added to 9.ts, line 1. ${END}`,
    "The same holds for 2 more places.",
    "Reminder.",
  ])
})
