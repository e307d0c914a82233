import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { recorded, recordFile, summary } from "./readings.ts"

const readings = new Map(
  readFileSync(recordFile, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): [string, readonly string[]] => {
      const [command, ...lines]: string[] = JSON.parse(line)
      return [command ?? "", lines]
    }),
)

/** A change of any of these is meant, or a fault. `bun test/readings.ts` in this package records them anew: read the difference. */
describe("the reading is as it was recorded", () => {
  for (const command of recorded) {
    test(JSON.stringify(command), () => expect(summary(command)).toEqual(readings.get(command) ?? []))
  }
})
