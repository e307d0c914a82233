import { expect, test } from "bun:test"
import { parseWith } from "../test/rule.ts"
import { FIELDS, frontmatterJsonSchema } from "./index.ts"
import { KNOWN_KEYS } from "./known-keys.ts"

for (const field of FIELDS) {
  test(`the example of ${field.key} is a good rule`, () => {
    for (const key of [field.key, ...field.aliases]) {
      expect(parseWith(`${key}: ${field.example}`)).toMatchObject({ kind: "rule", problems: [] })
    }
    expect(field.description).not.toBe("")
  })
}

test("the JSON Schema has every key that means something", () => {
  const schema = frontmatterJsonSchema() as { properties: Record<string, unknown> }
  expect(Object.keys(schema.properties).toSorted()).toEqual([...KNOWN_KEYS].toSorted())
  expect(schema.properties["os"]).toMatchObject({ anyOf: expect.anything() })
})
