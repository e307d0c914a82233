import { type } from "arktype"
import { FAMILY_LIST } from "./families/table.ts"

/** One hook of a rule. */
export const hookSchema = type({
  type: "'PreToolUse' | 'PostToolUse'",
  "tool?": "string | string[]",
  "match?": "string",
  "block?": "boolean",
  "run?": "string",
})

/** A key of a rule's frontmatter, for documentation, editors and linters. */
export interface FieldDescription {
  readonly key: string
  readonly aliases: readonly string[]
  readonly description: string
  readonly example: string
  /** The family that the key declares; undefined for `match`, `name` and `hooks`. */
  readonly family: string | undefined
  readonly lifetime: "durable" | "transient" | undefined
  /** JSON Schema of a well-formed value. */
  readonly jsonSchema: object
}

const rest = { aliases: [], family: undefined, lifetime: undefined }

/** Every key in the order of the documentation. Derived from the families. */
export const FIELDS: readonly FieldDescription[] = [
  ...FAMILY_LIST.flatMap((family) =>
    family.fields.map(({ key, aliases, description, example, schema }) => {
      return {
        key,
        aliases,
        description,
        example,
        family: family.name,
        lifetime: family.lifetime,
        jsonSchema: schema.toJsonSchema(),
      }
    }),
  ),
  {
    ...rest,
    key: "match",
    description: "How the families combine: `any` of them (the default), or `all`",
    example: "all",
    jsonSchema: type("'any' | 'all'").toJsonSchema(),
  },
  {
    ...rest,
    key: "name",
    description: "The rule's name; without it, the file's name",
    example: "Unsafe Rust",
    jsonSchema: type("string > 0").toJsonSchema(),
  },
  {
    ...rest,
    key: "hooks",
    description: "Tool events that activate the rule's text, block the call or run a command",
    example: "[{ type: PreToolUse, tool: bash, match: 'git push', block: true }]",
    jsonSchema: hookSchema.or(hookSchema.array()).toJsonSchema(),
  },
]

/** JSON Schema of a rule's frontmatter. Keys that it does not name are other tools' and allowed. */
export function frontmatterJsonSchema(): object {
  const properties = FIELDS.flatMap(({ key, aliases, description, jsonSchema }) => {
    const { $schema: _, ...schema } = jsonSchema as Record<string, unknown>
    return [key, ...aliases].map((name) => [name, { description, ...schema }] as const)
  })
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: Object.fromEntries(properties),
  }
}
