import { expect, test } from "bun:test"
import { wantsColors } from "./io.ts"

const rows: readonly [env: Record<string, string>, isTerminal: boolean, expected: boolean][] = [
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: "1" }, true, false],
  [{ NO_COLOR: "" }, true, true],
  [{ NO_COLOR: "1", FORCE_COLOR: "1" }, true, false],
  [{ FORCE_COLOR: "1" }, false, true],
  [{ FORCE_COLOR: "0" }, true, false],
  [{ TERM: "dumb" }, true, false],
]

for (const [env, isTerminal, expected] of rows) {
  test(`${JSON.stringify(env)} ${isTerminal ? "on a terminal" : "piped"}`, () => {
    expect(wantsColors(env, isTerminal)).toBe(expected)
  })
}
