import { expect, test } from "bun:test"
import { documentValue } from "./frontmatter/value.ts"
import { parseYaml } from "./frontmatter/yaml.ts"
import { collectProblems } from "./problems.ts"
import { checked, readBoolean, readText } from "./value-field.ts"

const valueIn = (source: string) => documentValue(parseYaml(source), source, 0)

test.each<[source: string, read: boolean | undefined]>([
  ...["true", "True", "'TRUE'", "yes", "YES", "on", "' On '"].map((text): [string, boolean] => [text, true]),
  ...["false", "False", "'FALSE'", "no", "NO", "off", "' Off '"].map((text): [string, boolean] => [text, false]),
  ...["", "~", "1", "0", "y", "truee", "[true]", "{ true: x }"].map((text): [string, undefined] => [text, undefined]),
])("%j as a boolean is %p", (source, read) => {
  expect(readBoolean(valueIn(source))).toBe(read)
})

test.each<[source: string, read: string | undefined]>([
  ["a b", "a b"],
  ["' a '", "a"],
  ["1.10", "1.10"],
  ["true", "true"],
  ["'null'", "null"],
  ["|\n  a\n  b\n", "a\nb"],
  ...["", "~", "null", "' '", "[a]", "{ a: b }"].map((text): [string, undefined] => [text, undefined]),
])("%j as a text is %p", (source, read) => {
  expect(readText(valueIn(source))).toBe(read)
})

test("a value that can't be read is one error, also beside one that is read as false", () => {
  const problems = collectProblems("/r.md", "a: b")
  const read = checked(readBoolean, "is odd", "Repair it")
  const at = { offset: 3, field: "a" }
  expect([read(valueIn("no"), at, problems), read(valueIn("maybe"), at, problems)]).toEqual([false, undefined])
  expect(problems.all).toEqual([
    {
      ...{ severity: "error", code: "wrong-type", file: "/r.md", line: 1, column: 4, field: "a" },
      ...{ reason: "is odd", remedy: "Repair it" },
    },
  ])
})
