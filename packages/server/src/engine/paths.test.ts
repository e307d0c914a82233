import { expect, test } from "bun:test"
import { notedPaths } from "./paths.ts"

const pathOf = notedPaths("/home/dev/app")

test.each([
  ["src/a.rs", "src/a.rs"],
  ["./src/../b.rs", "b.rs"],
  ["/home/dev/app/src/a.rs", "src/a.rs"],
  ["/etc/passwd", "/etc/passwd"],
  [`${"d/".repeat(50)}${"x".repeat(5_000)}`, `${"d/".repeat(50)}${"x".repeat(100)}`],
  // What is longer than a path can be is cut before it is looked at.
  [`${"d/../".repeat(819)}${"x".repeat(150)}`, "x"],
])("%j is noted as %j", (path, noted) => {
  expect(pathOf(path)).toBe(noted)
})
