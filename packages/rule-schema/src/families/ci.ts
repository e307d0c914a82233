import { readBoolean } from "../value-field.ts"
import { defineFamily } from "./family.ts"
import type { BooleanField } from "./fields.ts"

const field: BooleanField = {
  kind: "boolean",
  key: "ci",
  aliases: [],
  description: "Active when OpenCode runs in continuous integration (`true`), or when it does not (`false`)",
  example: "true",
}

export const ci = defineFamily<"ci", { readonly expected: boolean }>({
  name: "ci",
  lifetime: "durable",
  fields: [field],
  compile(frontmatter, problems) {
    const entry = frontmatter.get(field.key)
    if (entry === undefined) return undefined
    const expected = readBoolean(entry.value)
    if (expected !== undefined) return { expected }
    const at = { offset: entry.value.offset, field: entry.key }
    problems.error(at, "wrong-type", "is neither true nor false", "Write `ci: true` or `ci: false`")
    return undefined
  },
  isMet: ({ expected }, facts) => facts.ci === expected,
  explain(_, facts) {
    if (facts.ci === undefined) return "not known whether this is CI"
    return facts.ci ? "running in CI" : "not running in CI"
  },
  summarise: ({ expected }) => (expected ? "in CI" : "not in CI"),
  describe: ({ expected }) => (expected ? "running in CI" : "not running in CI"),
})
