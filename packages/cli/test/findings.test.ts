import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { findingsIn, lintedTexts, recordFile } from "./findings.ts"

const recorded = new Map(
  readFileSync(recordFile, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): [string, readonly string[]] => {
      const [text, ...findings]: string[] = JSON.parse(line)
      return [text ?? "", findings]
    }),
)

/** A change of any of these is meant, or a fault. `bun test/findings.ts` in this package records them anew: read the difference. */
describe("the lints find what was recorded", () => {
  test.each(lintedTexts.map((text) => [text]))("%j", (text) => {
    expect(findingsIn(text)).toEqual(recorded.get(text) ?? [])
  })
})
