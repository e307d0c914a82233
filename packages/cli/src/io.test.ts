import { expect, test } from "bun:test"
import { createPaint, wantsColors } from "./io.ts"

const rows: readonly [env: Record<string, string>, isTerminal: boolean, expected: boolean][] = [
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: "1" }, true, false],
  [{ NO_COLOR: "" }, true, true],
  [{ NO_COLOR: "1", FORCE_COLOR: "1" }, true, false],
  [{ FORCE_COLOR: "1" }, false, true],
  [{ FORCE_COLOR: "0" }, true, false],
  [{ TERM: "dumb" }, true, false],
  [{ TERM: "xterm" }, true, true],
  [{ TERM: "dumb", FORCE_COLOR: "1" }, true, true],
  [{ FORCE_COLOR: "" }, false, false],
]

for (const [env, isTerminal, expected] of rows) {
  test(`${JSON.stringify(env)} ${isTerminal ? "on a terminal" : "piped"}`, () => {
    expect(wantsColors(env, isTerminal)).toBe(expected)
  })
}

test("a style begins before the text and ends behind it, where colours are wanted", () => {
  const painted = (["bold", "dim", "red", "yellow", "green"] as const).map((style) => createPaint(true)(style, "x"))
  expect(painted).toEqual(["1", "2", "31", "33", "32"].map((code) => `\u001b[${code}mx\u001b[0m`))
  expect(createPaint(false)("red", "x")).toBe("x")
})
