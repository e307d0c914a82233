import { expect, test } from "bun:test"
import { parseYaml, reasonFor } from "./yaml.ts"

test.each([
  ['a: "open', "a quote is not closed"],
  ["a: 'open", "a quote is not closed"],
  ["a: [open", "`[` is not closed"],
  ["a: {open", "`{` is not closed"],
  ['a: "\\d"', "a backslash in double quotes begins an escape that does not exist"],
  ['a: "b" "c"', "not valid YAML: "],
])("what is wrong with %p, in words", (source, reason) => {
  expect(reasonFor(parseYaml(source).errors[0])).toStartWith(reason)
})

test("an error that is not told is a value that can't be read", () => {
  expect(reasonFor(undefined)).toContain("the value can't be read")
})
