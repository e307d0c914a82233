import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { patternReadingOf, patternTexts, readingOf, recordFile, ruleTexts } from "./readings.ts"

const recorded = new Map(
  readFileSync(recordFile, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): [string, readonly string[]] => {
      const [kind, text, ...lines]: string[] = JSON.parse(line)
      return [`${kind} ${text}`, lines]
    }),
)

/** A change of any of these is meant, or a fault. `bun test/readings.ts` in this package records them anew: read the difference. */
describe("a damaged text is read as it was recorded", () => {
  test.each(ruleTexts.map((text) => [text]))("rule %j", (text) => {
    expect(readingOf(text)).toEqual(recorded.get(`rule ${text}`) ?? [])
  })
  test.each(patternTexts.map((text) => [text]))("pattern %j", (text) => {
    expect(patternReadingOf(text)).toEqual(recorded.get(`pattern ${text}`) ?? [])
  })
})
