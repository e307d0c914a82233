import { type } from "arktype"
import { parse } from "yaml"
import type { Field } from "./families/fields.ts"
import { FAMILY_LIST } from "./families/table.ts"

/** One hook of a rule. */
export const hookSchema = type({
  type: "'PreToolUse' | 'PostToolUse'",
  "tool?": "string | string[]",
  "match?": "string | Record<string, string>",
  "block?": "boolean",
  "run?": "string",
})

/** The keys of one hook, in the order of the documentation. */
export const HOOK_FIELDS: readonly Pick<FieldDescription, "key" | "description" | "example">[] = [
  { key: "type", description: "When: before a call, or after a successful one", example: "PreToolUse" },
  { key: "tool", description: "The tool's name, several, or `*`; every tool without it", example: "bash" },
  {
    key: "match",
    description:
      "A regular expression that the call's arguments as JSON match, or one for each of some arguments by name; without it, every call",
    example: "{ command: '^git push' }",
  },
  {
    key: "block",
    description: "The call doesn't run, and the model reads the rule as the reason (`PreToolUse` only)",
    example: "true",
  },
  {
    key: "run",
    description: "A shell command that is started and not waited for, with the event as JSON on its standard input",
    example: "npx prettier --check .",
  },
]

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
    family.fields.map((field): FieldDescription => {
      const { key, aliases, description, example } = field
      const { name, lifetime } = family
      return { key, aliases, description, example, family: name, lifetime, jsonSchema: valueSchema(field) }
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
    key: "description",
    description: "What the rule is about, for the index of rules that are left to the model's judgement",
    example: "How we release",
    jsonSchema: type("string | null").toJsonSchema(),
  },
  {
    ...rest,
    key: "alwaysApply",
    description:
      "`true`: the rule always applies, whatever its patterns; `false` without a condition: on request (Cursor)",
    example: "true",
    jsonSchema: type("boolean").toJsonSchema(),
  },
  {
    ...rest,
    key: "inclusion",
    description: "`always`; `fileMatch`, by its patterns; `auto` and `manual`: on request (Kiro)",
    example: "auto",
    jsonSchema: type("'always' | 'fileMatch' | 'auto' | 'manual'").toJsonSchema(),
  },
  {
    ...rest,
    key: "trigger",
    description: "`always_on`; `glob`, by its patterns; `model_decision` and `manual`: on request (Windsurf)",
    example: "model_decision",
    jsonSchema: type("'always_on' | 'glob' | 'model_decision' | 'manual'").toJsonSchema(),
  },
  {
    ...rest,
    key: "hooks",
    description: "Tool events that activate the rule's text, block the call or run a command",
    example: "[{ type: PreToolUse, tool: bash, match: 'git push', block: true }]",
    jsonSchema: { anyOf: [describedHook(), { type: "array", items: describedHook() }] },
  },
]

function valueSchema(field: Field): object {
  if (field.kind === "boolean") return type("boolean").toJsonSchema()
  const entry = field.values ? type.enumerated(...field.values) : type("string")
  return entry.or(entry.array()).toJsonSchema()
}

function describedHook(): object {
  const { $schema: _, ...schema } = hookSchema.toJsonSchema() as Record<string, unknown> & { properties: object }
  const properties = Object.entries(schema.properties).map(([key, property]) => {
    const field = HOOK_FIELDS.find((candidate) => candidate.key === key)
    if (!field) throw new Error(`the hook key ${key} has no description`)
    return [key, { description: `${field.description}.`, examples: [parse(field.example) as unknown], ...property }]
  })
  return { ...schema, properties: Object.fromEntries(properties) }
}

/** JSON Schema of a rule's frontmatter. Keys that it does not name are other tools' and allowed. */
export function frontmatterJsonSchema(): object {
  const properties = FIELDS.flatMap(({ key, aliases, description, lifetime, example, jsonSchema }) => {
    const { $schema: _, ...schema } = jsonSchema as Record<string, unknown>
    const delivery = lifetime === undefined ? "" : ` Delivery: ${lifetime}.`
    const property = { description: `${description}.${delivery}`, examples: [parse(example) as unknown], ...schema }
    const alias = { ...property, description: `Another tool's name for \`${key}\`. ${property.description}` }
    return [[key, property] as const, ...aliases.map((name) => [name, alias] as const)]
  })
  return {
    // The draft that every editor knows; nothing here needs a later one.
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Rule frontmatter of opencode-rulebook",
    description: "The YAML between the `---` lines of a rule file. Without conditions a rule always applies.",
    type: "object",
    properties: Object.fromEntries(properties),
  }
}
