import { describe, expect, test } from "bun:test"
import { shapes, timeOf } from "../bench/growth.ts"
import { readScript } from "../src/shell/read.ts"

/**
 * What once took time that doubled with each word, or grew with the square, is decided within a test's own limit at sizes
 * where that would take minutes. `bun run bench` shows how the time grows.
 */
describe("a long command of any shape is decided", () => {
  for (const shape of shapes) {
    test(shape[0], () => expect(timeOf(shape, 1000)).toBeGreaterThan(0), 60_000)
  }
})

describe("over budget, what is left is a doubt", () => {
  const rows: readonly [name: string, command: string, doubt: string][] = [
    ["wrappers", `${"nohup ".repeat(40)}ls`, "too many commands within one"],
    ["options that are not known", `nohup ${"-z ".repeat(40)}ls`, "a wrapper with words that are not known"],
    ["scripts in scripts", `${"eval ".repeat(40)}ls`, "scripts within scripts"],
    ["many scripts", "bash -c ls;".repeat(600), "scripts within scripts"],
    ["long scripts", `bash -c "bash -c '${"a".repeat(250_000)}'"`, "scripts within scripts"],
    ["parentheses", `${"(".repeat(101)}ls${")".repeat(101)}`, "a command too long or too deeply nested to be read"],
    [
      "deep and long",
      `${"(".repeat(90)}ls${" a".repeat(60_000)}${")".repeat(90)}`,
      "a command too long or too deeply nested to be read",
    ],
    ["a very long command", `echo ${"a".repeat(400_000)}`, "a command too long or too deeply nested to be read"],
  ]
  for (const [name, command, doubt] of rows) {
    test(name, () => {
      const reading = readScript(command)
      expect(reading.kind === "read" ? reading.doubts.map(({ reason }) => reason) : []).toContain(doubt)
    })
  }

  test("and within the budget it is not", () => {
    for (const command of [
      `${"nohup ".repeat(20)}ls`,
      `${"eval ".repeat(7)}ls`,
      "bash -c ls;".repeat(400),
      `${"( ".repeat(99)}ls${" )".repeat(99)}`,
      `echo ${"a".repeat(390_000)}`,
    ]) {
      const reading = readScript(command)
      expect(reading.kind === "read" ? reading.doubts : reading).toEqual([])
    }
  })
})
