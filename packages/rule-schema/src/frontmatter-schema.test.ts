import { expect, test } from "bun:test"
import published from "../../../docs/rule.schema.json" with { type: "json" }
import { parseWith } from "../test/rule.ts"
import { FIELDS, frontmatterJsonSchema, HOOK_FIELDS } from "./frontmatter-schema.ts"
import { KNOWN_KEYS } from "./known-keys.ts"

for (const field of FIELDS) {
  test(`the example of ${field.key} is a good rule`, () => {
    for (const key of [field.key, ...field.aliases]) {
      expect(parseWith(`${key}: ${field.example}`)).toMatchObject({ kind: "rule", problems: [] })
    }
    expect(field.description).not.toBe("")
  })
}

test("the JSON Schema is the one that editors are given", () => {
  expect(frontmatterJsonSchema()).toEqual(published)
})

test("the keys are in the order of the documentation, each with its family and lifetime", () => {
  const rows = FIELDS.map(({ key, aliases, family, lifetime }) => [key, ...aliases, family, lifetime].join(" "))
  expect(rows.map((row) => row.trim())).toEqual([
    "globs paths applyTo fileMatchPattern file durable",
    "fileContains file durable",
    "keywords keywords durable",
    "command command durable",
    "project project durable",
    "os os durable",
    "ci ci durable",
    "agent agent transient",
    "model model transient",
    "branch branch transient",
    "tools tools transient",
    ...["match", "name", "description", "alwaysApply", "inclusion", "trigger", "hooks"],
    ...["hold", "remind", "forbid", "reminder"],
  ])
  expect(HOOK_FIELDS.map(({ key }) => key)).toEqual(["type", "tool", "match", "block", "run"])
})

test("the JSON Schema has every key that means something", () => {
  const schema = frontmatterJsonSchema() as { properties: Record<string, unknown> }
  expect(Object.keys(schema.properties).toSorted()).toEqual([...KNOWN_KEYS].toSorted())
  expect(schema.properties["os"]).toMatchObject({ anyOf: expect.anything() })
})

test("each key has a description and an example that its own schema is for", () => {
  const { properties } = frontmatterJsonSchema() as { properties: Record<string, Described> }
  const hook = properties["hooks"]?.anyOf?.find(({ type }) => type === "object")
  for (const [key, property] of [...Object.entries(properties), ...Object.entries(hook?.properties ?? {})]) {
    expect([key, typeof property.description, property.examples?.length]).toEqual([key, "string", 1])
  }
  expect(Object.keys(hook?.properties ?? {}).toSorted()).toEqual(HOOK_FIELDS.map(({ key }) => key).toSorted())
  expect(properties["keywords"]?.examples).toEqual([["deploy", "release"]])
})

test("the examples of a hook's keys make a good hook", () => {
  const lines = HOOK_FIELDS.map(({ key, example }) => `    ${key}: ${example}`)
  expect(parseWith(`hooks:\n  -\n${lines.join("\n")}`)).toMatchObject({ kind: "rule", problems: [] })
})

test("a key takes the values that its schema has, and no others", () => {
  for (const { key, jsonSchema } of FIELDS.filter(({ family }) => family !== undefined)) {
    const schema = jsonSchema as { readonly anyOf?: readonly { readonly enum?: readonly string[] }[] }
    const values = schema.anyOf?.flatMap((one) => one.enum ?? []) ?? []
    for (const value of values) expect(parseWith(`${key}: ${value}`)).toMatchObject({ kind: "rule", problems: [] })
    expect([key, parseWith(`${key}: anything`).kind]).toEqual([
      key,
      values.length > 0 || key === "ci" ? "broken" : "rule",
    ])
  }
})

interface Described {
  readonly type?: string
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly anyOf?: readonly Described[]
  readonly properties?: Record<string, Described>
}
